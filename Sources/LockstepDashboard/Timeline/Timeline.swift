internal import LockstepEmulation
internal import LockstepPrimitives

/// The recorded requests of all emulators as stories of users, newest first.
struct Timeline {
    let happenings: [Happening]

    /// Reads the timeline.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of lines.
    ///   - after: The numbers of the last known requests, by provider; lines are newer. Default: none.
    ///   - user: Only the lines of this user of the only emulator.
    ///   - query: Only the lines of users whose name contains it.
    init(
        of emulators: [DashboardEmulator], limit: Int, after: [Int] = [], user: (id: String, names: [String])? = nil,
        query: String? = nil
    ) async {
        var found: [Happening] = []
        for (place, emulator) in emulators.enumerated() {
            let first = place < after.count ? after[place] : 0
            // A search looks at all recorded requests, because the names are found afterwards.
            let some = query == nil && user == nil ? limit : .max
            found += Self.happenings(of: emulator, some, after: first)
        }
        found.sort { $0.end > $1.end }
        Self.nameSubjects(&found)
        var names = UserNames()
        for index in found.indices where found[index].userID != nil {
            if index >= limit, query == nil, user == nil { break }
            found[index].who = await names.name(of: found[index].userID, at: found[index].emulator) ?? found[index].who
        }
        if let user {
            let names = user.names.map { $0.lowercased().exact }
            found = found.filter { happening in
                happening.userID?.exact == user.id.exact || happening.who.map { names.contains($0.lowercased().exact) } == true
            }
        }
        if let query = query?.lowercased() {
            found = found.filter { happening in
                [happening.who, happening.words].contains { $0?.lowercased().contains(bytesOf: query) == true }
            }
        }
        happenings = Array(found.prefix(limit))
    }

    private static func happenings(of emulator: DashboardEmulator, _ limit: Int, after first: Int) -> [Happening] {
        var deeds: [Int: String] = [:]
        let found = emulator.server.panel.shown(limit: limit) { entry in
            guard entry.number > first else { return false }
            deeds[entry.number] = Deed.words(for: entry.request, of: emulator.name)
            return deeds[entry.number] != nil || entry.isFaulty || entry.response.status >= 400
        }
        let sent = Message.all(of: emulator)
        return found.map { entry, request in
            Happening(
                emulator: emulator, request: request, end: entry.end, deed: deeds[entry.number], userID: entry.response.userID,
                who: nil, messages: sent.filter { entry.response.messages.contains($0.number) },
                unsentReason: entry.response.unsentReason)
        }
    }

    /// Names the user of each line, and marks repeated requests.
    ///
    /// The user is the address in the request, the recipient of its message, or the user of another step of the same flow, whose
    /// id is in the path.
    private static func nameSubjects(_ found: inout [Happening]) {
        var flows: [ExactString: String] = [:]
        for index in found.indices {
            let body = found[index].request["body"] ?? .null
            let texts = ["email", "email_address", "identifier", "phone", "phone_number"].compactMap { body[$0]?.string }
            found[index].who = texts.first { $0.contains(bytesOf: "@") || $0.hasPrefix("+") } ?? found[index].messages.first?.to
            if let who = found[index].who, let flow = found[index].flow { flows[flow] = who }
        }
        for index in found.indices where found[index].who == nil { found[index].who = found[index].flow.flatMap { flows[$0] } }
        for index in found.indices.dropLast() {
            let (newer, rest) = (found[index], found[(index + 1)...].prefix(50))
            guard let older = rest.first(where: { $0.isSameRequest(as: newer) }) else { continue }
            found[index].isRetry = older.isFaulty && !newer.isFaulty
        }
    }
}

extension Happening {
    /// The path without its last part, if it contains the id of a flow, as on Clerk.
    fileprivate var flow: ExactString? {
        let parts = path.pieces(at: "/")
        return parts.count > 4 ? "\(emulator.name)/\(parts.dropLast().joined(separator: "/"))".exact : nil
    }

    fileprivate func isSameRequest(as other: Happening) -> Bool {
        emulator.name == other.emulator.name && method == other.method && path.exact == other.path.exact
            && request["body"] == other.request["body"] && request["query"] == other.request["query"]
    }
}
