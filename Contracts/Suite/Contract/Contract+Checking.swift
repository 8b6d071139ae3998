internal import LockstepPrimitives

/// The result of a run, and the broken contract that explains it.
public struct Judgement: Sendable {
    /// The result of the check.
    public let verdict: Verdict
    /// The broken contract that prevented the check of this contract, or `nil`.
    public let brokenGround: String?
}

extension Contract {
    /// Checks the contract in a new world.
    ///
    /// If the contract is broken, the contracts that it builds on are checked, too.
    ///
    /// - Parameters:
    ///   - setting: The subject of the run.
    ///   - limit: The maximum real time of the check. A check that takes longer breaks the contract.
    ///   - groundSetting: How the contracts that this one builds on are checked. Default: like this one.
    /// - Returns: The result.
    public func judge(
        in setting: Place.Setting, limit: Duration = .seconds(120), grounds groundSetting: Place.Setting? = nil
    ) async -> Judgement {
        let verdict = await verdict(in: setting, limit: limit)
        guard verdict.isBroken else { return Judgement(verdict: verdict, brokenGround: nil) }
        for ground in grounds where await ground.verdict(in: groundSetting ?? setting, limit: limit).isBroken {
            return Judgement(verdict: .notChecked("builds on \(ground.id), which is broken"), brokenGround: ground.id)
        }
        return Judgement(verdict: verdict, brokenGround: nil)
    }

    /// The contracts that this one builds on, directly or through others.
    package var grounds: [Contract] {
        var found: [Contract] = []
        var next = buildsOn
        while !next.isEmpty {
            let level = Place.contracts.filter { contract in
                next.contains(contract.id) && contract.id != id && !found.contains { $0.id == contract.id }
            }
            found += level
            next = level.flatMap(\.buildsOn)
        }
        return found
    }

    func verdict(in setting: Place.Setting, limit: Duration) async -> Verdict {
        let slot = Slot<Verdict>()
        let end = await Race.first(limit: limit) { () -> Verdict? in
            do {
                try await Place.open(setting, for: self) { world in
                    let verdict = await self.verdict(in: world)
                    slot.fill(verdict)
                    return verdict
                }
                return slot.value == nil ? .failed("the harness did not run the check") : nil
            } catch let error as EnvironmentError where slot.value == nil {
                return .notChecked(error.reason)
            } catch let error as NotApplicable where slot.value == nil {
                return .notApplicable(error.reason)
            } catch {
                let what = slot.value == nil ? "set up" : "removed"
                return .failed("the environment could not be \(what): \(error)")
            }
        }
        switch (slot.value, end) {
        // The fault of the subject is more important than the later failure of the environment.
        case (let verdict?, _) where verdict.isBroken: return verdict
        case (let verdict?, .some(nil)): return verdict
        case (_, let failure??): return failure
        case (_, nil), (nil, .some(nil)):
            return .broken([Finding(sentence: "the check did not end within \(limit)", site: site)])
        }
    }

    private func verdict(in world: Place) async -> Verdict {
        if let excuse = world.excuse(from: demands) { return excuse }
        var end = Verdict.kept
        do {
            try await body(world)
        } catch let error as EnvironmentError {
            end = .notChecked(error.reason)
        } catch let error as NotApplicable {
            end = .notApplicable(error.reason)
        } catch let error as HarnessFailure {
            end = .failed(error.reason)
        } catch is Unmet {
            if world.findings.all.isEmpty { end = .failed("the check ended early without a finding") }
        } catch {
            world.findings.add(Finding(sentence: "threw \(error)", site: site))
        }
        let failure = await world.close()
        if case .failed = end { return end }
        if let failure { return .failed(failure) }
        let findings = world.findings.all
        return findings.isEmpty ? end : .broken(findings)
    }
}

/// Ends a check that has already recorded its finding.
package struct Unmet: Error {
    package init() {}
}

/// Ends a check that turns out not to apply to its subject.
struct NotApplicable: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
