internal import LockstepEmulation
internal import LockstepPrimitives

/// `/faults`: the faults of all emulators, presets, and a form for others.
struct FaultsPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/faults") { try FaultsPage(visit: $0).response() }
        page("POST", "/faults") { visit in
            do {
                return try await FaultsPage(visit: visit).set()
            } catch let problem as ErrorPage where problem.status == 422 {
                return try FaultsPage(visit: visit).response(problem)
            }
        }
        page("POST", "/faults/ready-made") { try await FaultsPage(visit: $0).setReadyMade() }
        page("POST", "/faults/lift-all") { visit in
            for emulator in visit.emulators { try await emulator.call("DELETE", PageAddress("faults")) }
            return visit.done(.faultLifted, at: PageAddress("faults"))
        }
        page("POST", "/faults/release-all") { visit in
            for emulator in visit.emulators { try await emulator.call("POST", PageAddress("faults", "release")) }
            return visit.done(.faultReleased, at: PageAddress("faults"))
        }
        page("POST", "/faults/{provider}/{id}/lift") { visit in
            try await visit.emulator().call("DELETE", PageAddress("faults", visit.request[placeholder: "id"]))
            return visit.done(.faultLifted, at: PageAddress("faults"))
        }
        page("POST", "/faults/{provider}/{id}/release") { visit in
            try await visit.emulator().call("POST", PageAddress("faults", visit.request[placeholder: "id"], "release"))
            return visit.done(.faultReleased, at: PageAddress("faults"))
        }
    }

    private func response(_ problem: ErrorPage? = nil) throws(ErrorPage) -> EmulatorResponse {
        let query = try visit.searchText()
        let rows: [Markup] = visit.shown.flatMap { emulator in
            emulator.server.panel.faults.reversed().filter { fault in
                let effect = fault.document["effect"]?.string
                return Visit.search(query, in: [fault.match.method, fault.match.path, effect, FaultKind.title(of: fault)])
            }.prefix(50).map { row($0, emulator) }
        }
        let empty: Markup =
            query == nil
            ? "No faults. Choose a preset below, or open <a href=\"/requests\">a request</a> and choose “Fail this request next time”."
            : visit.noMatch("fault", at: "faults")
        let all: Markup =
            rows.isEmpty
            ? ""
            : """
            <div class="actions">\(visit.button("Remove all faults", PageAddress("faults", "lift-all"))) \
            \(visit.button("Release all requests on hold", PageAddress("faults", "release-all")))</div>
            """
        let ready: [Markup] = ReadyMadeFault.all.map { fault in
            """
            <li>\(visit.form(PageAddress("faults", "ready-made"), """
                <input type="hidden" name="name" value="\(fault.name)"><input type="hidden" name="provider" value="\(visit.chosen?.name ?? "")">\
                <button>\(fault.title)</button>
                """)) \(fault.sentence)</li>
            """
        }
        return Layout.page(
            visit, "Faults", in: "faults", following: [.faults],
            tools: Layout.Tools(search: .search(visit, "faults", "Search a path or an effect ( / )")), problem: problem,
            """
            <p>A fault affects the next matching requests: as many as it says, or all until you remove it.</p>
            \(.live("faults", """
                \(Markup.table("Faults", ["Requests", "Effect", "<span class=\"n\">Affected</span>", "<span class=\"n\">Left</span>", "Provider", "Actions"], rows, empty: empty))\(all)
                """))
            <h2>Presets</h2><p>For \(visit.chosen?.title ?? "all providers").</p><ul class="plain">\(ready)</ul>
            <h2>Another fault</h2>\(form)
            """)
    }

    private func row(_ fault: Fault, _ emulator: DashboardEmulator) -> Markup {
        let document = fault.document
        let effect = document["effect"]?.string ?? ""
        let id = String(fault.id)
        let name = "\(fault.match.method ?? "any method") \(fault.match.path)"
        // The presets without an end have the largest number that a fault can have.
        let remaining: Markup = fault.remaining > 100_000 ? "all" : "\(fault.remaining)"
        let release: Markup? =
            ["hang", "hold", "hold-answer"].contains(effect)
            ? visit.button("Release", PageAddress("faults", emulator.name, id, "release"), of: name) : nil
        return """
            <td><code>\(name, upTo: 120)</code></td><td><span class="chip soft" title="\(effect)">\(FaultKind.title(of: fault))</span> \(FaultKind.sentence(of: effect))</td>\
            <td class="n" data-name="Affected">\(fault.strikes)</td><td class="n" data-name="Left">\(remaining)</td><td>\(emulator.mark)</td>\
            <td>\(visit.button("Remove", PageAddress("faults", emulator.name, id, "lift"), of: name)) \
            \(release)</td>
            """
    }

    /// The form of one effect: only the fields that it has.
    private var form: Markup {
        let chosen = visit.fields["effect"] ?? visit.query("effect") ?? FaultKind.all[0].name
        let kind = FaultKind.all.first { $0.name == chosen } ?? FaultKind.all[0]
        let cards: [Markup] = FaultKind.all.map { each in
            let current: Markup = each.name == kind.name ? " aria-current=\"true\"" : ""
            let address = PageAddress(
                "faults", query: ["provider": visit.chosen?.name, "query": visit.query("query"), "effect": each.name])
            return "<li><a class=\"button\" href=\"\(address)#effect\"\(current)>\(each.title)</a></li>"
        }
        let names = [(value: "", title: "All")] + visit.emulators.map { (value: $0.name, title: $0.title) }
        func field(_ label: String, _ name: String, _ standard: String = "", type: String = "text", hint: String = "") -> Markup {
            .field(label, name, visit.fields[name] ?? standard, type: type, hint: hint)
        }
        let own: [Markup] = kind.fields.map { name in
            switch name {
            case "status": field("Status", "status", kind.name == "status" ? "503" : "429", type: "number")
            case "body": .area("Body", "body", visit.field("body"), rows: 3)
            case "seconds": field("Seconds", "seconds", "1")
            default: field("Bytes", "after", hint: "the length of the part; half of the body if empty")
            }
        }
        return """
            <nav aria-label="Effect"><ul id="effect" class="plain actions">\(cards)</ul></nav><p>\(kind.sentence) <span class="quiet">Tests name this effect <code>\(kind.name)</code>.</span></p>
            \(visit.form(
            PageAddress("faults"),
            """
            <div class="stack"><input type="hidden" name="effect" value="\(kind.name)">\
            \(.choice("Provider", "provider", names, chosen: visit.fields["provider"] ?? visit.chosen?.name ?? ""))
            \(field("Method", "method", hint: "empty for any"))
            \(field("Path", "path", "*", hint: "as on the page Requests, with * for any characters"))
            \(field("How many requests", "times", "1", type: "number"))\(own)
            <button class="main">Set the fault</button></div>
            """))
            """
    }

    /// Returns the emulators that a form selects.
    private func meant() throws(ErrorPage) -> [DashboardEmulator] {
        let name = visit.field("provider")
        if name.isEmpty { return visit.emulators }
        guard let emulator = visit.emulators.first(where: { $0.name == name }) else {
            throw ErrorPage(422, "No emulator \"\(name.prefix(40))\" is running here. Choose one in the form.")
        }
        return [emulator]
    }

    private func set() async throws -> EmulatorResponse {
        var values: JSONObject = [:]
        for name in ["effect", "method", "path"] where !visit.field(name).isEmpty { values[name] = .string(visit.field(name)) }
        for name in ["times", "status", "seconds", "after"] where !visit.field(name).isEmpty {
            guard let number = Double(visit.field(name)), number.isFinite else {
                throw ErrorPage(422, "invalid value \"\(visit.field(name).prefix(40))\" for \(name): expected a number")
            }
            values[name] = Int64(exactly: number).map { .int($0) } ?? .double(number)
        }
        let body = visit.field("body")
        if !body.isEmpty { values["body"] = (try? JSON.parse(body)) ?? .string(body) }
        for emulator in try meant() {
            if visit.field("address").isEmpty {
                try await emulator.call("POST", PageAddress("faults"), .object(values))
            } else {
                try setForUser(visit.field("address"), at: emulator)
            }
        }
        return visit.done(.faultSet, at: PageAddress("faults"))
    }

    /// Loses the answers to the requests whose body contains an address.
    private func setForUser(_ address: String, at emulator: DashboardEmulator) throws(ErrorPage) {
        let match = RequestMatch(visit.field("method"), visit.field("path"), body: "*\(address)*")
        do {
            try emulator.server.panel.fail(next: 1_000_000, match, with: .loseResponse)
        } catch {
            throw ErrorPage(422, "The fault cannot be set: \(error).")
        }
    }

    private func setReadyMade() async throws -> EmulatorResponse {
        let name = visit.field("name")
        guard let fault = ReadyMadeFault.all.first(where: { $0.name == name }) else {
            throw ErrorPage(422, "There is no preset fault \"\(name.prefix(40))\". Reload the page.")
        }
        for emulator in try meant() {
            guard let values = fault.values(emulator.name) else { continue }
            let id = try await emulator.call("POST", PageAddress("faults"), values)["id"]?.string ?? ""
            if let duration = fault.duration { end(id, of: emulator, after: duration) }
        }
        return visit.done(.faultSet, at: PageAddress("faults"))
    }

    /// Removes a fault after some time on the backend's clock.
    private func end(_ id: String, of emulator: DashboardEmulator, after duration: Duration) {
        let clock = emulator.server.panel.clock
        let end = clock.now + duration
        Task {
            // A person can move the clock before this task begins to wait: the end decides, not the length of one wait.
            while clock.now < end { try await clock.sleep(for: min(end - clock.now, .seconds(1))) }
            try await emulator.call("DELETE", PageAddress("faults", id))
        }
    }
}

/// A fault's effect as a sentence.
struct FaultKind {
    /// The name in a fault's document.
    let name: String
    let title: String
    let sentence: String
    /// The fields that only some effects have.
    var fields: [String] = []

    static let all = [
        FaultKind(
            name: "lose-answer", title: "Lost answer",
            sentence: "The request is processed, and the connection is closed without a response."),
        FaultKind(
            name: "status", title: "Status",
            sentence: "The client gets the chosen status and body. The request is not processed.",
            fields: ["status", "body"]),
        FaultKind(
            name: "retry-after", title: "Retry later",
            sentence: "The client gets 429 with Retry-After. The request is not processed.",
            fields: ["status", "seconds"]),
        FaultKind(
            name: "captive-portal", title: "Hotel network",
            sentence: "The client gets the page of a hotel's network. The request is not processed."),
        FaultKind(
            name: "empty", title: "Empty answer", sentence: "The client gets 200 without a body. The request is not processed."),
        FaultKind(name: "close", title: "Closed connection", sentence: "The connection is closed. The request is not processed."),
        FaultKind(name: "hang", title: "Silence", sentence: "The client waits. Releasing the fault closes the connection."),
        FaultKind(
            name: "hold", title: "Held request",
            sentence: "The request waits until the fault is released, and then gets the usual response."),
        FaultKind(
            name: "delay", title: "Delay", sentence: "The request waits for some seconds on the backend's clock.",
            fields: ["seconds"]),
        FaultKind(
            name: "hold-answer", title: "Held answer",
            sentence: "The request is processed, and the response waits until the fault is released."),
        FaultKind(
            name: "truncate", title: "Part of the body",
            sentence: "The request is processed, and the client gets a part of the body.", fields: ["after"]),
        FaultKind(
            name: "break", title: "Broken JSON", sentence: "The request is processed, and the client gets half of the JSON text."),
    ]

    /// Returns the effect of a fault in words, such as "Status 503".
    static func title(of fault: Fault) -> String {
        let words = (fault.document["effect"]?.string ?? "").pieces(at: " ").map(String.init)
        let title = all.first { $0.name == words.first }?.title ?? "Test in Swift"
        return ([title] + words.dropFirst()).joined(separator: " ")
    }

    /// Returns the sentence for an effect in a fault's document.
    static func sentence(of effect: String) -> String {
        let name = effect.pieces(at: " ").first.map(String.init) ?? effect
        return all.first { $0.name == name }?.sentence ?? "Set by a test in Swift."
    }
}

/// A fault preset with one button.
struct ReadyMadeFault: Sendable {
    let name: String
    let title: String
    let sentence: String
    /// The duration on the backend's clock; `nil` until it is removed or used up.
    var duration: Duration?
    /// Returns the fault for a provider; `nil` if the provider has no such request.
    let values: @Sendable (_ provider: String) -> JSON?

    private static let always: JSON = 1_000_000

    static let all = [
        ReadyMadeFault(name: "offline", title: "Offline", sentence: "Every connection is closed until you remove the fault.") {
            _ in
            ["effect": "close", "times": always]
        },
        ReadyMadeFault(
            name: "portal", title: "Hotel network",
            sentence: "Every request gets the page of a captive portal until you remove the fault."
        ) { _ in ["effect": "captive-portal", "times": always] },
        ReadyMadeFault(
            name: "busy", title: "429 for a minute", sentence: "Every request gets 429 for a minute on the backend's clock.",
            duration: .seconds(60)
        ) { _ in ["effect": "retry-after", "seconds": 60, "times": always] },
        ReadyMadeFault(
            name: "refresh", title: "The response to the next refresh is lost",
            sentence: "The backend renews the session, but the app does not get the response."
        ) { provider in
            refreshes[provider].map { ["method": "POST", "path": .string($0), "effect": "lose-answer"] }
        },
    ]

    /// The request that renews a session, by provider.
    private static let refreshes = [
        "firebase": "/securetoken.googleapis.com/v1/token*", "gotrue": "/token?grant_type=refresh_token*",
        "clerk": "/v1/client/sessions/*/tokens*",
    ]
}
