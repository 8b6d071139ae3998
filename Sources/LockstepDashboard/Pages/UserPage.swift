internal import LockstepEmulation
internal import LockstepPrimitives

/// `/users/{provider}/{id}`: one user.
struct UserPage {
    let visit: Visit
    let emulator: DashboardEmulator
    let id: String

    init(_ visit: Visit) throws(ErrorPage) {
        self.visit = visit
        emulator = try visit.emulator()
        id = visit.request[placeholder: "id"]
    }

    static func add(_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) {
        let path = "/users/{provider}/{id}"
        page("GET", path) { try await UserPage($0).response() }
        page("POST", path) { visit in try await UserPage(visit).corrected("edit") { try await $0.change() } }
        page("POST", path + "/password") { visit in
            try await UserPage(visit).corrected("password") { try await $0.setPassword() }
        }
        page("POST", path + "/flags") { try await UserPage($0).setFlags() }
        page("POST", path + "/delete") { visit in
            let page = try UserPage(visit)
            try await page.emulator.call("DELETE", page.control())
            return visit.done(.userDeleted, at: PageAddress("users", query: ["provider": page.emulator.name]))
        }
        page("POST", path + "/sign-in") { try await UserPage($0).signIn() }
        page("POST", path + "/sessions/end") { visit in
            let page = try UserPage(visit)
            try await page.emulator.call("DELETE", page.control("sessions"))
            return visit.done(.sessionsEnded, at: page.address)
        }
        page("POST", path + "/factors") { visit in try await UserPage(visit).corrected("factor") { try await $0.addFactor() } }
        page("POST", path + "/factors/{factor}/remove") { visit in
            let page = try UserPage(visit)
            try await page.emulator.call("DELETE", PageAddress("users", page.id, "factors", visit.request[placeholder: "factor"]))
            return visit.done(.factorRemoved, at: page.address)
        }
    }

    /// The address of the page.
    var address: PageAddress { PageAddress("users", emulator.name, id) }

    /// Returns a control route of the user.
    private func control(_ part: String? = nil) -> PageAddress {
        part.map { PageAddress("users", id, $0) } ?? PageAddress("users", id)
    }

    private func route(_ part: String) -> PageAddress { PageAddress("users", emulator.name, id, part) }

    /// Returns the response to a form; if it is rejected, the form with the values that a person has typed.
    private func corrected(_ form: String, _ body: (UserPage) async throws -> EmulatorResponse) async throws -> EmulatorResponse {
        do {
            return try await body(self)
        } catch let problem as ErrorPage where problem.status == 422 {
            return try await response((form, problem))
        }
    }

    private func response(_ rejected: (form: String, problem: ErrorPage)? = nil) async throws -> EmulatorResponse {
        let user = try await emulator.call("GET", control())
        let sections = UserSections(visit: visit, emulator: emulator, id: id)
        let isDisabled = user["disabled"]?.bool == true
        let isVerified = user["emailConfirmed"]?.bool == true || (user["email"]?.string ?? "").isEmpty
        let names = ["email", "phone"].compactMap { user[$0]?.string }
        let timeline = await Timeline(of: [emulator], limit: 30, user: (id, names))
        func open(_ form: String) -> Markup { rejected?.form == form ? " open" : "" }
        return Layout.page(
            visit, user.userName, in: "users", following: [.rows, .requests, .clock, .messages], problem: rejected?.problem,
            """
            <div class="actions">\(visit.button("Sign in as this user", route("sign-in"), isMain: true))
            \(visit.button(isDisabled ? "Enable" : "Disable", route("flags"), [("disabled", isDisabled ? "false" : "true")]))
            \(isVerified ? nil : visit.button("Mark the address as verified", route("flags"), [("emailConfirmed", "true")]) as Markup?)
            \(.copyable(markdown: Markdown(emulator.server.panel.withoutSecrets(user), timeline, provider: emulator.title).text, id: "markdown"))
            \(visit.guarded("Delete", route("delete"), "This deletes the user with all data. It cannot be undone."))</div>
            \(.live("user", overview(user, lastCode(of: names))))
            <details\(open("edit"))><summary>Edit</summary>\(edit(user, rejected?.problem))</details>
            <details\(open("password"))><summary>New password</summary>\(visit.form(route("password"), """
                <div class="stack">\(.field("Password", "password", hint: "the policy does not apply"))<button>Set the password</button></div>
                """))</details>
            <h2>Timeline</h2>
            \(.live("life", TimelineTable(timeline: timeline, empty: "No events of this user among the last 500 requests.").markup))
            \(.live("sessions", await sections.sessions()))
            <h2>Second factors</h2>
            \(.live("factors", await sections.factors()))
            <details\(open("factor"))><summary>Add a second factor</summary>\(sections.newFactor)</details>
            \(.live("documents", await sections.documents(user)))
            """)
    }

    /// The newest message to the user that has a code.
    private func lastCode(of names: [String]) -> Message? {
        let known = names.map { $0.lowercased().exact }
        return Message.all(of: emulator).filter { $0.code != nil && known.contains($0.to.lowercased().exact) }
            .max { $0.number < $1.number }
    }

    private func overview(_ user: JSON, _ last: Message?) -> Markup {
        let code: Markup =
            last.map {
                "\(CopyableCode(text: $0.code ?? "").markup) <a href=\"\($0.address)\">\(emulator.time($0.date.rfc3339))</a>"
            } ?? "–"
        let identities: [Markup] = (user["identities"]?.array ?? []).map { identity in
            "<li>\(identity["provider"]?.string ?? ""): <code>\(identity["subject"]?.string ?? "")</code></li>"
        }
        return .values([
            ("State", user.userMarks.isEmpty ? "active" : Markup(user.userMarks)), ("Provider", emulator.mark),
            ("Last code", code), ("Id", .copyable(id, id: "user-id", "the id")),
            ("Name", "\(user["displayName"]?.string ?? "–")"),
            ("E-mail address", "\(user["email"]?.string ?? "–")"), ("Phone number", "\(user["phone"]?.string ?? "–")"),
            ("Password", user["hasPassword"]?.bool == true ? "yes" : "no"), ("Created", emulator.time(user["createdAt"]?.string)),
            ("Last sign-in", emulator.time(user["lastSignInAt"]?.string)),
            ("Identities", identities.isEmpty ? "–" : "<ul>\(identities)</ul>"),
        ])
    }

    /// Returns the form with all values; only changed ones are sent.
    private func edit(_ user: JSON, _ problem: ErrorPage?) -> Markup {
        // After a rejection, a field keeps what was typed, and still knows the stored value.
        func typed(_ name: String) -> String? { visit.fields["was-" + name] == nil ? nil : visit.fields[name] ?? "" }
        func field(_ label: String, _ name: String) -> Markup {
            .field(label, name, typed(name) ?? user[name]?.string ?? "", keeps: user[name]?.string ?? "", problem: problem)
        }
        func box(_ label: String, _ name: String) -> Markup {
            .box(label, name, typed(name).map { $0 == "on" } ?? (user[name]?.bool == true), keeps: user[name]?.bool == true)
        }
        func area(_ label: String, _ name: String) -> Markup {
            let stored = (user[name] ?? [:]).text(.indented)
            return .area(label, name, typed(name) ?? stored, keeps: stored)
        }
        return visit.form(
            PageAddress("users", emulator.name, id),
            """
            <div class="stack">\(field("E-mail address", "email"))\(box("The address is verified", "emailConfirmed"))
            \(field("Phone number", "phone"))\(box("The number is verified", "phoneConfirmed"))\(field("Name", "displayName"))
            \(field("Photo URL", "photoURL"))\(box("Sign-in is rejected (disabled)", "disabled"))
            \(area("Metadata that the user may change", "userMetadata"))\(area("Metadata that only a server may change", "appMetadata"))
            \(area("Metadata that only a server may see", "privateMetadata"))<button class="main">Save the changes</button></div>
            """)
    }
}

// MARK: Changes

extension UserPage {
    private func change() async throws -> EmulatorResponse {
        var values: JSONObject = [:]
        for name in ["email", "phone", "displayName", "photoURL"] {
            if let value = visit.changed(name) { values[name] = .string(value) }
        }
        for name in ["emailConfirmed", "phoneConfirmed", "disabled"] where visit.field(name) != visit.field("was-" + name) {
            values[name] = .bool(visit.field(name) == "on")
        }
        for name in ["userMetadata", "appMetadata", "privateMetadata"] {
            guard let text = visit.changed(name) else { continue }
            guard let object = (try? JSON.parse(text))?.object else {
                throw ErrorPage(422, "The metadata is not a JSON object. Check quotes and braces: \"\(text.prefix(60))\".")
            }
            values[name] = .object(object)
        }
        return try await patch(values)
    }

    private func setFlags() async throws -> EmulatorResponse {
        var values: JSONObject = [:]
        for name in ["disabled", "emailConfirmed"] {
            if let value = visit.fields[name] { values[name] = .bool(value == "true") }
        }
        return try await patch(values)
    }

    private func setPassword() async throws -> EmulatorResponse {
        guard !visit.field("password").isEmpty else { throw ErrorPage(422, "The password is empty. Type one.") }
        return try await patch(["password": .string(visit.field("password"))])
    }

    private func patch(_ values: JSONObject) async throws -> EmulatorResponse {
        if !values.isEmpty { try await emulator.call("PATCH", control(), .object(values)) }
        return visit.done(.userChanged, at: address)
    }

    private func addFactor() async throws -> EmulatorResponse {
        var values: JSONObject = ["kind": .string(visit.field("kind"))]
        if !visit.field("phone").isEmpty { values["phone"] = .string(visit.field("phone")) }
        try await emulator.call("POST", control("factors"), .object(values))
        return visit.done(.factorAdded, at: address)
    }

    /// Opens a session, and shows its tokens on a page without an address.
    private func signIn() async throws -> EmulatorResponse {
        let session = try await emulator.call("POST", control("sign-in"), [:])
        let token = session["accessToken"]?.string ?? ""
        let handover = session["handover"]?.object ?? [:]
        let parts: [Markup] = handover.enumerated().map { place, part in
            let text = part.value.string ?? part.value.text(.indented)
            return "<h3>\(part.name)</h3>\(.copyable(text, id: "handover-\(place)", part.name, isBlock: true))"
        }
        let line = Self.line(for: handover).map { line -> Markup in
            """
            <p>Paste this line into the browser's console on the page of your app, and reload the page:</p>
            \(.copyable(line, id: "line", "the line for the console", isBlock: true))
            """
        }
        let curl = "curl -H 'Authorization: Bearer \(token)' http://localhost:3000/"
        return Layout.page(
            visit, "Signed in", in: "users",
            """
            <p>A session was opened by the provider's own code. The access token expires at \(.time(session["expiresAt"]?.string)).</p>
            <h2>In your app</h2>\(line)
            <h2>On your server</h2>\(.copyable(curl, id: "curl", "the request with the token", isBlock: true))
            <details><summary>Tokens</summary>
            <h3>Access token</h3>\(.copyable(token, id: "access-token", "the access token", isBlock: true))
            \(session["refreshToken"]?.string.map { "<h3>Refresh token</h3>\(.copyable($0, id: "refresh-token", "the refresh token", isBlock: true))" })
            \(parts)</details>
            <p><a href="\(address)">Back to the user</a></p>
            """)
    }

    /// Returns the JavaScript that signs in on an app's page.
    private static func line(for handover: JSONObject) -> String? {
        if let key = handover["storageKey"], let value = handover["session"] ?? handover["user"] {
            return "localStorage.setItem(\(key.text(.visible)), JSON.stringify(\(value.text(.visible))))"
        }
        return handover["ticket"].map { ticket in
            "await Clerk.client.signIn.create({ strategy: \"ticket\", ticket: \(ticket.text(.visible)) })"
                + ".then((signIn) => Clerk.setActive({ session: signIn.createdSessionId }))"
        }
    }
}
