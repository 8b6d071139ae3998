/// Work that is repeated many times to find rare failures: in small numbers by the tests, in large ones by `make torture`.
package struct Scenario: Sendable, CustomStringConvertible {
    /// The dotted name, which selects it on the command line.
    package let name: String
    /// The invariant, in one sentence.
    package let statement: String
    /// The counted events: kills, races, schedules.
    package let unit: String
    /// The count in every run of the tests, which takes seconds.
    package let short: Int
    /// The count of `make torture`.
    package let long: Int
    private let body: @Sendable (Int) async throws -> Tally

    /// Creates a scenario.
    ///
    /// `body` gets the count and returns its results.
    package init(
        _ name: String, _ statement: String, _ unit: String, short: Int, long: Int,
        body: @escaping @Sendable (Int) async throws -> Tally
    ) {
        self.name = name
        self.statement = statement
        self.unit = unit
        self.short = short
        self.long = long
        self.body = body
    }

    /// Runs the scenario this many times.
    ///
    /// - Returns: The counts; an error is one of its faults.
    package func run(_ count: Int) async -> Tally {
        do {
            return try await body(count)
        } catch {
            return Tally(faults: ["it ended by \(error)"])
        }
    }

    /// The name.
    package var description: String { name }
}
