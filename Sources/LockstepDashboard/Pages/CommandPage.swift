internal import LockstepEmulation
internal import LockstepPrimitives

/// `/find`: what Ctrl-K finds on all pages: users, messages, settings and frequent actions.
struct CommandPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/find") { try await CommandPage(visit: $0).response() }
    }

    private static let limit = 8

    private func response() async throws -> EmulatorResponse {
        let query = try visit.searchText()?.lowercased() ?? ""
        var found: [Markup] = Layout.pages.filter { $0.title.lowercased().contains(bytesOf: query) }.map { page in
            link(PageAddress(page.path), page.title, "page")
        }
        found += actions.filter { $0.title.lowercased().contains(bytesOf: query) }.map { "<li>\($0.button)</li>" }
        if !query.isEmpty {
            for emulator in visit.emulators { found += try await entries(of: emulator, query) }
        }
        return Layout.page(
            visit, "Find", in: "find",
            tools: Layout.Tools(filters: false, search: .search(visit, "find", "A user, a message, a setting, an action")),
            .live(
                "found",
                "<ul class=\"plain\">\(found)</ul>\(found.isEmpty ? "<p class=\"empty\">Nothing matches. Type a part of an address, a subject, a code, the name of a setting or of a page.</p>" : nil as Markup?)"
            ))
    }

    private func entries(of emulator: DashboardEmulator, _ query: String) async throws -> [Markup] {
        var listing = UserListing()
        (listing.query, listing.limit, listing.isDescending) = (query, Self.limit, true)
        let users = try emulator.server.controlCalls.users(listing).map { user in
            link(PageAddress("users", emulator.name, user["id"]?.string ?? ""), user.userName, "user", emulator)
        }
        let messages = Message.all(of: emulator).filter { $0.matches(query) }.prefix(Self.limit).map { message in
            link(message.address, "\(message.to): \(message.title)", "message", emulator)
        }
        let all = try await emulator.call("GET", PageAddress("settings"))["settings"]?.array ?? []
        let settings = all.compactMap { $0["name"]?.string }.filter { $0.lowercased().contains(bytesOf: query) }
            .prefix(Self.limit).map { name in
                link(PageAddress("settings", query: ["provider": emulator.name, "name": name]), name, "setting", emulator)
            }
        return users + messages + settings
    }

    private func link(_ address: PageAddress, _ title: String, _ kind: String, _ emulator: DashboardEmulator? = nil) -> Markup {
        "<li><a class=\"name\" href=\"\(address)\">\(title, upTo: 120)</a> <span class=\"chip\">\(kind)</span> \(emulator?.mark)</li>"
    }

    private var actions: [(title: String, button: Markup)] {
        func clock(_ title: String, _ action: String) -> (String, Markup) {
            (title, visit.button(title, PageAddress("clock"), [("provider", ""), ("action", action)]))
        }
        return [
            clock("Advance one hour", "3600"), clock("Advance one day", "86400"), clock("Use the machine's time", "machine"),
            ("Remove all faults", visit.button("Remove all faults", PageAddress("faults", "lift-all"))),
            (
                "Offline on all backends",
                visit.button(
                    "Offline on all backends", PageAddress("faults", "ready-made"), [("name", "offline"), ("provider", "")])
            ),
            ("Run a sign-up on all", visit.button("Run a sign-up on all", PageAddress("side-by-side"))),
        ]
    }
}
