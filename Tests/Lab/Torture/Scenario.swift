/// Work that is repeated many times to see whether it ever goes wrong: in small numbers by the tests, in large ones by
/// `make torture`.
public struct Scenario: Sendable, CustomStringConvertible {
    /// The dotted name, by which it can be asked for.
    public let name: String
    /// What never happens, or always, in one sentence.
    public let promise: String
    /// What is counted: kills, races, schedules.
    public let unit: String
    /// How many in every run of the tests: a matter of seconds.
    public let short: Int
    /// How many by `make torture`.
    public let long: Int
    private let body: @Sendable (Int) async throws -> Tally

    /// A scenario; `body` gets the count and gives what it has seen.
    public init(
        _ name: String, _ promise: String, _ unit: String, short: Int, long: Int,
        body: @escaping @Sendable (Int) async throws -> Tally
    ) {
        self.name = name
        self.promise = promise
        self.unit = unit
        self.short = short
        self.long = long
        self.body = body
    }

    /// Does it so many times.
    ///
    /// - Returns: what was counted; an error is a fault of it.
    public func run(_ count: Int) async -> Tally {
        do {
            return try await body(count)
        } catch {
            return Tally(faults: ["it ended by \(error)"])
        }
    }

    /// The name.
    public var description: String { name }
}
