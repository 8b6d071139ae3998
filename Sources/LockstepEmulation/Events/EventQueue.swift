internal import LockstepPrimitives

/// A row that stores an event until the emulator has sent it.
///
/// The row is written in the transaction of the request that causes the event. So if the request is rolled back, there is no event.
public protocol QueuedEvent: Record {
    /// The number of calls about this event that have failed.
    var failures: Int { get set }
}

/// Sends the events of a table one after the other, in the order of their rows.
///
/// If an event may be sent only once, its row is deleted before the call. If an event may be sent several times, its row is
/// deleted after a successful call or the last attempt. After any other call, the event stays at the head of the queue. The next
/// request sends the event again.
public actor EventQueue<Event: QueuedEvent> {
    private let database: Database
    private let environment: EmulationEnvironment
    private let attempts: Int
    private var isSending = false
    /// Whether another request has ended during a call.
    ///
    /// If the call fails, the events of that request must still be sent.
    private var isAskedAgain = false

    /// Creates a queue for the events in a table.
    ///
    /// - Parameters:
    ///   - environment: The environment of the emulator.
    ///   - attempts: The maximum number of calls for one event.
    public init(_ database: Database, in environment: EmulationEnvironment, attempts: Int = 1) {
        self.database = database
        self.environment = environment
        self.attempts = attempts
    }

    /// Sends all waiting events, unless another task is sending them already.
    public func send(_ request: @Sendable (Event) -> OutgoingRequest) async {
        guard !isSending else {
            isAskedAgain = true
            return
        }
        isSending = true
        defer { isSending = false }
        while let event = try? next() {
            isAskedAgain = false
            var request = request(event)
            request.attempt = event.failures + 1
            let answer = try? await request.run(in: environment)
            let isDelivered = (try? answer?.get()).map { (200..<300).contains($0.status) } ?? false
            guard attempts > 1 else { continue }
            guard let isOver = try? settle(event, isDelivered: isDelivered), isOver || isAskedAgain else { return }
        }
    }

    /// Returns the oldest event.
    private func next() throws -> Event? {
        try database.write { db in
            let event = try db.find(Event.self, "1 = 1 ORDER BY rowid")
            if let event, attempts == 1 { try remove(event, &db) }
            return event
        }
    }

    /// Removes an event that was sent, or that has failed too often.
    ///
    /// - Returns: Whether the next event can be sent.
    private func settle(_ event: Event, isDelivered: Bool) throws -> Bool {
        var event = event
        event.failures += 1
        let isOver = isDelivered || event.failures >= attempts
        try database.write { [event] db in
            // A reset may have removed the event meanwhile, so it must not be stored again.
            guard try db.find(Event.self, key(of: event)) != nil else { return }
            if isOver { try remove(event, &db) } else { try db.save(event) }
        }
        return isOver
    }

    private func remove(_ event: Event, _ db: inout SQLiteConnection) throws {
        try db.run("DELETE FROM \(name: Event.table.name) WHERE \(key(of: event))")
    }

    private func key(of event: Event) -> SQL {
        let column = Event.table.columns[0]
        return "\(name: column.name) = \(column.value(event))"
    }
}
