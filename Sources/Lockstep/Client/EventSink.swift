/// Somebody who is told what happens in a client: the way to logs, metrics and traces.
///
/// The function is called on the task that caused the event, after the change, with no lock held: it may call the client.
/// It must be quick and must not block: what it is told of requests comes on the transport's own thread.
public struct EventSink: Sendable {
    private let take: (@Sendable (Event) -> Void)?

    /// A sink that hands every event to `take`.
    public init(_ take: @escaping @Sendable (Event) -> Void) { self.take = take }

    private init() { take = nil }

    /// Nobody: no event is made.
    public static let none = EventSink()

    /// A sink that hands every event to `write` as one line of JSON, its end included; see ``Event/jsonLine``.
    ///
    /// Lines may come from several threads at once: `write` must write each as a whole.
    public static func jsonLines(_ write: @escaping @Sendable (String) -> Void) -> EventSink {
        EventSink { write($0.jsonLine + "\n") }
    }

    /// A sink that hands every event to both.
    public func and(_ other: EventSink) -> EventSink {
        guard let take, let others = other.take else { return take == nil ? other : self }
        return EventSink {
            take($0)
            others($0)
        }
    }

    var isNone: Bool { take == nil }

    /// Tells of an event, which is made only where somebody listens.
    public func callAsFunction(_ event: @autoclosure () -> Event) { take?(event()) }
}
