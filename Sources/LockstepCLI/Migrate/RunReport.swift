import LockstepComparison
import LockstepDirectory
import LockstepMigration
import LockstepPrimitives

/// A report about a run: its plan, its progress, and the users that it set aside.
struct RunReport: Sendable {
    /// A user who was set aside.
    struct Aside: Sendable {
        let user: JournalUser
        /// The address or the number; `nil` if addresses are not shown, or the source no longer has the user.
        let address: String?

        /// The reason in words.
        var reason: String {
            user.reason.map { UserReason(rawValue: $0)?.sentence ?? $0 } ?? user.removal?.rawValue ?? ""
        }
    }

    let run: String
    let header: [String]
    let plan: PlanSummary
    let states: [UserState: Int]
    let aside: [Aside]
    let map: IDMap
    let duplicates: RunFile?
    /// The names of the files about what stays on the source, and their line.
    let losses: (names: [String], line: String)
    let showsAddresses: Bool

    /// The largest number of users that a report names.
    private static let limit = 10_000

    /// Reads a run.
    ///
    /// - Parameters:
    ///   - showsAddresses: Whether to request the addresses of users who were set aside from the source.
    /// - Throws: `MigrationError`, or `AuthError` if the source does not respond.
    init(_ session: MoveSession, showsAddresses: Bool) async throws {
        run = session.folder.id
        header = session.ends.header
        plan = try await session.move.plannedSummary()
        states = try await session.folder.journal.counts()
        map = try await session.folder.writeMap()
        duplicates = try await session.folder.writeDuplicates()
        losses = (session.folder.losses, session.folder.lossesLine)
        self.showsAddresses = showsAddresses
        let users = try await session.folder.journal.users(
            in: [.skipped, .refused, .unknown, .differs, .gone, .kept], after: 0, limit: Self.limit)
        var addresses: [ExactString: String] = [:]
        if showsAddresses {
            let directory = session.ends.source.directory
            for start in stride(from: 0, to: users.count, by: 100) {
                let ids = users[start..<min(start + 100, users.count)].map(\.sourceID)
                for (id, user) in zip(ids, try await directory.users(ids: ids)) {
                    addresses[id.exact] = user?.email ?? user?.phone
                }
            }
        }
        aside = users.map { Aside(user: $0, address: addresses[$0.sourceID.exact]) }
    }

    /// The report for a person.
    var text: String {
        let lines = aside.map { one in
            let address = one.address.map { "  \($0.visible)" } ?? ""
            return "  \(one.user.sourceID.visible)\(address)  \(one.user.state.rawValue)  \(one.reason.visible)\n"
        }
        return plan.text + "\nrun \(run)\n" + states.lines + map.lines + (duplicates.map { "duplicates: \($0.line)\n" } ?? "")
            + losses.line + (lines.isEmpty ? "" : "users set aside\n" + lines.joined())
    }

    /// The report for a program.
    var json: JSONObject {
        let users = aside.map { one -> JSON in
            var object: JSONObject = [
                "source": .string(one.user.sourceID), "target": one.user.targetID.map(JSON.string) ?? .null,
                "state": .string(one.user.state.rawValue),
                "reason": (one.user.reason ?? one.user.removal?.rawValue).map(JSON.string) ?? .null,
            ]
            if showsAddresses { object["address"] = one.address.map(JSON.string) ?? .null }
            return .object(object)
        }
        return [
            "plan": .object(plan.json), "states": .object(states.json), "map": map.json, "duplicates": duplicates?.json ?? .null,
            "files": .array(losses.names.map(JSON.string)), "aside": .array(users),
        ]
    }

    /// Returns the report for a browser.
    ///
    /// - Parameter origin: The command that created the report.
    func html(from origin: ReportOrigin) -> String {
        let rows = UserState.allCases.filter { states[$0] ?? 0 > 0 }
            .map { "<tr><td>\($0.rawValue.escapedForHTML)</td><td>\(states[$0] ?? 0)</td></tr>" }
        var sections = [
            Page.Section("Plan", Self.lines(plan.text)),
            Page.Section("Progress", Self.table(["state", "users"], rows)),
        ]
        if !losses.names.isEmpty { sections.append(Page.Section("Files of the run", Self.lines(losses.line))) }
        if !aside.isEmpty {
            let heads = ["id on the source"] + (showsAddresses ? ["address"] : []) + ["id on the target", "state", "reason"]
            let users = aside.map { one in
                let address = showsAddresses ? [one.address ?? ""] : []
                let cells = [one.user.sourceID] + address + [one.user.targetID ?? "", one.user.state.rawValue, one.reason]
                return "<tr>\(cells.map { "<td>\($0.escapedForHTML)</td>" }.joined())</tr>"
            }
            sections.append(Page.Section("Users set aside", Self.table(heads, users)))
        }
        return Page.html(
            title: "Move of users \(run)", origin: origin,
            introduction: Self.lines(header.joined(separator: "\n")), sections: sections)
    }

    /// The unchanged lines, with invisible characters written out.
    private static func lines(_ text: String) -> String {
        let lines = text.pieces(at: "\n", omittingEmptySubsequences: false).map { String($0).escapedForHTML }
        return "<pre>\(lines.joined(separator: "\n"))</pre>"
    }

    private static func table(_ heads: [String], _ rows: [String]) -> String {
        let head = heads.map { "<th>\($0.escapedForHTML)</th>" }.joined()
        return "<div class=\"table\"><table><tr>\(head)</tr>\n\(rows.joined(separator: "\n"))</table></div>"
    }
}
