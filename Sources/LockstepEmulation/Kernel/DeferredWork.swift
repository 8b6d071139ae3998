internal import LockstepSystem

/// Work that must not run inside a transaction, such as a password hash or a request to another server.
///
/// A handler asks its ``RequestContext`` for the result of the work. If the work has not run yet, the transaction is rolled
/// back and the work runs. Then the handler starts again with the result. So a handler never waits, and no lock is held during
/// the work.
///
/// Two equal values describe the same work, which runs once per request.
public protocol DeferredWork: Hashable, Sendable {
    /// The type of the result.
    ///
    /// It includes the failures that a handler must distinguish. It must not be an optional.
    associatedtype Output: Sendable

    /// Does the work.
    ///
    /// Run blocking or long work on the workers of the environment.
    ///
    /// - Parameter environment: The environment of the emulator.
    /// - Returns: The result of the work.
    /// - Throws: An error that ends the request as an internal failure.
    func run(in environment: EmulationEnvironment) async throws -> Output
}

/// The error that ``RequestContext/result(of:)`` throws if the work has not run yet.
///
/// A handler must not catch this error.
public struct NeedsDeferredWork: Error {
    let work: any DeferredWork
}

/// The error if a handler asks for deferred work although its endpoint does not allow a second run.
///
/// It is a mistake of this program. Each such request ends as an internal failure, so that the first test of the route finds it.
struct UndeclaredWork: Error {
    let work: String
}

/// The error if a handler has written although its endpoint only allows reading.
///
/// It is a mistake of this program, like ``UndeclaredWork``.
struct UndeclaredWrite: Error {}

extension OutgoingRequest: DeferredWork {
    /// Sends the request on a separate thread.
    ///
    /// The other server may be slow. The other server may also send a request to this server while all workers are busy.
    ///
    /// - Parameter environment: The environment of the emulator.
    /// - Returns: The response, or the reason why no response arrived.
    /// - Throws: The system's error if it cannot start the thread.
    public func run(in environment: EmulationEnvironment) async throws -> Result<OutgoingResponse, OutgoingError> {
        let result = try await BlockingThread.run { Result { () throws(OutgoingError) in try LoopbackClient.send(self) } }
        if let event { _ = environment.deliveries.add(self, event, result.map(\.status), at: environment.now) }
        return result
    }

    /// Sends a call about an event, and returns it with its outcome.
    func deliver(_ event: String, in environment: EmulationEnvironment) async throws -> Delivery {
        let result = try await BlockingThread.run { Result { () throws(OutgoingError) in try LoopbackClient.send(self) } }
        return environment.deliveries.add(self, event, result.map(\.status), at: environment.now)
    }
}

extension Prepared: DeferredWork {
    /// Waits until the value exists.
    ///
    /// If the value is not being made yet, this call starts the work.
    ///
    /// - Parameter environment: The environment of the emulator.
    /// - Throws: The error with which the work failed.
    public func run(in environment: EmulationEnvironment) async throws -> Value { try await value }

    /// Returns whether two values are the same instance.
    ///
    /// - Parameters:
    ///   - left: The first instance.
    ///   - right: The second instance.
    public static func == (left: Prepared, right: Prepared) -> Bool { left === right }

    /// Adds the identity of the instance to a hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The data that a request keeps from one run of its handler to the next.
struct RequestMemory: Sendable {
    /// A key for works of any type, which can be compared.
    private struct Key: Hashable, Sendable {
        let work: any DeferredWork

        static func == (left: Key, right: Key) -> Bool { AnyHashable(left.work) == AnyHashable(right.work) }
        func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(work)) }
    }

    private var results: [Key: any Sendable] = [:]
    /// The names of events that have already happened once in this request.
    private var marks: Set<ExactString> = []
    var ids = StableIDs()

    mutating func perform(_ work: any DeferredWork, in environment: EmulationEnvironment) async throws {
        let output: any Sendable = try await work.run(in: environment)
        results[Key(work: work)] = output
    }

    func result<Work: DeferredWork>(of work: Work) throws -> Work.Output {
        guard let output = results[Key(work: work)] as? Work.Output else { throw NeedsDeferredWork(work: work) }
        return output
    }

    /// Returns whether a name is new in this request.
    mutating func mark(_ name: String) -> Bool { marks.insert(name.exact).inserted }
}

/// The ids and codes that a request creates.
///
/// Each run of its handler gets the same values, because another server may already know them.
///
/// No member calls a closure. A closure that makes a value may ask the memory of the same request for something else, such as a
/// key. If a mutating call were running at that time, Swift would end the process.
struct StableIDs: Sendable {
    private var series: [ExactString: [String]] = [:]
    private var taken: [ExactString: Int] = [:]
    private var named: [ExactString: String] = [:]

    /// Makes every series start again with its first value.
    mutating func rewind() { taken = [:] }

    /// Moves to the next value of a series.
    ///
    /// - Returns: The value; `nil` if no earlier run has made it.
    mutating func next(of name: String) -> String? {
        let index = taken[name.exact, default: 0]
        taken[name.exact] = index + 1
        guard let known = series[name.exact], index < known.count else { return nil }
        return known[index]
    }

    /// Adds a value to a series.
    mutating func append(_ value: String, to name: String) { series[name.exact, default: []].append(value) }

    /// The value with this name, which is made once.
    subscript(named name: String) -> String? {
        get { named[name.exact] }
        set { named[name.exact] = newValue }
    }
}
