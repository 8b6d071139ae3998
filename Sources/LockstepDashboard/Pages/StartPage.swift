internal import LockstepEmulation
internal import LockstepPrimitives

/// `/`: the timeline of all backends, and each emulator's address, keys, lines of code, clock and changed settings.
struct StartPage {
    let visit: Visit

    /// The number of lines of the timeline, however much has happened.
    private static let limit = 50

    func response() async throws -> EmulatorResponse {
        let timeline = await Timeline(of: visit.shown, limit: Self.limit, query: try visit.searchText())
        let empty: Markup =
            visit.query("query") == nil
            ? "Nothing has happened yet. Sign up a user in your app, or <a href=\"/side-by-side\">run a sign-up on all</a>."
            : visit.noMatch("event", at: "")
        let share: Markup? =
            timeline.happenings.isEmpty ? nil : .copyable(markdown: Markdown(timeline).text, id: "timeline-markdown")
        var cards: [Markup] = []
        for emulator in visit.shown { cards.append(await card(of: emulator)) }
        return Layout.page(
            visit, "Start", in: "", following: [.messages, .requests, .clock, .settings, .rows, .faults],
            tools: Layout.Tools(
                search: .search(visit, "", "Search a user or an event ( / )"),
                action: "<a class=\"button main\" href=\"/side-by-side\">Run a sign-up on all</a>"),
            """
            \(.live("timeline", "\(TimelineTable(timeline: timeline, empty: empty).markup)\(share)"))
            <h2>Connect</h2>
            <div class="cards">\(cards)</div>
            """)
    }

    private func card(of emulator: DashboardEmulator) async -> Markup {
        let (server, name) = (emulator.server, emulator.name)
        let variables: [(name: String, value: Markup)] =
            (server.ready.variables.map { variable in
                let value = variable.value.string ?? variable.value.text()
                return (variable.name, .copyable(value, id: "\(name)-\(variable.name)", variable.name))
            })
        let lines: [Markup] = ConnectionLines.lines(of: server.ready).map { line in
            "<h3>\(line.title)</h3>\(.copyable(line.text, id: "\(name)-\(line.id)", "\(line.title) for \(emulator.title)", isBlock: true))"
        }
        return """
            <section class="card" aria-labelledby="\(name)-title"><h2 id="\(name)-title" class="p \(name)">\(emulator.title)</h2>
            <p>\(.copyable(server.base, id: "\(name)-address", "address of \(emulator.title)"))</p>
            \(.live("\(name)-now", await state(of: emulator)))
            <details><summary>Connect your code<span class="hidden"> to \(emulator.title)</span></summary>\(lines)</details>
            <details><summary>Keys<span class="hidden"> of \(emulator.title)</span></summary>\(.values(variables))</details>
            \(visit.guarded("Reset", PageAddress("reset", name), of: emulator.title,
                "This deletes all users, messages, faults and requests, and restores the seed."))
            </section>
            """
    }

    /// Returns the clock, and the settings that differ from the default.
    private func state(of emulator: DashboardEmulator) async -> Markup {
        let panel = emulator.server.panel
        let users = emulator.userCount ?? 0
        let count: Markup =
            "<a href=\"\(PageAddress("users", query: ["provider": emulator.name]))\">\(users) \(users == 1 ? "user" : "users")</a>"
        let clock: Markup = "\(.time(panel.clock.now.rfc3339))\(panel.clock.isStopped ? " (stopped)" : "")"
        let document = try? await emulator.call("GET", PageAddress("settings"))
        let changed = (document?["settings"]?.array ?? []).filter { $0["origin"]?.string != "default" }
        let settings: [Markup] = changed.map { setting in
            "<li><code>\(setting["name"]?.string ?? "")</code> = \((setting["value"] ?? .null).settingText ?? "")</li>"
        }
        let list: Markup =
            settings.isEmpty
            ? ""
            : """
            <details data-key="settings"><summary>Settings that differ from the default: \(settings.count)</summary><ul>\(settings)</ul></details>
            """
        return "<p>\(count) · \(clock)</p>\(list)"
    }
}

extension JSON {
    /// The value of a setting as text.
    var settingText: String? {
        switch self {
        case .null: "(none)"
        case .string(let text): text
        default: text(.visible)
        }
    }
}
