internal import LockstepEmulation
internal import LockstepPrimitives

/// `/clock`: the time of each backend and of the machine, with forms that change it.
struct ClockPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/clock") { ClockPage(visit: $0).response() }
        page("POST", "/clock") { visit in
            do {
                return try await ClockPage(visit: visit).change()
            } catch let problem as ErrorPage where problem.status == 422 {
                return ClockPage(visit: visit).response(problem)
            }
        }
    }

    private func response(_ problem: ErrorPage? = nil) -> EmulatorResponse {
        let rows: [Markup] = visit.emulators.map { emulator in
            let clock = emulator.server.panel.clock
            let isOff = abs((clock.now - visit.clock.now).milliseconds) >= 1000
            return """
                <td>\(emulator.mark)</td><td>\(.time(clock.now.rfc3339)) <span class="chip \(clock.isStopped ? "warn" : "good")">\(
                    clock.isStopped ? "stopped" : "runs")</span></td>\
                <td>\(isOff ? Age(of: clock.now, at: visit.clock.now).words : "the machine's time")</td>\
                <td>\(buttons(of: emulator.name, emulator.title))</td>
                """
        }
        let names = [(value: "", title: "All")] + visit.emulators.map { (value: $0.name, title: $0.title) }
        return Layout.page(
            visit, "Clock", in: "clock", following: [.clock], problem: problem,
            """
            \(.live("times", """
                <p>The machine's time is \(.time(visit.clock.now.rfc3339)) (UTC).</p>
                \(Markup.table("Clocks", ["Provider", "Backend's time (UTC)", "Offset", "Actions"], rows, empty: "No emulators."))
                """))
            <h2>All at the same time</h2>
            <div class="actions">\(buttons(of: "", "all"))</div>
            <h2>Stop at a time</h2>
            \(visit.form(PageAddress("clock"), """
                <div class="fields"><input type="hidden" name="action" value="set">\(.choice("Provider", "provider", names))\
                \(.field("Time (UTC)", "time", visit.field("time"), hint: "such as 2027-01-01 12:00"))<button>Set</button></div>
                """))
            """)
    }

    private func buttons(of provider: String, _ title: String) -> [Markup] {
        [
            ("+1 minute", "60"), ("+1 hour", "3600"), ("+1 day", "86400"), ("Stop", "stop"), ("Resume", "running"),
            ("Machine's time", "machine"),
        ].map { text, action in
            visit.button(text, PageAddress("clock"), of: title, [("provider", provider), ("action", action)])
        }
    }

    private func change() async throws -> EmulatorResponse {
        let name = visit.field("provider")
        let meant = name.isEmpty ? visit.emulators : visit.emulators.filter { $0.name == name }
        guard !meant.isEmpty else { throw ErrorPage(422, "No emulator \"\(name.prefix(40))\" is running here. Reload the page.") }
        let action = visit.field("action")
        let time = action == "set" ? try Self.time(visit.field("time")) : nil
        for emulator in meant {
            for query in Self.queries(action, time, emulator.server.panel.clock.now, machine: visit.clock.now) {
                try await emulator.call("POST", PageAddress("clock"), query: [query])
            }
        }
        return visit.done(.clockChanged, at: PageAddress("clock"))
    }

    /// Returns the queries of the control route that change a clock.
    ///
    /// - Parameters:
    ///   - action: The value of a button, or a number of seconds.
    ///   - time: The time of the form.
    ///   - now: The backend's time.
    ///   - machine: The machine's time.
    /// - Returns: The queries, in the order in which they are sent.
    private static func queries(
        _ action: String, _ time: Instant?, _ now: Instant, machine: Instant
    ) -> [(name: String, value: String)] {
        switch action {
        case "stop": [("now", String(now.milliseconds))]
        case "running": [("now", "running")]
        case "machine": [("now", String(machine.milliseconds)), ("now", "running")]
        case "set": [("now", String(time?.milliseconds ?? 0))]
        default: [("seconds", action)]
        }
    }

    /// Reads a time in UTC, with or without seconds, with a space or a T.
    static func time(_ text: String) throws(ErrorPage) -> Instant {
        var plain = String(text.drop { $0 == " " })
        while plain.last == " " { plain.removeLast() }
        let day = plain.utf8.count == 10 ? plain + "T00:00" : plain
        let minute = day.utf8.count == 16 ? day + ":00" : day
        let whole = minute.utf8.count == 19 ? minute + "Z" : minute
        guard let instant = Instant(rfc3339: whole) else {
            throw ErrorPage(422, "invalid value \"\(text.prefix(40))\" for the time: expected UTC, such as 2027-01-01 12:00")
        }
        return instant
    }
}
