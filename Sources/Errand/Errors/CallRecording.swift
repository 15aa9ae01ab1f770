/// A recording of API calls that an error can refer to.
package protocol CallRecording: Sendable {
    /// Returns the present contents.
    func frozen() -> any CallRecording
}

extension Trail {
    /// A recording that belongs to a trail. It is not compared.
    package struct Attachment: Sendable, Hashable {
        package let recording: any CallRecording

        package init(_ recording: any CallRecording) {
            self.recording = recording
        }

        package static func == (one: Attachment, other: Attachment) -> Bool { true }

        package func hash(into hasher: inout Hasher) {}
    }
}

extension Trail {
    /// Replaces the recording by its present contents.
    package mutating func freezeAttachment() {
        attachment = attachment.map { Attachment($0.recording.frozen()) }
    }
}
