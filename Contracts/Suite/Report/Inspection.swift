/// A run of promises on a harness, for callers without a test runner.
public struct Inspection: Sendable {
    /// The harness.
    public let harness: any Harness
    /// The configurations to run on.
    public let variants: [Variant]
    /// The promises to check.
    public let contracts: [Contract]

    /// A run; what is left out means all.
    public init(of harness: any Harness, variants: [Variant]? = nil, contracts: [Contract] = Catalog.all) {
        self.harness = harness
        self.variants = variants ?? harness.variants
        self.contracts = contracts
    }

    /// The outcomes in the order of promises and variants, `width` of them found at a time; those of promises that are looked at in
    /// every check follow the check in which they were found broken.
    ///
    /// - Parameters:
    ///   - mutation: stand-ins for parts of the world, to see which promises notice.
    ///   - progress: called with each outcome as it comes, in any order.
    public func outcomes(width: Int = 8, mutation: Mutation = .none, progress: @Sendable (Outcome) -> Void = { _ in }) async
        -> [Outcome]
    {
        let jobs = contracts.flatMap { contract in variants.map { (contract, $0) } }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            var found: [Int: Outcome] = [:]
            func start(_ place: Int) {
                guard place < jobs.count else { return }
                let (contract, variant) = jobs[place]
                group.addTask { (place, await contract.check(on: harness, variant, mutation: mutation)) }
            }
            var next = min(max(width, 1), jobs.count)
            for place in 0..<next { start(place) }
            while let (place, outcome) = await group.next() {
                found[place] = outcome
                progress(outcome)
                start(next)
                next += 1
            }
            return jobs.indices.compactMap { found[$0] }.flatMap { [$0] + $0.others }
        }
    }
}

extension Sequence<Outcome> {
    /// Whether something was checked, nothing is broken and no check failed: a run that checks nothing is no success.
    public var isGood: Bool {
        var hasKept = false
        for outcome in self {
            switch outcome.verdict {
            case .broken, .failed: return false
            case .kept: hasKept = true
            case .notApplicable, .notChecked: break
            }
        }
        return hasKept
    }
}
