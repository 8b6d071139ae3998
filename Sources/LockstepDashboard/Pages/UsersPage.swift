internal import LockstepEmulation
internal import LockstepPrimitives

/// `/users`: the users of all emulators, a search, and a form for a new one.
struct UsersPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/users") { try await UsersPage(visit: $0).response() }
        page("GET", "/users/new") { UsersPage(visit: $0).newUser() }
        page("POST", "/users") { try await UsersPage(visit: $0).create() }
        UserPage.add(page)
    }

    /// The number of users of an emulator per page.
    static let limit = 50

    func response() async throws -> EmulatorResponse {
        var parts: [Markup] = []
        for emulator in visit.shown { parts.append(try await part(of: emulator)) }
        return Layout.page(
            visit, "Users", in: "users", following: [.rows],
            tools: Layout.Tools(
                search: .search(visit, "users", "Search an id, address, number or name ( / )"),
                action: "<a class=\"button main\" href=\"/users/new\">New user</a>"),
            """
            \(.live("users", Markup(parts)))
            """)
    }

    private func part(of emulator: DashboardEmulator) async throws(ErrorPage) -> Markup {
        let document = try await emulator.call(
            "GET", PageAddress("users"),
            query: [("limit", String(Self.limit))]
                + [("query", visit.query("query")), ("after", visit.query("after"))]
                .compactMap { name, value in value.map { (name: name, value: $0) } })
        let users = document["users"]?.array ?? []
        let rows: [Markup] = users.map { Self.row($0, of: emulator) }
        let last = users.count == Self.limit ? document["last"]?.string : nil
        let next: Markup? = last.map {
            let address = PageAddress("users", query: ["provider": emulator.name, "query": visit.query("query"), "after": $0])
            return
                "<p><a class=\"button\" href=\"\(address)\">Next page<span class=\"hidden\"> of \(emulator.title)</span></a></p>"
        }
        let isWhole = last == nil && visit.query("after") == nil
        let found = visit.query("query") == nil ? "" : isWhole ? "\(users.count) of " : "some of "
        let count: Markup? = emulator.userCount.map {
            "<span class=\"quiet\">\(found)\($0) \($0 == 1 ? "user" : "users")</span>"
        }
        return """
            <h2>\(emulator.title) \(count)</h2>
            \(.table("Users of \(emulator.title)", ["User", "Name", "State", "Created", "Last sign-in"], rows, empty: "No users found."))\(next)

            """
    }

    private static func row(_ user: JSON, of emulator: DashboardEmulator) -> Markup {
        let id = user["id"]?.string ?? ""
        let marks: [Markup] = user.userMarks.map { " <span class=\"chip warn\">\($0)</span>" }
        return """
            <td><a class="name" href="\(PageAddress("users", emulator.name, id))">\(user.userName, upTo: 80)</a></td>\
            <td>\(user["displayName"]?.string ?? "", upTo: 60)</td><td>\(marks)</td>\
            <td>\(emulator.time(user["createdAt"]?.string))</td><td>\(emulator.time(user["lastSignInAt"]?.string))</td>
            """
    }

    private func newUser() -> EmulatorResponse {
        let names = (visit.chosen.map { [$0] } ?? visit.emulators).map { (value: $0.name, title: $0.title) }
        return Layout.page(
            visit, "New user", in: "users",
            """
            \(visit.form(PageAddress("users"), """
                <div class="stack">\(.choice("Provider", "provider", names))\(.field("E-mail address", "email", type: "text"))
                \(.box("The address is verified", "emailConfirmed", true))\(.field("Phone number", "phone", hint: "such as +15550100"))
                \(.field("Password", "password", hint: "the policy does not apply"))\(.field("Name", "displayName"))
                <button class="main">Create the user</button></div>
                """))
            """)
    }

    /// Creates a user from the given values.
    private func create() async throws -> EmulatorResponse {
        let name = visit.field("provider")
        guard let emulator = visit.emulators.first(where: { $0.name == name }) else {
            throw ErrorPage(422, "No emulator \"\(name.prefix(40))\" is running here. Choose one in the form.")
        }
        var values: JSONObject = [:]
        for field in ["email", "phone", "password", "displayName"] where !visit.field(field).isEmpty {
            values[field] = .string(visit.field(field))
        }
        if values["email"] != nil { values["emailConfirmed"] = .bool(visit.field("emailConfirmed") == "on") }
        if values["phone"] != nil { values["phoneConfirmed"] = true }
        let user = try await emulator.call("POST", PageAddress("users"), .object(values))
        return visit.done(.userCreated, at: PageAddress("users", emulator.name, user["id"]?.string ?? ""))
    }
}

extension JSON {
    /// The name of a user in a list: the address, the number, or the id.
    var userName: String {
        [self["email"], self["phone"], self["id"]].compactMap { $0?.string }.first { !$0.isEmpty } ?? "(user without an id)"
    }

    /// The state of a user in a list.
    var userMarks: [String] {
        let flags = [("disabled", "disabled"), ("anonymous", "guest")].filter { self[$0.0]?.bool == true }.map(\.1)
        let unverified = (self["email"]?.string ?? "").isEmpty || self["emailConfirmed"]?.bool == true ? [] : ["unverified"]
        let factors = (self["factors"]?.array ?? []).isEmpty ? [] : ["second factor"]
        return flags + unverified + factors
    }
}
