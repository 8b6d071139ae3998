internal import Lockstep
internal import LockstepPrimitives

extension Contract {
    /// Checks the contract in a new environment.
    ///
    /// If the check fails, this function also checks the contracts that this contract builds on. If one of those contracts is
    /// broken, the result of this contract is "not checked".
    ///
    /// - Parameters:
    ///   - harness: The harness, which sets up the environment.
    ///   - variant: The configuration of the backend.
    ///   - mutation: A fault that the check should find. Default: none.
    ///   - limit: The maximum real time of the check. A check that takes longer breaks the contract.
    /// - Returns: The result, with the contract, the harness and the variant.
    public func check(
        on harness: any Harness, _ variant: Variant, mutation: Mutation = .none, limit: Duration = .seconds(120)
    ) async -> Outcome {
        let declared = declared?.value(in: variant.behavior)
        let watched = Slot<[Invariant: [Finding]]>()
        var (verdict, transcript) = await verdict(on: harness, variant, mutation, limit, watched)
        var ground: Contract.ID?
        if case .broken = verdict { ground = await brokenGround(on: harness, variant, mutation, limit) }
        if let ground { verdict = .notChecked("builds on \(ground), which is broken") }
        if case .notChecked = verdict { transcript = nil }
        var outcome = Outcome(
            contract: self, harness: harness.name, variant: variant.name, verdict: verdict, declared: declared,
            transcript: transcript, brokenGround: ground)
        for (always, findings) in watched.value ?? [:] where always.id != id {
            guard let contract = Catalog[always.id] else { continue }
            let seen = findings.map { Finding(sentence: "\($0.sentence), during the check of \(id)", line: $0.line) }
            outcome.others.append(
                Outcome(
                    contract: contract, harness: harness.name, variant: variant.name, verdict: .broken(seen), declared: nil,
                    transcript: nil, brokenGround: nil))
        }
        return outcome
    }

    private func brokenGround(on harness: any Harness, _ variant: Variant, _ mutation: Mutation, _ limit: Duration) async
        -> String?
    {
        for ground in grounds {
            if case .broken = await ground.verdict(on: harness, variant, mutation, limit, Slot()).0 { return ground.id }
        }
        return nil
    }

    /// The contracts that this contract builds on, directly or indirectly.
    ///
    /// Each contract appears once. The nearest contracts come first.
    package var grounds: [Contract] {
        var found: [Contract] = []
        var next = buildsOn
        while !next.isEmpty {
            let level = next.filter { id in id != self.id && !found.contains { $0.id == id } }.compactMap { Catalog[$0] }
            for contract in level where !found.contains(where: { $0.id == contract.id }) { found.append(contract) }
            next = level.flatMap(\.buildsOn)
        }
        return found
    }

    private func verdict(
        on harness: any Harness, _ variant: Variant, _ mutation: Mutation, _ limit: Duration,
        _ watched: Slot<[Invariant: [Finding]]>
    ) async -> (Verdict, String?) {
        if let condition, !condition.holds(variant.behavior) {
            return (.notApplicable("applies only if \(condition.sentence)"), nil)
        }
        let run = ContractRun(contract: self, variant: variant, mutation: mutation, watched: watched)
        let outcome = await Race.first(limit: limit) { await run.onEnvironment(of: harness) }
        guard let outcome else {
            return (.broken([Finding(sentence: "the check did not end within \(limit)", line: site.line)]), nil)
        }
        return outcome
    }
}

/// One run of one contract.
struct ContractRun: Sendable {
    let contract: Contract
    let variant: Variant
    let mutation: Mutation
    let watched: Slot<[Invariant: [Finding]]>
    let stated = Slot<Expectations>()

    func onEnvironment(of harness: any Harness) async -> (Verdict, String?) {
        let slot = Slot<(Verdict, String?)>()
        do {
            try await harness.withEnvironment(variant) { environment in
                let world = World(environment: environment, variant: variant, mutation: mutation, contract: contract)
                let verdict = await check(in: world)
                // A mutation breaks the contract on purpose. A transcript is then useless, and masking it is slow.
                if case .broken = verdict, mutation.isNothing {
                    slot.fill((verdict, environment.trace?.transcript))
                } else {
                    slot.fill((verdict, nil))
                }
            }
        } catch {
            switch slot.value?.0 {
            case nil: return (.failed("the environment could not be set up: \(error)"), nil)
            // The fault of the adapter is more important than the later failure of the environment.
            case .broken: break
            default: return (.failed("the environment could not be removed: \(error)"), nil)
            }
        }
        return slot.value ?? (.failed("the harness did not run the check"), nil)
    }

    private func check(in world: World) async -> Verdict {
        if let excuse = contract.appliesTo.excuse(for: world.claims) { return .notApplicable(excuse) }
        let missing = contract.needs.filter { !$0.isMet(by: world.environment) }.sorted()
        guard missing.isEmpty else {
            return .notChecked("the harness has no \(missing.map(\.rawValue).joined(separator: ", "))")
        }
        let end = await end(in: world)
        await world.lookBack()
        watched.fill(world.watch.findings)
        let own = Invariant.allCases.first { $0.id == contract.id }
        stated.fill(expectations(of: own, in: world))
        if case .failed = end { return end }
        if let failure = world.watch.failure { return .failed(failure) }
        let findings = world.findings + (own.flatMap { world.watch.findings[$0] } ?? [])
        return findings.isEmpty ? end : .broken(findings)
    }

    /// Returns the result of the check's own code, without its findings.
    private func end(in world: World) async -> Verdict {
        do {
            try await contract.body(world)
            return .kept
        } catch let error as EnvironmentError {
            return .notChecked(error.reason)
        } catch let error as NotApplicable {
            return .notApplicable(error.reason)
        } catch let error as HarnessFailure {
            return .failed(error.reason)
        } catch is Unmet {
            return world.findings.isEmpty ? .failed("the check ended early without a finding") : .kept
        } catch {
            world.found("threw \(error)", line: contract.site.line)
            return .kept
        }
    }

    private func expectations(of always: Invariant?, in world: World) -> Expectations {
        func statement(_ line: Int) -> Statement { Statement(contract.site.fileID, line) }
        var all = Expectations(
            reached: Set(world.statements.map(statement)), broken: Set(world.findings.map { statement($0.line) }))
        if let always {
            let watched = world.watch.statements(of: always)
            all.reached.formUnion(watched.reached)
            all.broken.formUnion(watched.broken)
        }
        return all
    }
}

/// The error that ends a check after a finding.
package struct Unmet: Error {
    package init() {}
}

/// The error that a check throws if the contract does not apply.
struct NotApplicable: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
