/// Somebody who is told what happens in a client: the way to logs, metrics and traces.
///
/// The function is called on the task that caused the event, after the change, with no lock held: it may call the client.
/// It must be quick.
public struct EventSink: Sendable {
    private let take: @Sendable (Event) -> Void

    /// A sink that hands every event to `take`.
    public init(_ take: @escaping @Sendable (Event) -> Void) { self.take = take }

    /// Nobody.
    public static let none = EventSink { _ in }

    func callAsFunction(_ event: Event) { take(event) }
}
