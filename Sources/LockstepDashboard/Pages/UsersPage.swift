internal import LockstepEmulation
internal import LockstepPrimitives

/// `/users`: the users of all emulators in one table, and `/users/new`: a form for a new one.
struct UsersPage {
    let visit: Visit

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        page("GET", "/users") { try UsersPage(visit: $0).response() }
        page("GET", "/users/new") { UsersPage(visit: $0).form() }
        page("POST", "/users") { visit in
            do {
                return try await UsersPage(visit: visit).create()
            } catch let problem as ErrorPage where problem.status == 422 {
                return UsersPage(visit: visit).form(problem)
            }
        }
        UserPage.add(page)
    }

    /// The number of users per page.
    private static let limit = 50
    private static let lastPage = 100

    private static let orders: [(order: UserListing.Order, name: String, title: String)] = [
        (.address, "address", "User"), (.created, "created", "Created"), (.signedIn, "signed-in", "Last sign-in"),
    ]
    private static let states: [(state: UserListing.State?, name: String, title: String)] = [
        (nil, "", "Any state"), (.verified, "verified", "Verified"), (.unverified, "unverified", "Unverified"),
        (.anonymous, "anonymous", "Anonymous"), (.disabled, "disabled", "Disabled"),
        (.secondFactor, "second-factor", "Second factor"),
    ]
    private static let methods: [(value: String, title: String)] = [
        ("", "Any method"), ("password", "Password"), ("phone", "Phone"), ("google", "Google"), ("apple", "Apple"),
        ("github", "GitHub"), ("facebook", "Facebook"),
    ]

    // MARK: The list

    /// The order of the page: the newest users first, unless a head of the table was clicked.
    private var order: (order: UserListing.Order, isDescending: Bool) {
        let chosen = Self.orders.first { $0.name == visit.query("sort") }?.order ?? .created
        return (chosen, visit.query("order").map { $0 == "down" } ?? (chosen != .address))
    }

    private func response() throws -> EmulatorResponse {
        let page = min(max(visit.query("page").flatMap { Int($0) } ?? 1, 1), Self.lastPage)
        var listing = UserListing()
        (listing.order, listing.isDescending) = order
        listing.query = try visit.searchText()
        listing.state = Self.states.first { $0.name == visit.query("state") }?.state
        listing.method = Self.methods.contains { $0.value == visit.query("method") } ? visit.query("method") : nil
        // Each emulator could have all users of the page.
        listing.limit = Self.limit * page
        let isFiltered = listing.query != nil || listing.state != nil || listing.method != nil
        let total = visit.shown.reduce(0) { $0 + ($1.userCount ?? 0) }
        var users: [ListedUser] = []
        var count = isFiltered ? 0 : total
        for emulator in visit.shown {
            let calls = emulator.server.controlCalls
            users += try calls.users(listing).map { ListedUser(emulator: emulator, user: $0, order: listing.order) }
            if isFiltered { count += try calls.userCount(listing) }
        }
        if visit.shown.count > 1 { users = ListedUser.merged(users, isDescending: listing.isDescending) }
        let rows = users.dropFirst(Self.limit * (page - 1)).prefix(Self.limit).map(\.row)
        let empty: Markup =
            isFiltered
            ? visit.noMatch("user", at: "users") : "No users yet. <a href=\"/users/new\">Create one</a>, or sign up in your app."
        let next = page < Self.lastPage && count > Self.limit * page
        return Layout.page(
            visit, "Users", in: "users", following: [.rows], count: isFiltered ? "\(count) of \(total)" : "\(total)",
            tools: Layout.Tools(
                search: .search(
                    visit, "users", "Search an id, address, number or name ( / )",
                    """
                    \(.choice("State", "state", Self.states.map { ($0.name, $0.title) }, chosen: visit.query("state") ?? "", isPlain: true))\
                    \(.choice("Method", "method", Self.methods, chosen: visit.query("method") ?? "", isPlain: true))
                    """),
                action:
                    "<a class=\"button main\" href=\"\(PageAddress("users", "new", query: ["provider": visit.chosen?.name]))\">New user</a>"
            ),
            .live(
                "users",
                """
                \(.table("Users", columns, rows, empty: empty))
                <p>\(page > 1 ? link("Previous page", page: page - 1) : nil) \(next ? link("Next page", page: page + 1) : nil)</p>
                """))
    }

    private var columns: [Markup] {
        let (chosen, isDescending) = order
        let heads = Self.orders.map { order, name, title -> Markup in
            let isChosen = order == chosen
            let direction = isChosen ? (isDescending ? "up" : "down") : order == .address ? "up" : "down"
            let mark: Markup = isChosen ? (isDescending ? " ↓" : " ↑") : ""
            let state: Markup = isChosen ? (isDescending ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"") : ""
            return "<th scope=\"col\"\(state)><a href=\"\(address(sort: name, order: direction))\">\(title)\(mark)</a></th>"
        }
        return [heads[0], "Name", "State", "Signs in with", heads[1], heads[2], "Provider"]
    }

    private func address(sort: String?, order: String?, page: Int? = nil) -> PageAddress {
        PageAddress(
            "users",
            query: [
                "provider": visit.chosen?.name, "query": visit.query("query"), "state": visit.query("state"),
                "method": visit.query("method"), "sort": sort, "order": order, "page": page.map { String($0) },
            ])
    }

    private func link(_ title: String, page: Int) -> Markup {
        "<a class=\"button\" href=\"\(address(sort: visit.query("sort"), order: visit.query("order"), page: page))\">\(title)</a>"
    }

    // MARK: A new user

    private func form(_ problem: ErrorPage? = nil) -> EmulatorResponse {
        let names = visit.emulators.map { (value: $0.name, title: $0.title) }
        func field(_ label: String, _ name: String, hint: String = "") -> Markup {
            .field(label, name, visit.field(name), hint: hint, problem: problem)
        }
        let isVerified = problem == nil || visit.field("emailConfirmed") == "on"
        return Layout.page(
            visit, "New user", in: "users", problem: problem,
            visit.form(
                PageAddress("users"),
                """
                <div class="stack">\(.choice("Provider", "provider", names, chosen: problem == nil ? visit.chosen?.name ?? "" : visit.field("provider")))
                \(field("E-mail address", "email"))\(.box("The address is verified", "emailConfirmed", isVerified))
                \(field("Phone number", "phone", hint: "such as +15550100"))
                \(field("Password", "password", hint: "the policy does not apply"))\(field("Name", "displayName"))
                <button class="main">Create the user</button></div>
                """))
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

/// A user in the table, with the value by which the table is ordered.
private struct ListedUser {
    let emulator: DashboardEmulator
    let user: JSON
    let date: Instant
    let text: String

    init(emulator: DashboardEmulator, user: JSON, order: UserListing.Order) {
        (self.emulator, self.user) = (emulator, user)
        func instant(_ name: String) -> Instant {
            user[name]?.string.flatMap { Instant(rfc3339: $0) } ?? Instant(milliseconds: 0)
        }
        date = order == .created ? instant("createdAt") : order == .signedIn ? instant("lastSignInAt") : Instant(milliseconds: 0)
        text = order == .address ? user.userName.lowercased() : ""
    }

    /// Merges the lists of several emulators, each of which is ordered; users with the same value keep their order.
    static func merged(_ users: [ListedUser], isDescending: Bool) -> [ListedUser] {
        users.enumerated().sorted { one, other in
            if one.element.date != other.element.date { return (one.element.date < other.element.date) != isDescending }
            let (left, right) = (one.element.text.utf8, other.element.text.utf8)
            if !left.elementsEqual(right) { return left.lexicographicallyPrecedes(right) != isDescending }
            return one.offset < other.offset
        }.map(\.element)
    }

    var row: Markup {
        let id = user["id"]?.string ?? ""
        return """
            <td><a class="name" href="\(PageAddress("users", emulator.name, id))">\(user.userName, upTo: 80)</a></td>\
            <td>\(user["displayName"]?.string ?? "", upTo: 60)</td><td>\(user.userMarks)</td><td class="quiet">\(user.methods, upTo: 80)</td>\
            <td data-name="Created">\(emulator.time(user["createdAt"]?.string))</td>\
            <td data-name="Last sign-in">\(emulator.time(user["lastSignInAt"]?.string))</td><td>\(emulator.mark)</td>
            """
    }
}

extension JSON {
    /// The name of a user in a list: the address, the number, or the id.
    var userName: String {
        [self["email"], self["phone"], self["id"]].compactMap { $0?.string }.first { !$0.isEmpty } ?? "(user without an id)"
    }

    /// The state of a user in a list.
    var userMarks: [Markup] {
        let marks: [(name: Markup, kind: Markup, isSet: Bool)] = [
            ("disabled", "bad", self["disabled"]?.bool == true), ("anonymous", "", self["anonymous"]?.bool == true),
            ("unverified", "warn", !(self["email"]?.string ?? "").isEmpty && self["emailConfirmed"]?.bool != true),
            ("second factor", "good", !(self["factors"]?.array ?? []).isEmpty),
        ]
        return marks.filter(\.isSet).map { " <span class=\"chip \($0.kind)\">\($0.name)</span>" }
    }

    /// How a user can sign in, in words.
    var methods: String {
        let known = (self["identities"]?.array ?? []).compactMap { $0["provider"]?.string }
        let others = known.filter { !["email", "phone", "password"].contains($0) }
        let phone = (self["phone"]?.string ?? "").isEmpty ? [] : ["phone"]
        return ((self["hasPassword"]?.bool == true ? ["password"] : []) + phone + others).joined(separator: ", ")
    }
}
