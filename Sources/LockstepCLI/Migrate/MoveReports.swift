import LockstepMigration
import LockstepPrimitives

extension [UserState: Int] {
    /// A line for each state that has users.
    var lines: String {
        UserState.allCases.filter { self[$0] ?? 0 > 0 }
            .map { state in
                let number = "\(self[state] ?? 0)"
                return String(repeating: " ", count: Swift.max(12 - number.count, 1)) + number + "  " + state.rawValue + "\n"
            }
            .joined()
    }

    /// The numbers by the names of the states.
    var json: JSONObject {
        JSONObject(UserState.allCases.compactMap { state in self[state].map { (state.rawValue, .int(Int64($0))) } })
    }
}

extension [JournalUser] {
    /// A line for each user, by the id at the source.
    var lines: String {
        isEmpty
            ? ""
            : "users aside\n"
                + map { user in
                    let reason = user.reason.map { UserReason(rawValue: $0)?.sentence ?? $0 } ?? user.removal?.rawValue ?? ""
                    return "  \(user.sourceID.visible)  \(user.state.rawValue)  \(reason.visible)\n"
                }
                .joined()
    }

    /// The users with their ids, states and reasons.
    var json: JSON {
        .array(
            map { user in
                [
                    "source": .string(user.sourceID), "target": .string(user.targetID), "state": .string(user.state.rawValue),
                    "reason": (user.reason ?? user.removal?.rawValue).map(JSON.string) ?? .null,
                ]
            })
    }
}

extension ApplyReport {
    var text: String {
        var text = states.lines
        if failures > 0 { text += "\(failures) users of the plan were rejected. See lockstep migrate status\n" }
        if unplanned > 0 { text += "\(unplanned) users are new at the source since the plan: plan again for them\n" }
        return text
    }

    var json: JSONObject {
        ["states": .object(states.json), "failures": .int(Int64(failures)), "unplanned": .int(Int64(unplanned))]
    }
}

extension VerifyReport {
    var text: String {
        var lines = ["\(verified) users are at the target as the run wrote them"]
        if differingCount > 0 { lines.append("\(differingCount) users differ") }
        lines += differing.map {
            "  \($0.targetID)  \($0.fields.isEmpty ? "gone from the source" : $0.fields.joined(separator: ", "))"
        }
        if missingCount > 0 { lines.append("\(missingCount) users are missing at the target") }
        lines += missing.map { "  \($0)" }
        if open > 0 { lines.append("\(open) users are not made yet") }
        if others > 0 { lines.append("\(others) users of the target are not of this run") }
        lines.append("passwords: their hashes are not read back, the API gives out none")
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSONObject {
        [
            "verified": .int(Int64(verified)), "differing": .int(Int64(differingCount)), "missing": .int(Int64(missingCount)),
            "open": .int(Int64(open)), "others": .int(Int64(others)),
            "differences": .array(
                differing.map {
                    [
                        "source": .string($0.sourceID), "target": .string($0.targetID),
                        "fields": .array($0.fields.map(JSON.string)),
                    ]
                }),
            "missingUsers": .array(missing.map(JSON.string)),
        ]
    }
}

extension UndoReport {
    var text: String {
        var lines = ["\(deleted) users were deleted"]
        if gone > 0 { lines.append("\(gone) users had gone before") }
        if keptCount > 0 { lines.append("\(keptCount) users are left") }
        lines += kept.map { "  \($0.targetID)  \($0.reason == .signedIn ? "has signed in since" : "is not as the run wrote it")" }
        if refused > 0 { lines.append("\(refused) users could not be deleted: the target rejected it") }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSONObject {
        [
            "deleted": .int(Int64(deleted)), "gone": .int(Int64(gone)), "left": .int(Int64(keptCount)),
            "refused": .int(Int64(refused)),
            "leftUsers": .array(
                kept.map {
                    ["source": .string($0.sourceID), "target": .string($0.targetID), "reason": .string($0.reason.rawValue)]
                }),
        ]
    }
}
