import LockstepMigration
import LockstepPrimitives

extension [UserState: Int] {
    /// One line per state with users.
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
    /// One line per user, by the id on the source.
    var lines: String {
        isEmpty
            ? ""
            : "users set aside\n"
                + map { user in
                    let reason = user.reason.map { UserReason(rawValue: $0)?.sentence ?? $0 } ?? user.removal?.rawValue ?? ""
                    let first = user.firstSourceID.map { "  (first: \($0.visible))" } ?? ""
                    return "  \(user.sourceID.visible)  \(user.state.rawValue)  \(reason.visible)\(first)\n"
                }
                .joined()
    }

    /// The users with their ids, states and reasons.
    var json: JSON {
        .array(
            map { user in
                [
                    "source": .string(user.sourceID), "target": user.targetID.map(JSON.string) ?? .null,
                    "state": .string(user.state.rawValue),
                    "reason": (user.reason ?? user.removal?.rawValue).map(JSON.string) ?? .null,
                    "first": user.firstSourceID.map(JSON.string) ?? .null,
                ]
            })
    }
}

extension RunFile {
    /// The number of users and the path.
    var line: String { "\(PlanSummary.grouped(users)) users, in \(path.visible)" }

    /// The number of users and the path.
    var json: JSON { ["users": .int(Int64(users)), "file": .string(path)] }
}

extension IDMap {
    /// The number of users and the path, and a warning if a spreadsheet would run an id.
    var lines: String {
        let warning =
            formulas == 0
            ? "" : "\(formulas) ids begin like a spreadsheet formula, so do not open this file in a spreadsheet\n"
        return "map of ids: \(file.line)\n" + warning
    }

    /// The number of users, the path, and the number of ids that begin like a formula.
    var json: JSON { ["users": .int(Int64(file.users)), "file": .string(file.path), "formulas": .int(Int64(formulas))] }
}

extension ApplyReport {
    var text: String {
        var text = states.lines
        if failures > 0 { text += "\(failures) users of the plan were rejected. See lockstep migrate status\n" }
        if unplanned > 0 {
            text += "\(unplanned) users were added to the source after the plan. Run lockstep migrate follow to create them\n"
        }
        return text
    }

    var json: JSONObject {
        ["states": .object(states.json), "failures": .int(Int64(failures)), "unplanned": .int(Int64(unplanned))]
    }
}

extension [DirectoryReference] {
    /// One line per table, with the effect of a deletion on its rows.
    var lines: String {
        filter { $0.rows != 0 }.map { table in
            let rows = table.rows.map { "\($0) rows" } ?? "an unknown number of rows"
            let end =
                switch table.deletion {
                case .cascades: "will be deleted, too"
                case .clears: "will lose their user"
                case .refuses: "prevent the deletion of their users"
                }
            return "\(rows) of \(table.table.visible) (\(table.columns.joined(separator: ", ").visible)) \(end)\n"
        }
        .joined()
    }

    /// The tables, with the effect of a deletion on their rows.
    var json: JSON {
        .array(
            map { table in
                [
                    "table": .string(table.table), "columns": .array(table.columns.map(JSON.string)),
                    "deletion": .string(table.deletion.rawValue), "rows": table.rows.map { .int(Int64($0)) } ?? .null,
                ]
            })
    }
}

extension FollowReport {
    func text(_ names: UserNames) -> String {
        var lines = [
            "\(created) users were created, \(changed) changed, \(deleted) deleted, in \(passes) \(passes == 1 ? "pass" : "passes")",
            isSettled
                ? "the last pass found nothing to do" : "the source is still changing. Run lockstep migrate follow again later",
        ]
        for finding in Finding.allCases {
            guard let count = findings[finding], count > 0 else { continue }
            let extent = finding == .changedInPart ? "changed only in part" : "not changed"
            lines.append("\(count) users were \(extent): \(finding.sentence)")
            lines += named.filter { $0.finding == finding }.map { user in
                let reasons = user.details.map { UserReason(rawValue: $0)?.sentence ?? $0 }
                return "  \(names[user.sourceID])  " + reasons.joined(separator: ", ").visible
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    func json(_ names: UserNames) -> JSONObject {
        [
            "passes": .int(Int64(passes)), "read": .int(Int64(read)), "created": .int(Int64(created)),
            "changed": .int(Int64(changed)), "deleted": .int(Int64(deleted)), "settled": .bool(isSettled),
            "findings": .object(
                JSONObject(
                    Finding.allCases.compactMap { finding in findings[finding].map { (finding.rawValue, .int(Int64($0))) } })),
            "users": .array(
                named.map { user in
                    var members = names.members(user.sourceID)
                    members["target"] = user.targetID.map(JSON.string) ?? .null
                    members["finding"] = .string(user.finding.rawValue)
                    members["details"] = .array(user.details.map(JSON.string))
                    return .object(members)
                }),
        ]
    }
}

extension UndoReport {
    func text(_ names: UserNames) -> String {
        var lines = ["\(deleted) users were deleted"]
        if gone > 0 { lines.append("\(gone) users were already gone") }
        if keptCount > 0 { lines.append("\(keptCount) users were kept") }
        lines += kept.map { user in
            "  \(names[user.sourceID])  \(user.reason == .signedIn ? "has signed in since" : "has changed since the run")"
        }
        if refused > 0 { lines.append("\(refused) users could not be deleted, because the target rejected the request") }
        return lines.joined(separator: "\n") + "\n"
    }

    func json(_ names: UserNames) -> JSONObject {
        [
            "deleted": .int(Int64(deleted)), "gone": .int(Int64(gone)), "left": .int(Int64(keptCount)),
            "refused": .int(Int64(refused)), "references": references.json,
            "leftUsers": .array(
                kept.map { user in
                    var members = names.members(user.sourceID)
                    members["target"] = user.targetID.map(JSON.string) ?? .null
                    members["reason"] = .string(user.reason.rawValue)
                    return .object(members)
                }),
        ]
    }
}
