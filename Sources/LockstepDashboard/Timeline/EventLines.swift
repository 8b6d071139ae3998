internal import LockstepEmulation
package import LockstepPrimitives

/// The events of running emulators as lines for the terminal of the person who started them.
///
/// A line contains a code or a link, because it replaces a look into the inbox. It contains no password, token or hash, and may
/// contain control characters of a client: escape them before you print it.
package struct EventLines: Sendable {
    /// The maximum number of events at a time; if there are more, one more line says so.
    package static let limit = 20

    private let emulators: [DashboardEmulator]
    /// The address of the dashboard; `nil` without one.
    private let dashboard: String?
    private var changes: [Int]
    private var requests: [Int]

    /// Begins with the next event, or after a place.
    ///
    /// - Parameters:
    ///   - emulators: The emulators.
    ///   - dashboard: The address of the dashboard, to which lines with a message lead; `nil` without one.
    ///   - place: The numbers of the last known requests, by emulator; `nil` to begin with the next event.
    package init(_ emulators: [DashboardEmulator], dashboard: String?, after place: [Int]? = nil) {
        (self.emulators, self.dashboard) = (emulators, dashboard)
        changes = emulators.map(\.server.panel.changes.number)
        requests = place ?? emulators.map(\.server.panel.transcript.count)
    }

    /// Returns the document of `GET /__lockstep/log`.
    ///
    /// - Parameters:
    ///   - place: The `last` of an earlier document; `nil` for the latest lines.
    ///   - limit: The maximum number of lines.
    ///   - seconds: How long to wait if there are none.
    package static func document(
        of emulators: [DashboardEmulator], dashboard: String?, after place: String?, limit: Int, within seconds: Int
    ) async -> JSON {
        let known = (place ?? "").pieces(at: ".").map { Int($0) ?? 0 }
        var lines = EventLines(
            emulators, dashboard: dashboard, after: emulators.indices.map { $0 < known.count ? known[$0] : 0 })
        var found = await lines.news(limit: limit)
        if found.isEmpty, seconds > 0 { found = await lines.next(limit: limit, within: seconds) }
        let last = lines.requests.map { String($0) }.joined(separator: ".")
        return ["lines": .array(found.map { .string($0) }), "last": .string(last)]
    }

    /// Waits for the next events.
    ///
    /// - Returns: Their lines, oldest first; none if the task was cancelled, or if nothing happened for a minute.
    package mutating func next(limit: Int = Self.limit, within seconds: Int = 60) async -> [String] {
        await Feed.change(of: emulators, after: changes, within: seconds)
        return await news(limit: limit)
    }

    private mutating func news(limit: Int) async -> [String] {
        changes = emulators.map(\.server.panel.changes.number)
        let counts = emulators.map(\.server.panel.transcript.count)
        // After a reset, the numbers begin again.
        let known = zip(requests, counts).map { $0 > $1 ? 0 : $0 }
        requests = counts
        guard limit > 0, zip(known, counts).contains(where: { $0 < $1 }) else { return [] }
        let timeline = await Timeline(of: emulators, limit: limit, after: known)
        let more = timeline.happenings.count == limit ? ["          … older events are on the dashboard"] : []
        return more + timeline.happenings.reversed().map(line)
    }

    private func line(_ happening: Happening) -> String {
        let time = (happening.request["date"]?.string ?? "").dropFirst(11).prefix(8)
        let name = happening.emulator.word
        let column = name + String(repeating: " ", count: max(0, 8 - name.count))
        let request = "\(happening.method) \(happening.path) \(happening.status.map { String($0) } ?? "no answer")"
        let subject = happening.who.map { "\($0) " } ?? ""
        let sent = happening.messages.map { message in
            let kind = message.mail == nil ? "text message" : "mail"
            let content = message.code ?? message.links.first?.text ?? "without a code"
            let place = dashboard.map { "   \($0)/m/\(message.emulator.name)/\(message.number)" } ?? ""
            return "\(kind) to \(message.to): \(content)\(place)"
        }
        let reason = happening.unsentReason.map { ["no message: \($0)"] } ?? []
        let what = sent + reason
        return "\(time)  \(column)  \(request)   " + (what.isEmpty ? subject + happening.words : what.joined(separator: ", "))
    }
}
