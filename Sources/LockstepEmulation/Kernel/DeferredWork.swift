internal import LockstepSystem

/// Work that must not run inside a transaction: a password hash, the creation of a key, a request to another server.
///
/// A handler requests the result from its ``RequestContext``. If there is no result yet, the transaction is rolled back, the work
/// runs, and the handler runs again with the result. So handlers are synchronous, and no lock is held during the work.
///
/// Two equal values represent the same work, which runs once per request.
public protocol DeferredWork: Hashable, Sendable {
    /// The result, failures that a handler tells apart included. Not an optional.
    associatedtype Output: Sendable

    /// Does the work; what blocks or computes for long goes to the environment's workers.
    ///
    /// - Throws: what ends the request as an internal failure.
    func run(in environment: EmulationEnvironment) async throws -> Output
}

/// An error of ``RequestContext/result(of:)`` if the work has no result yet.
///
/// Handlers do not catch it.
public struct NeedsDeferredWork: Error {
    let work: any DeferredWork
}

/// Thrown if a handler asks for deferred work, and its endpoint does not declare that it repeats.
///
/// A mistake of this program: it ends the request as an internal failure, each time, so that the first test of the route finds it.
struct UndeclaredWork: Error {
    let work: String
}

/// Thrown if a handler has written, and its endpoint declares that it reads.
///
/// A mistake of this program, as ``UndeclaredWork`` is.
struct UndeclaredWrite: Error {}

extension OutgoingRequest: DeferredWork {
    /// Sends the request on its own thread, because the other server may be slow, or may call this one while the workers are
    /// busy.
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
    /// Waits for the value, and starts its creation if nobody has.
    public func run(in environment: EmulationEnvironment) async throws -> Value { try await value }

    /// Whether both are the same instance.
    public static func == (left: Prepared, right: Prepared) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What one request keeps from run to run of its handler.
struct RequestMemory: Sendable {
    /// Compares works of all types.
    private struct Key: Hashable, Sendable {
        let work: any DeferredWork

        static func == (left: Key, right: Key) -> Bool { AnyHashable(left.work) == AnyHashable(right.work) }
        func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(work)) }
    }

    private var results: [Key: any Sendable] = [:]
    /// The names of what has happened once in this request.
    private var marks: Set<String> = []
    var ids = StableIDs()

    mutating func perform(_ work: any DeferredWork, in environment: EmulationEnvironment) async throws {
        let output: any Sendable = try await work.run(in: environment)
        results[Key(work: work)] = output
    }

    func result<Work: DeferredWork>(of work: Work) throws -> Work.Output {
        guard let output = results[Key(work: work)] as? Work.Output else { throw NeedsDeferredWork(work: work) }
        return output
    }

    /// Whether this name is new in this request.
    mutating func mark(_ name: String) -> Bool { marks.insert(name).inserted }
}

/// The ids and codes that a request creates: every run of its handler gets the same ones, as another server may know them already.
///
/// No member calls a closure. What makes a value may ask the same request's memory for something else, such as a key; Swift ends the process if
/// that happens during a mutating call.
struct StableIDs: Sendable {
    private var series: [String: [String]] = [:]
    private var taken: [String: Int] = [:]
    private var named: [String: String] = [:]

    /// Every series starts with its first value again.
    mutating func rewind() { taken = [:] }

    /// Steps to the next value of a series.
    ///
    /// - Returns: The value; `nil` if no earlier run has made it.
    mutating func next(of name: String) -> String? {
        let index = taken[name, default: 0]
        taken[name] = index + 1
        guard let known = series[name], index < known.count else { return nil }
        return known[index]
    }

    /// Appends a value to a series.
    mutating func append(_ value: String, to name: String) { series[name, default: []].append(value) }

    /// The value of that name, made once.
    subscript(named name: String) -> String? {
        get { named[name] }
        set { named[name] = newValue }
    }
}
