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
        page("POST", path) { try await UserPage($0).change() }
        page("POST", path + "/password") { try await UserPage($0).setPassword() }
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
        page("POST", path + "/factors") { try await UserPage($0).addFactor() }
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

    private func response() async throws -> EmulatorResponse {
        let user = try await emulator.call("GET", control())
        let sections = UserSections(visit: visit, emulator: emulator, id: id)
        let isDisabled = user["disabled"]?.bool == true
        let isVerified = user["emailConfirmed"]?.bool == true || (user["email"]?.string ?? "").isEmpty
        return Layout.page(
            visit, "User", in: "users", following: [.rows, .requests, .clock, .messages],
            """
            \(.live("user", overview(user)))
            <div class="actions">\(visit.button("Sign in as this user", route("sign-in"), isMain: true))
            \(visit.button(isDisabled ? "Enable" : "Disable", route("flags"), [("disabled", isDisabled ? "false" : "true")]))
            \(isVerified ? nil : visit.button("Mark the address as verified", route("flags"), [("emailConfirmed", "true")]) as Markup?)
            \(visit.guarded("Delete", route("delete"), "This deletes the user with all data. It cannot be undone."))</div>
            \(edit(user))
            <details><summary>New password</summary>\(visit.form(route("password"), """
                <div class="stack">\(.field("Password", "password", hint: "the policy does not apply"))<button>Set the password</button></div>
                """))</details>
            \(.live("sessions", await sections.sessions()))
            <h2>Second factors</h2>
            \(.live("factors", await sections.factors()))
            \(sections.newFactor)
            \(.live("requests", sections.requests()))
            \(.live("documents", await sections.documents(user)))
            """)
    }

    private func overview(_ user: JSON) -> Markup {
        let identities: [Markup] = (user["identities"]?.array ?? []).map { identity in
            "<li>\(identity["provider"]?.string ?? ""): <code>\(identity["subject"]?.string ?? "")</code></li>"
        }
        let marks: [Markup] = user.userMarks.map { " <span class=\"chip warn\">\($0)</span>" }
        return .values([
            ("User", "<strong>\(user.userName, upTo: 400)</strong>\(marks)"), ("Provider", emulator.mark),
            ("Id", .copyable(id, id: "user-id", "the id")), ("Name", "\(user["displayName"]?.string ?? "–")"),
            ("E-mail address", "\(user["email"]?.string ?? "–")"), ("Phone number", "\(user["phone"]?.string ?? "–")"),
            ("Password", user["hasPassword"]?.bool == true ? "yes" : "no"), ("Created", emulator.time(user["createdAt"]?.string)),
            ("Last sign-in", emulator.time(user["lastSignInAt"]?.string)),
            ("Identities", identities.isEmpty ? "–" : "<ul>\(identities)</ul>"),
        ])
    }

    /// Returns the form with all values; only changed ones are sent.
    private func edit(_ user: JSON) -> Markup {
        func field(_ label: String, _ name: String) -> Markup { .field(label, name, user[name]?.string ?? "", keeps: true) }
        func box(_ label: String, _ name: String) -> Markup { .box(label, name, user[name]?.bool == true, keeps: true) }
        func area(_ label: String, _ name: String) -> Markup {
            .area(label, name, (user[name] ?? [:]).text(.indented), keeps: true)
        }
        return """
            <details><summary>Edit</summary>\(visit.form(PageAddress("users", emulator.name, id), """
                <div class="stack">\(field("E-mail address", "email"))\(box("The address is verified", "emailConfirmed"))
                \(field("Phone number", "phone"))\(box("The number is verified", "phoneConfirmed"))\(field("Name", "displayName"))
                \(field("Photo URL", "photoURL"))\(box("Sign-in is rejected (disabled)", "disabled"))
                \(area("Metadata that the user may change", "userMetadata"))\(area("Metadata that only a server may change", "appMetadata"))
                \(area("Metadata that only a server may see", "privateMetadata"))<button class="main">Save the changes</button></div>
                """))</details>
            """
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
        return Layout.page(
            visit, "Signed in", in: "users",
            """
            <p>A session was opened by the provider's own code. The access token expires at \(.time(session["expiresAt"]?.string)).</p>
            <h2>Access token</h2>\(.copyable(token, id: "access-token", "the access token", isBlock: true))
            \(session["refreshToken"]?.string.map { "<h2>Refresh token</h2>\(.copyable($0, id: "refresh-token", "the refresh token", isBlock: true))" })
            <h2>For your app</h2>\(line)\(parts)
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
