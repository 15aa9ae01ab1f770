#if os(Linux)
    import ErrandSupport

    extension BodyPipe {
        /// Whether a reader waits for bytes.
        package var hasReader: Bool { state.withLock { $0.reader != nil } }

        /// Adds bytes. Resumes a waiting reader if they are many. Otherwise, one resumption can deliver the bytes of
        /// several calls.
        ///
        /// - Returns: `true` if a reader waits for these bytes. The caller must then call ``deliver()`` soon.
        package func add(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            let (isAwaited, isLarge) = state.withLock { state in
                guard state.end == nil, !state.isStopped, !bytes.isEmpty else { return (false, false) }
                let isFirst = state.unread.isEmpty
                state.add { $0.append(bytes) }
                guard state.reader != nil else { return (false, false) }
                return (isFirst, state.unread.count >= Self.lowWater)
            }
            if isLarge { deliver() }
            return isAwaited && !isLarge
        }

        /// Resumes a waiting reader with the first bytes that were added.
        package func deliver() {
            let (reader, bytes) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Data?) in
                guard !state.unread.isEmpty, let reader = state.reader.take() else { return (nil, nil) }
                return (reader, state.takeUnread()?.bytes)
            }
            reader?.resume(returning: bytes)
        }
    }
#endif
