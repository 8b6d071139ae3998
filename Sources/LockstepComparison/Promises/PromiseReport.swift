@_exported public import LockstepContracts
internal import LockstepPrimitives
internal import LockstepTestSupport

/// The contract suite on several providers, in all their configurations: what was kept, and what not.
public struct PromiseReport: Sendable {
    /// One promise.
    public struct Entry: Sendable {
        /// The promise.
        public let contract: Contract
        /// What came out, by provider in the order of ``PromiseReport/providers``, one for each configuration.
        public let outcomes: [[Outcome]]
    }

    /// The providers' names, in order.
    public let providers: [String]
    /// What the harnesses say that they cannot check, by promise, with the reasons; in the order of ``providers``.
    public let cannotCheck: [[Contract.ID: String]]
    /// The promises, in the order of the catalogue.
    public let entries: [Entry]

    /// Checks every contract on every configuration of every harness.
    ///
    /// - Parameters:
    ///   - contracts: which promises.
    ///   - harnesses: on what.
    ///   - width: how many checks run at the same time.
    ///   - seed: checks them in a random order, which the seed decides; the report has them in the catalogue's all the same.
    ///   - progress: is called after each check with the number of checks done, and of all.
    public static func run(
        _ contracts: [Contract], on harnesses: [any Harness], width: Int = 8, seed: UInt64? = nil,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async -> PromiseReport {
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
                group.addTask { (index, await contracts[job.row].check(on: harnesses[job.column], job.variant)) }
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
        // What is looked at in every check stands under its own promise, which is added where it was not asked for.
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
        return PromiseReport(
            providers: harnesses.map(\.name), cannotCheck: harnesses.map(\.cannotCheck),
            entries: zip(contracts, table).map { Entry(contract: $0, outcomes: $1) })
    }

    /// Whether a promise is broken anywhere.
    public var isBroken: Bool { entries.contains { $0.outcomes.joined().contains(where: \.isBroken) } }

    /// Whether a check could not run, or was left out though its harness does not list it: such a run is no success.
    public var isIncomplete: Bool {
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

    /// Whether every promise that applies was checked and kept, but for those that a harness lists as not to be checked.
    public var isSuccess: Bool { !isBroken && !isIncomplete && !isEmpty }

    /// Why the first promise that was not checked was not.
    public var firstExcuse: String {
        let verdicts = entries.flatMap { $0.outcomes.joined().map(\.verdict) }
        return verdicts.lazy.compactMap {
            switch $0 {
            case .notChecked(let reason), .failed(let reason): reason
            case .kept, .broken, .notApplicable: nil
            }
        }.first ?? "none applies"
    }

    /// Whether nothing was checked at all: such a run has failed.
    public var isEmpty: Bool {
        !entries.contains { $0.outcomes.joined().contains { $0.isBroken || $0.verdict == .kept } }
    }
}

extension PromiseReport.Entry {
    /// What came out on one provider, over all its configurations: the worst that says something.
    public func verdict(_ column: Int) -> Verdict {
        let verdicts = outcomes[column].map(\.verdict)
        if let broken = verdicts.first(where: { if case .broken = $0 { true } else { false } }) { return broken }
        if let failed = verdicts.first(where: { if case .failed = $0 { true } else { false } }) { return failed }
        if verdicts.contains(.kept) { return .kept }
        if let unchecked = verdicts.first(where: { if case .notChecked = $0 { true } else { false } }) { return unchecked }
        return verdicts.first ?? .notChecked("the harness has no configuration")
    }

    /// The declared behavior of one provider, by configuration where they differ.
    public func declared(_ column: Int) -> String? {
        let values = outcomes[column].filter { if case .notApplicable = $0.verdict { false } else { true } }
        let pairs = values.compactMap { outcome in outcome.declared.map { (outcome.variant, $0) } }
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
    /// The elements in a random order that the seed decides, the same on every machine; in their own where there is none.
    fileprivate func inOrder(of seed: UInt64?) -> [Element] {
        guard let seed else { return Array(self) }
        let randomness = SeededRandomness(seed: seed)
        let lots = indices.map { _ in randomness.bytes(8) }
        return zip(self, lots).sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }
}
