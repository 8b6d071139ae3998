import LockstepMigration
import LockstepPrimitives

extension VerifyReport {
    /// The report for a person.
    func text(_ names: UserNames) -> String {
        var lines = ["\(verified) users on the target match what the run wrote"]
        if differingCount > 0 { lines.append("\(differingCount) users differ") }
        for user in differing {
            let note =
                user.values.isEmpty
                ? "gone from the source"
                : user.isSourceChanged ? "changed on the source after apply; run lockstep migrate follow" : ""
            lines.append("  \(names[user.sourceID])  \(note)")
            lines += user.values.map { "      \($0.text(names))" }
        }
        if missingCount > 0 { lines.append("\(missingCount) users are missing on the target") }
        lines += missing.map { "  \(names[$0])" }
        if open > 0 { lines.append("\(open) users have not been created yet") }
        if others > 0 { lines.append("\(others) users on the target are not from this run") }
        if !notCompared.isEmpty {
            lines.append("not comparable, because the target does not return it: \(notCompared.joined(separator: ", "))")
        }
        lines += hashes.map(\.text)
        if let canaries {
            lines += canaries.checks.map(\.text)
            lines += canaries.unproven.sorted { $0.key < $1.key }.map { "not verified: \($0.key.visible): \($0.value)" }
        } else if !hashes.isEmpty {
            lines.append("no sign-in was tried. Add --canaries to try sign-ins with temporary users")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report for a program.
    func json(_ names: UserNames) -> JSONObject {
        var json: JSONObject = [
            "verified": .int(Int64(verified)), "differing": .int(Int64(differingCount)), "missing": .int(Int64(missingCount)),
            "open": .int(Int64(open)), "others": .int(Int64(others)),
            "differences": .array(
                differing.map { user in
                    var members = names.members(user.sourceID)
                    members["target"] = .string(user.targetID)
                    members["sourceChanged"] = .bool(user.isSourceChanged)
                    members["values"] = .array(user.values.map { $0.json(names) })
                    return .object(members)
                }),
            "missingUsers": .array(missing.map { .object(names.members($0)) }),
            "notCompared": .array(notCompared.map(JSON.string)), "hashes": .array(hashes.map(\.json)),
        ]
        json["canaries"] = canaries?.json ?? .null
        return json
    }
}

extension VerifyReport.Value {
    private func isShown(_ names: UserNames) -> Bool { !isSecret && (!isAddress || names.showsAddresses) }

    fileprivate func text(_ names: UserNames) -> String {
        guard isShown(names) else {
            return isSecret ? "\(name): differs" : "\(name): differs (add --show-addresses to see the values)"
        }
        return "\(name): source \(Self.quoted(source)), target \(Self.quoted(target))"
    }

    private static func quoted(_ value: String?) -> String { value.map { "\"\($0.visible)\"" } ?? "none" }

    fileprivate func json(_ names: UserNames) -> JSON {
        guard isShown(names) else { return ["name": .string(name), "hidden": true] }
        return [
            "name": .string(name), "source": source.map(JSON.string) ?? .null, "target": target.map(JSON.string) ?? .null,
        ]
    }
}

extension VerifyReport.HashEvidence {
    fileprivate var text: String {
        let evidence = [
            isReadBack ? "read back and compared" : nil,
            isProven.map { $0 ? "a temporary user signed in" : "NOT working: a temporary user could not sign in" },
        ].compactMap(\.self)
        return "\(users) users with a hash of type \(kind.visible): "
            + (evidence.isEmpty ? "not verified, because the target does not return hashes" : evidence.joined(separator: ", "))
    }

    fileprivate var json: JSON {
        [
            "kind": .string(kind), "users": .int(Int64(users)), "readBack": .bool(isReadBack),
            "proven": isProven.map(JSON.bool) ?? .null,
        ]
    }
}

extension CanaryReport {
    fileprivate var json: JSON {
        [
            "checks": .array(
                checks.map {
                    [
                        "claim": .string($0.claim), "hash": $0.hashKind.map(JSON.string) ?? .null, "tried": .bool($0.isTried),
                        "failure": $0.reason.map(JSON.string) ?? .null,
                    ]
                }),
            "unproven": .object(JSONObject(unproven.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        ]
    }
}

extension CanaryReport.Check {
    fileprivate var isTried: Bool { if case .notTried = result { false } else { true } }

    fileprivate var reason: String? {
        switch result {
        case .holds: nil
        case .fails(let reason), .notTried(let reason): reason
        }
    }

    fileprivate var text: String {
        guard let reason else { return "ok    \(claim.visible)" }
        return "\(isTried ? "FAIL" : "NOT TRIED")  \(claim.visible): \(reason.visible)"
    }
}
