extension Scenario {
    /// All scenarios: `make torture` runs them at their long counts, the tests at their short ones.
    package static let all: [Scenario] = stores + moves + sessions + fuzzing + migrations
}
