internal import LockstepEmulation
internal import LockstepPrimitives

/// `/settings`: the settings of each emulator by the provider's own names, and a form for one of them.
struct SettingsPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/settings") { try await SettingsPage(visit: $0).response() }
        page("POST", "/settings/{provider}") { try await SettingsPage(visit: $0).change() }
    }

    private func response() async throws -> EmulatorResponse {
        // All settings of all providers would be a page of thousands of rows.
        let emulators = visit.chosen.map { [$0] } ?? visit.emulators
        var parts: [Markup] = []
        for emulator in emulators { parts.append(try await part(of: emulator)) }
        let note: Markup =
            visit.chosen == nil && visit.query("query") == nil
            ? "<p>These settings differ from the default. Search, or choose a provider, for the others.</p>" : ""
        return Layout.page(
            visit, "Settings", in: "settings", following: [.settings],
            tools: Layout.Tools(search: .search(visit, "settings", "Search a name or a meaning ( / )")),
            """
            \(.live("settings", "\(note)\(parts)"))
            """)
    }

    private func part(of emulator: DashboardEmulator) async throws(ErrorPage) -> Markup {
        let all = try await emulator.call("GET", PageAddress("settings"))["settings"]?.array ?? []
        let query = try visit.searchText()
        let found = all.filter { setting in
            guard let query else { return visit.chosen != nil || setting["origin"]?.string != "default" }
            return Visit.search(query, in: [setting["name"]?.string, setting["about"]?.string])
        }
        let rows: [Markup] = found.map { row($0, of: emulator) }
        let one = visit.query("name").flatMap { name in all.first { $0["name"]?.string == name } }
        let form: Markup = visit.chosen != nil ? one.map { self.form($0, of: emulator) } ?? "" : ""
        let empty: Markup = query == nil ? "All settings have their default." : visit.noMatch("setting", at: "settings")
        return """
            <h2>\(emulator.title)</h2>\(form)
            \(.table("Settings of \(emulator.title)", ["Setting", "Value", "Default", "Origin"], rows, empty: empty))
            """
    }

    private func row(_ setting: JSON, of emulator: DashboardEmulator) -> Markup {
        let name = setting["name"]?.string ?? ""
        let address = PageAddress("settings", query: ["provider": emulator.name, "query": visit.query("query"), "name": name])
        let title: Markup =
            setting["changeable"]?.bool == true
            ? "<a class=\"name\" href=\"\(address)\">\(name, upTo: 100)</a>" : "\(name, upTo: 100) (read at the start)"
        return """
            <td>\(title)<br><small>\(setting["about"]?.string ?? "", upTo: 300)</small></td>\
            <td data-name="Value">\((setting["value"] ?? .null).settingText ?? "", upTo: 120)</td>\
            <td data-name="Default">\((setting["default"] ?? .null).settingText ?? "", upTo: 120)</td>\
            <td data-name="Origin">\(setting["origin"]?.string ?? "")</td>
            """
    }

    private func form(_ setting: JSON, of emulator: DashboardEmulator) -> Markup {
        let name = setting["name"]?.string ?? ""
        let value = setting["value"].flatMap { $0 == .null ? "" : $0.settingText } ?? ""
        return visit.form(
            PageAddress("settings", emulator.name),
            """
            <div class="stack card"><h3>\(name, upTo: 200)</h3><p>\(setting["about"]?.string ?? "", upTo: 400)</p>
            <input type="hidden" name="name" value="\(name, upTo: 400)">\(.area("Value", "value", value, rows: 2, keeps: value))
            <button class="main">Change the setting</button></div>
            """)
    }

    /// Sends the value with its own type: a string that looks like a number is a number only if the setting has numbers.
    private func change() async throws -> EmulatorResponse {
        let (emulator, name) = (try visit.emulator(), visit.field("name"))
        let address = PageAddress("settings", query: ["provider": emulator.name, "name": name])
        guard let text = visit.changed("value") else { return visit.done(.settingChanged, at: address) }
        let all = try await emulator.call("GET", PageAddress("settings"))["settings"]?.array ?? []
        let current = all.first { $0["name"]?.string == name }?["value"] ?? .null
        let parsed = current.string == nil ? try? JSON.parse(text) : nil
        let calls = emulator.server.controlCalls
        let path = PageAddress("settings").text
        let answer = await calls.send("PATCH", path, .object([name: parsed ?? .string(text)]))
        if answer.refusal != nil, parsed != nil, await calls.send("PATCH", path, .object([name: .string(text)])).refusal == nil {
            return visit.done(.settingChanged, at: address)
        }
        if let refusal = answer.refusal { throw ErrorPage(422, refusal) }
        return visit.done(.settingChanged, at: address)
    }
}
