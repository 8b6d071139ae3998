extension Scenario {
    /// Scenarios for moves of users.
    static let migrations: [Scenario] = MigrationKills.Road.all.flatMap { road in
        [
            Scenario(
                "migration.\(road).kills",
                "A process that is killed at any time while it applies, follows or undoes a move loses nobody and makes nobody twice.",
                "kills", short: 6, long: 1000
            ) { try await MigrationKills(road: road, moments: .any).run($0) },
            Scenario(
                "migration.\(road).writes",
                "A process that ends just before or just after any write of its journal, with and without a lost answer, loses nobody and makes nobody twice.",
                "kills", short: 4, long: 240
            ) { try await MigrationKills(road: road, moments: .writes).run($0) },
        ]
    }
}
