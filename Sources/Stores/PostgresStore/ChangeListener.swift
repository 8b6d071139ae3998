internal import Lockstep
internal import LockstepPostgres
internal import LockstepPrimitives
internal import Synchronization

/// Receives notifications of changed rows on one connection, and notifies the streams that watch these rows.
final class ChangeListener: Sendable {
    private struct Subscriber {
        let key: StoreKey
        let stream: AsyncStream<StoreKey>.Continuation
    }

    private struct State {
        /// The streams, by the id of the row in hexadecimal, and then by their number.
        var subscribers: [ExactString: [Int: Subscriber]] = [:]
        var streams = 0
        var task: Task<Void, Never>?
    }

    private let address: PostgresAddress
    private let clock: any DeviceClock
    private let executor: @Sendable () throws -> any SerialExecutor
    private let state = Mutex(State())

    init(_ address: PostgresAddress, clock: any DeviceClock, executor: @escaping @Sendable () throws -> any SerialExecutor) {
        self.address = address
        self.clock = clock
        self.executor = executor
    }

    /// Returns a stream.
    ///
    /// It begins to listen if there was no stream before.
    func changes(of keys: [StoreKey], owner: String) -> AsyncStream<StoreKey> {
        let rows = keys.map { (id: Hex.encode(AssociatedData.id(owner, $0)), key: $0) }
        // If a key is reported twice before a subscriber reads it, one report too many is better than one too few.
        let (changes, stream) = AsyncStream<StoreKey>.makeStream(bufferingPolicy: .bufferingNewest(max(1, keys.count) * 4))
        let number = state.withLock { state in
            state.streams += 1
            for row in rows {
                state.subscribers[row.id.exact, default: [:]][state.streams] = Subscriber(key: row.key, stream: stream)
            }
            if let task = state.task, !task.isCancelled {
                // There was no notification for changes before this moment, so all keys are reported here.
                for row in rows { stream.yield(row.key) }
            } else {
                state.task = Task { await self.listen() }
            }
            return state.streams
        }
        stream.onTermination = { _ in self.forget(number, rows.map(\.id)) }
        return changes
    }

    private func forget(_ number: Int, _ ids: [String]) {
        state.withLock { state in
            for id in ids {
                state.subscribers[id.exact]?[number] = nil
                if state.subscribers[id.exact]?.isEmpty == true { state.subscribers[id.exact] = nil }
            }
            guard state.subscribers.isEmpty else { return }
            state.task?.cancel()
            state.task = nil
        }
    }

    private func listen() async {
        var known: PostgresSession?
        var pause = Duration.milliseconds(20)
        while !Task.isCancelled {
            do throws(PostgresError) {
                if known == nil { known = try makeSession() }
                guard let session = known else { return }
                // While there is a subscriber, a call waits on the connection, so that the end of the connection is noticed
                // immediately.
                let (isNew, heard) = try await session.run(within: .seconds(60)) { connection throws(PostgresError) in
                    if try connection.listen(to: PostgresStatement.channel) { return (true, [PostgresNotification]()) }
                    return (false, try connection.notifications(within: .seconds(50)))
                }
                if isNew { tellAll() } else { heard.forEach { tell($0.payload) } }
                pause = .milliseconds(20)
            } catch {
                try? await clock.sleep(for: pause)
                pause = min(pause * 2, .seconds(2))
            }
        }
    }

    private func makeSession() throws(PostgresError) -> PostgresSession {
        do {
            return try PostgresSession(address, clock: clock, executor: executor())
        } catch {
            throw error as? PostgresError ?? PostgresError(.disconnected, "No thread could be started: \(error).")
        }
    }

    private func tell(_ id: String) {
        let subscribers = state.withLock { $0.subscribers[id.exact].map { Array($0.values) } ?? [] }
        for subscriber in subscribers { subscriber.stream.yield(subscriber.key) }
    }

    private func tellAll() {
        let subscribers = state.withLock { state in state.subscribers.values.flatMap(\.values) }
        for subscriber in subscribers { subscriber.stream.yield(subscriber.key) }
    }
}
