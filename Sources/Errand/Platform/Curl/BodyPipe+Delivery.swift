#if os(Linux)
    import ErrandSupport

    extension BodyPipe {
        /// Whether a reader waits for bytes.
        package var hasReader: Bool { state.withLock { $0.reader != nil } }

        /// Adds bytes without resuming a waiting reader, so that one resumption can deliver the bytes of several calls.
        ///
        /// - Returns: `true` if a reader waits for these bytes. The caller must then call ``deliver()`` soon.
        package func add(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            state.withLock { state in
                guard state.end == nil, !state.isStopped, !bytes.isEmpty else { return false }
                let isFirst = state.unread.isEmpty
                if isFirst { state.unread = Data(buffer: bytes) } else { state.unread.append(bytes) }
                state.isPaused = state.unread.count >= Self.highWater
                return isFirst && state.reader != nil
            }
        }

        /// Resumes a waiting reader with the bytes that were added.
        package func deliver() {
            let (reader, bytes) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Data) in
                guard !state.unread.isEmpty, let reader = state.reader.take() else { return (nil, Data()) }
                return (reader, state.takeUnread())
            }
            reader?.resume(returning: bytes)
        }
    }
#endif
