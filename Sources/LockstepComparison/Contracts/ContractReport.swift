@_exported public import LockstepContracts
package import LockstepPrimitives
internal import LockstepTestSupport

/// The results of the contract checks on several providers, in all variants of each provider.
package struct ContractReport: Sendable {
    /// A contract with its results.
    package struct Entry: Sendable {
        /// The contract.
        package let contract: Contract<World>
        /// The results of the contract.
        ///
        /// Each provider in ``ContractReport/providers`` has a list with one result for each of its variants.
        package let outcomes: [[Outcome]]
    }

    /// The names of the providers, in order.
    package let providers: [String]
    /// The display names of the providers, in the same order.
    package let titles: [String]
    /// For each provider in ``providers``, the contracts that its harness cannot check, with the reasons.
    package let cannotCheck: [[String: String]]
    /// The contracts, in the order of the catalog.
    package let entries: [Entry]

    /// Checks every contract in every variant of every harness.
    ///
    /// - Parameters:
    ///   - width: The number of checks that run at the same time.
    ///   - seed: The seed of a random order in which the checks run. The report keeps the order of the catalog.
    ///   - clock: The clock that measures the duration of each check.
    ///   - progress: A closure that is called after each check, with the number of completed checks and the
    ///     number of all checks.
    /// - Returns: The report.
    package static func run(
        _ contracts: [Contract<World>], on harnesses: [any Harness], width: Int = 8, seed: UInt64? = nil,
        clock: any DeviceClock = SystemClock(),
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async -> ContractReport {
        let jobs = contracts.indices.flatMap { row in
            harnesses.indices.flatMap { column in harnesses[column].variants.map { (row: row, column: column, variant: $0) } }
        }
        let order = jobs.indices.inOrder(of: seed)
        let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
            var next = 0
            func start() {
                guard next < jobs.count else { return }
                let (index, job) = (order[next], jobs[order[next]])
                next += 1
                group.addTask {
                    let start = clock.uptime
                    var outcome = await contracts[job.row].check(on: harnesses[job.column], job.variant)
                    outcome.duration = clock.uptime - start
                    return (index, outcome)
                }
            }
            for _ in 0..<width { start() }
            var found: [Int: Outcome] = [:]
            while let (index, outcome) = await group.next() {
                found[index] = outcome
                progress(found.count, jobs.count)
                start()
            }
            return found
        }
        var table = contracts.map { _ in harnesses.map { _ in [Outcome]() } }
        for (index, job) in jobs.enumerated() {
            if let outcome = outcomes[index] { table[job.row][job.column].append(outcome) }
        }
        // An invariant of every check has its own row, which is added if it was not asked for.
        var contracts = contracts
        for (index, job) in jobs.enumerated() {
            for other in outcomes[index]?.others ?? [] {
                if !contracts.contains(where: { $0.id == other.contract.id }) {
                    contracts.append(other.contract)
                    table.append(harnesses.map { _ in [] })
                }
                guard let row = contracts.firstIndex(where: { $0.id == other.contract.id }) else { continue }
                table[row][job.column].append(other)
            }
        }
        return ContractReport(
            providers: harnesses.map(\.name), titles: harnesses.map(\.title), cannotCheck: harnesses.map(\.cannotCheck),
            entries: zip(contracts, table).map { Entry(contract: $0, outcomes: $1) })
    }

    /// Whether a contract is broken.
    package var isBroken: Bool { entries.contains { $0.outcomes.joined().contains(where: \.isBroken) } }

    /// Whether a check failed to run, or was not run although the harness does not list it in `cannotCheck`.
    ///
    /// If so, the run fails.
    package var isIncomplete: Bool {
        entries.contains { entry in
            providers.indices.contains { column in
                entry.outcomes[column].contains { outcome in
                    switch outcome.verdict {
                    case .failed: true
                    case .notChecked: cannotCheck[column][entry.contract.id] == nil
                    case .kept, .broken, .notApplicable: false
                    }
                }
            }
        }
    }

    /// Whether every contract that applies is kept.
    ///
    /// Contracts that a harness lists in `cannotCheck` make no difference.
    package var isSuccess: Bool { !isBroken && !isIncomplete && !isEmpty }

    /// The reason why the first unchecked contract was not checked.
    package var firstExcuse: String {
        let verdicts = entries.flatMap { $0.outcomes.joined().map(\.verdict) }
        return verdicts.lazy.compactMap {
            switch $0 {
            case .notChecked(let reason), .failed(let reason): reason
            case .kept, .broken, .notApplicable: nil
            }
        }.first ?? "no contract applies"
    }

    /// Whether nothing was checked.
    ///
    /// If so, the run fails.
    package var isEmpty: Bool {
        !entries.contains { $0.outcomes.joined().contains { $0.isBroken || $0.verdict == .kept } }
    }
}

extension ContractReport.Entry {
    /// Returns the worst result of the contract on a provider, among all its variants.
    ///
    /// - Parameter column: The position of the provider in ``ContractReport/providers``.
    package func verdict(_ column: Int) -> Verdict {
        let verdicts = outcomes[column].map(\.verdict)
        if let broken = verdicts.first(where: { if case .broken = $0 { true } else { false } }) { return broken }
        if let failed = verdicts.first(where: { if case .failed = $0 { true } else { false } }) { return failed }
        if verdicts.contains(.kept) { return .kept }
        if let unchecked = verdicts.first(where: { if case .notChecked = $0 { true } else { false } }) { return unchecked }
        return verdicts.first ?? .notChecked("the harness has no variant")
    }

    /// Returns the statement of a provider's adapter about the subject of the contract.
    ///
    /// If the variants differ, the statement names the variant.
    ///
    /// - Parameter column: The position of the provider in ``ContractReport/providers``.
    /// - Returns: The statement; `nil` if the adapter makes no such statement.
    package func declared(_ column: Int) -> String? { declared(column) { $0 } }

    /// Returns the declared behavior of a provider in words.
    func declaredWords(_ column: Int) -> String? {
        let meaning = Meaning.of(statement: contract.demands.declared?.name ?? "")
        return declared(column) { meaning.words(for: $0) }
    }

    private func declared(_ column: Int, _ words: (String) -> String) -> String? {
        let values = outcomes[column].filter { if case .notApplicable = $0.verdict { false } else { true } }
        let pairs = values.compactMap { outcome in outcome.declared.map { (outcome.variant, words($0)) } }
        let different = Set(pairs.map(\.1))
        guard let only = different.first else { return nil }
        return different.count == 1 ? only : pairs.map { "\($0.1) (\($0.0))" }.joined(separator: ", ")
    }
}

extension Outcome {
    var isBroken: Bool { if case .broken = verdict { true } else { false } }

    var isFailed: Bool { if case .failed = verdict { true } else { false } }
}

extension Collection {
    /// Returns the elements in a random order from the seed, the same on every machine; unchanged without a seed.
    fileprivate func inOrder(of seed: UInt64?) -> [Element] {
        guard let seed else { return Array(self) }
        let randomness = SeededRandomness(seed: seed)
        let lots = indices.map { _ in randomness.bytes(8) }
        return zip(self, lots).sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }
}
