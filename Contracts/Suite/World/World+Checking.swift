internal import Lockstep
internal import LockstepPrimitives

/// What a contract of adapters needs of the adapter and of its harness.
public struct AdapterDemands: Sendable {
    /// The adapters that the contract applies to.
    public var appliesTo: Applicability
    /// The condition under which the contract applies; `nil` if it applies to every configuration of the backend.
    public var condition: Condition?
    /// The controls of the environment that the check needs.
    public var needs: Set<Need>
    /// The adapter's statement that the contract checks; `nil` if all providers must behave in the same way.
    public var declared: Declaration?
    /// The invariants that are not checked during this contract, each with the reason.
    public var unwatched: [Invariant: String]
}

extension Contract<World> {
    /// Creates a contract of adapters.
    ///
    /// - Parameters:
    ///   - id: The id, with dots between its parts.
    ///   - statement: One sentence that says what every member of the family must do.
    ///   - appliesTo: The adapters to which the contract applies. Default: every adapter.
    ///   - condition: The condition under which the contract applies. Default: none.
    ///   - needs: The controls of the environment that the check needs. Default: none.
    ///   - buildsOn: The ids of the contracts that must be kept before this contract can be checked.
    ///   - declared: The adapter's statement that the contract checks; `nil` if all providers must behave in the same way.
    ///   - unwatched: The invariants that are not checked during this contract, each with the reason.
    ///   - fileID: The module and the name of the source file.
    ///   - filePath: The path of the source file.
    ///   - line: The line in the source file.
    ///   - body: The code that checks the contract. It gets its clients from the world.
    public init(
        _ id: String, _ statement: String, appliesTo: Applicability = .every, when condition: Condition? = nil,
        needs: Set<Need> = [], buildsOn: [String] = [], declares declared: Declaration? = nil,
        unwatched: [Invariant: String] = [:], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column, body: @escaping @Sendable (World) async throws -> Void
    ) {
        self.init(
            id, statement,
            demands: AdapterDemands(
                appliesTo: appliesTo, condition: condition, needs: needs, declared: declared, unwatched: unwatched),
            buildsOn: buildsOn, fileID: fileID, filePath: filePath, line: line, column: column, body: body)
    }

    /// Checks the contract in a new environment.
    ///
    /// If the check fails, the contracts that this one builds on are checked, too. If one of them is broken, the result is
    /// "not checked".
    ///
    /// - Parameters:
    ///   - harness: The harness, which sets up the environment.
    ///   - variant: The configuration of the backend.
    ///   - mutation: A fault that the check should find. Default: none.
    ///   - limit: The maximum real time of the check. A check that takes longer breaks the contract.
    public func check(
        on harness: any Harness, _ variant: Variant, mutation: Mutation = .none, limit: Duration = .seconds(120)
    ) async -> Outcome {
        let setting = World.Setting(harness: harness, variant: variant, mutation: mutation)
        let judgement = await judge(
            in: setting, limit: limit, grounds: World.Setting(harness: harness, variant: variant, mutation: mutation))
        let isNotChecked = if case .notChecked = judgement.verdict { true } else { false }
        var outcome = Outcome(
            contract: self, harness: harness.name, variant: variant.name, verdict: judgement.verdict,
            declared: demands.declared?.value(in: variant.behavior),
            transcript: isNotChecked ? nil : setting.report.transcript.value ?? nil, brokenGround: judgement.brokenGround)
        for (always, findings) in setting.report.watched.value ?? [:] where always.id != id {
            guard let contract = Catalog[always.id] else { continue }
            let seen = findings.map { Finding(sentence: "\($0.sentence), during the check of \(id)", site: $0.site) }
            outcome.others.append(
                Outcome(
                    contract: contract, harness: harness.name, variant: variant.name, verdict: .broken(seen), declared: nil,
                    transcript: nil, brokenGround: nil))
        }
        return outcome
    }

    /// Runs the check once, without the contracts that it builds on, and returns the conditions that it has stated.
    ///
    /// The audit uses the result to find conditions that no fault makes false.
    package func expectations(
        on harness: any Harness, _ variant: Variant, mutation: Mutation = .none, limit: Duration = .seconds(30)
    ) async -> Expectations {
        let setting = World.Setting(harness: harness, variant: variant, mutation: mutation)
        _ = await verdict(in: setting, limit: limit)
        return setting.report.stated.value ?? Expectations()
    }
}

extension World: ContractWorld {
    /// The adapter of one run: on a harness, in a variant, with a fault.
    public struct Setting: Sendable {
        let harness: any Harness
        let variant: Variant
        let mutation: LockstepContracts.Mutation
        let report = RunReport()
    }

    /// What a run leaves besides its verdict.
    final class RunReport: Sendable {
        let watched = Slot<[Invariant: [Finding]]>()
        let stated = Slot<Expectations>()
        let transcript = Slot<String?>()
    }

    /// A fault in the client, the adapter or the store.
    public typealias Mutation = LockstepContracts.Mutation

    /// The contracts of adapters.
    public static var contracts: [Contract<World>] { Catalog.all }

    /// Sets up the environment of one run.
    ///
    /// - Parameters:
    ///   - setting: The adapter of the run.
    ///   - judge: Checks the contract.
    /// - Throws: An error of the harness.
    public static func open(
        _ setting: Setting, for contract: Contract<World>, judging judge: @Sendable (World) async -> Verdict
    ) async throws {
        if let condition = contract.demands.condition, !condition.holds(for: setting.variant.behavior) {
            throw NotApplicable("applies only if \(condition.sentence)")
        }
        try await setting.harness.withEnvironment(setting.variant) { environment in
            let world = World(
                environment: environment, variant: setting.variant, mutation: setting.mutation, contract: contract)
            let verdict = await judge(world)
            setting.report.watched.fill(world.watch.findings)
            setting.report.stated.fill(world.expectations)
            // A mutation breaks the contract on purpose. A transcript is then useless, and masking it is slow.
            if verdict.isBroken, setting.mutation.isNothing { setting.report.transcript.fill(environment.trace?.transcript) }
        }
    }

    /// Returns why the contract does not apply to this adapter, or cannot be checked here.
    ///
    /// - Parameter demands: What the contract needs.
    /// - Returns: The result of the run; `nil` if the contract can be checked.
    public func excuse(from demands: AdapterDemands) -> Verdict? {
        if let excuse = demands.appliesTo.excuse(for: claims) { return .notApplicable(excuse) }
        let missing = demands.needs.filter { !$0.isMet(by: environment) }.sorted()
        return missing.isEmpty ? nil : .notChecked("the harness has no \(missing.map(\.rawValue).joined(separator: ", "))")
    }

    /// Runs the checks that need the whole run.
    ///
    /// - Returns: The reason why the run has failed, or `nil`.
    public func close() async -> String? {
        await lookBack()
        for finding in invariant.flatMap({ watch.findings[$0] }) ?? [] { findings.add(finding) }
        return watch.failure
    }

    /// The invariant whose contract is checked in this world, if it is one.
    private var invariant: Invariant? { Invariant.allCases.first { $0.id == contract } }

    private var expectations: Expectations {
        var all = Expectations(
            reached: Set(statements.map { Statement(site.fileID, $0) }),
            broken: Set(findings.all.map { Statement(site.fileID, $0.site.line) }))
        if let invariant {
            let watched = watch.statements(of: invariant)
            all.reached.formUnion(watched.reached)
            all.broken.formUnion(watched.broken)
        }
        return all
    }
}

/// The result of a check, with the contract, the harness and the variant.
public struct Outcome: Sendable {
    /// The contract that was checked.
    public let contract: Contract<World>
    /// The name of the harness.
    public let harness: String
    /// The name of the variant.
    public let variant: String
    /// The result of the check.
    public let verdict: Verdict
    /// The statement of the adapter, if the contract checks a statement; otherwise `nil`.
    public let declared: String?
    /// The sent requests, without secrets; `nil` if the contract is kept or a mutation was applied.
    public let transcript: String?
    /// The broken contract that prevented the check of this contract, or `nil`.
    public let brokenGround: String?
    /// The duration of the check; `nil` if the duration was not measured.
    public var duration: Duration?
    /// The results of the invariants that were broken during this check.
    public internal(set) var others: [Outcome] = []
}
