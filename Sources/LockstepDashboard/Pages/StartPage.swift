internal import LockstepEmulation
internal import LockstepPrimitives

/// `/`: addresses, keys, lines of code, counts, the clock and changed settings of each emulator.
struct StartPage {
    let visit: Visit

    func response() async throws -> EmulatorResponse {
        var cards: [Markup] = []
        for emulator in visit.emulators { cards.append(await card(of: emulator)) }
        return Layout.page(
            visit, "Start", in: "", following: [.messages, .requests, .clock, .settings, .rows, .faults],
            """
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
            <section class="card" aria-labelledby="\(name)-title"><h2 id="\(name)-title">\(emulator.title)</h2>
            <p>\(.copyable(server.base, id: "\(name)-address", "address of \(emulator.title)"))</p>
            \(.live("\(name)-now", await state(of: emulator)))
            <details><summary>Keys and names<span class="hidden"> of \(emulator.title)</span></summary>\(.values(variables))</details>
            <details><summary>Connect your code<span class="hidden"> to \(emulator.title)</span></summary>\(lines)</details>
            \(visit.guarded("Reset", PageAddress("reset", name), of: emulator.title,
                "This deletes all users, messages, faults and requests, and restores the seed."))
            </section>
            """
    }

    /// Returns the counts, the clock, and the settings that differ from the default.
    private func state(of emulator: DashboardEmulator) async -> Markup {
        let panel = emulator.server.panel
        let counts: [(String, Int?, String)] = [
            ("Users", emulator.userCount, "users"),
            ("Messages", panel.outbox.mails.count + panel.outbox.shortMessages.count, "inbox"),
            ("Requests", panel.transcript.count, "requests"),
            ("Faults", panel.faults.count { $0.remaining > 0 }, "faults"),
        ]
        let numbers: [(name: String, value: Markup)] = counts.compactMap { title, count, path in
            guard let count else { return nil }
            return (
                title,
                "<a href=\"\(PageAddress(path, query: ["provider": emulator.name]))\">\(count)<span class=\"hidden\"> \(title)</span></a>"
            )
        }
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
        return "\(.values(numbers + [("Backend's clock", clock)]))\(list)"
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
