/// Converts the activities of an event source to its elements.
struct EventReading<Element: Sendable>: Sendable {
    /// The result for an activity.
    enum Step: Sendable {
        case element(Element)
        /// The activity has no element.
        case skip
        /// The activity is the last event.
        case end
    }

    /// Whether the stream has a last event.
    var requiresLastEvent = false
    /// Whether events with a type and without data are read, too. The HTML standard ignores them.
    var includesEmpty = false
    /// Returns the error for a JSON body that is not an event stream, or `nil`. It is called only for lenient options,
    /// because the validators check the body otherwise.
    var refusal: (@Sendable (ResponseHead, Data) -> ServiceError?)?
    /// Converts an activity. The header section is that of the connection, or `nil` for an activity that is not part of
    /// the stream.
    let step: @Sendable (EventActivity, ResponseHead?) throws(ServiceError) -> Step
}

extension EventReading<ServerSentEvent> {
    /// Returns the events.
    static var events: Self {
        EventReading { activity, _ in
            if case .event(let event) = activity { .element(event) } else { .skip }
        }
    }

    /// Returns a conversion that decodes the events of a type, or of all types if it is `nil`, until an event with the
    /// given data.
    func decoding<Value: Decodable & SendableMetatype & Sendable>(
        _ value: Value.Type, type: String? = nil, until last: String? = nil, decoder: JSONDecoder,
        skipping skip: (@Sendable () -> Void)?
    ) -> EventReading<Value> {
        EventReading<Value>(requiresLastEvent: last != nil || requiresLastEvent) {
            activity, head throws(ServiceError) in
            switch try step(activity, head) {
            case .skip: return .skip
            case .end: return .end
            case .element(let event):
                if let last, event.data == last { return .end }
                if let type, event.type != type { return .skip }
                do throws(ServiceError) {
                    return .element(try event.decode(as: value, decoder: decoder))
                } catch {
                    guard let skip, error.code == .decoding else { throw error }
                    skip()
                    return .skip
                }
            }
        }
    }
}
