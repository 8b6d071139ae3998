internal import LockstepEmulation
internal import LockstepPrimitives

/// `/deliveries`: the calls of webhooks, hooks and functions.
struct DeliveriesPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/deliveries") { try DeliveriesPage(visit: $0).response() }
        page("POST", "/deliveries/{provider}/{number}/again") { visit in
            let emulator = try visit.emulator()
            try await emulator.call("POST", PageAddress("deliveries", visit.request[placeholder: "number"], "again"))
            return visit.done(.callRepeated, at: PageAddress("deliveries", query: ["provider": emulator.name]))
        }
    }

    private func response() throws(ErrorPage) -> EmulatorResponse {
        let query = try visit.searchText()
        let rows: [Markup] = visit.shown.flatMap { emulator in
            let panel = emulator.server.panel
            return panel.shown(panel.deliveries.entries.suffix(query == nil ? 50 : 500).reversed()).filter { delivery in
                Visit.search(query, in: ["event", "address", "failure"].map { delivery[$0]?.string })
            }.prefix(50).map { row($0, of: emulator) }
        }
        let empty: Markup =
            query == nil
            ? """
            No calls yet. Name your server in a setting: <a href="/settings?provider=clerk&amp;query=WEBHOOK_URL">WEBHOOK_URL</a> of Clerk, \
            <a href="/settings?provider=gotrue&amp;query=HOOK">a hook</a> of Supabase, or \
            <a href="/settings?provider=firebase&amp;query=functionsEmulator">functionsEmulator</a> of Firebase.
            """ : visit.noMatch("call", at: "deliveries")
        return Layout.page(
            visit, "Webhooks", in: "deliveries", following: [.deliveries],
            tools: Layout.Tools(search: .search(visit, "deliveries", "Search an event or address ( / )")),
            """
            <p>These are the calls that the emulators have made: webhooks, hooks and functions.</p>
            \(.live("deliveries", .table(
                "Calls", ["Event", "Result", "<span class=\"n\">Attempt</span>", "Time", "Provider", "Action"], rows, empty: empty)))
            """)
    }

    private func row(_ delivery: JSON, of emulator: DashboardEmulator) -> Markup {
        let number = String(delivery["number"]?.int ?? 0)
        let event = delivery["event"]?.string ?? ""
        let result: Markup =
            delivery["status"]?.int.map { Markup.status($0) }
            ?? "<span class=\"chip bad\">\(delivery["failure"]?.string ?? "no answer")</span>"
        return """
            <td>\(event, upTo: 80)<br><small>\(delivery["address"]?.string ?? "", upTo: 200)</small>\
            <details data-key="\(emulator.name) \(number)"><summary>Body<span class="hidden"> of call \(number)</span></summary>\(.document(delivery["body"] ?? .null, "Body of call \(number)"))\
            </details></td>\
            <td>\(result)</td><td class="n" data-name="Attempt">\(delivery["attempt"]?.int ?? 0)</td><td>\(emulator.time(delivery["date"]?.string))</td><td>\(emulator.mark)</td>\
            <td>\(visit.button("Repeat", PageAddress("deliveries", emulator.name, number, "again"), of: "\(event) \(number)"))</td>
            """
    }
}
