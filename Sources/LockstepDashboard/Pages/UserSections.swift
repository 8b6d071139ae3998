internal import LockstepEmulation
internal import LockstepPrimitives

/// The sections for sessions, second factors, requests and documents of a user.
struct UserSections {
    let visit: Visit
    let emulator: DashboardEmulator
    let id: String

    private func route(_ parts: String) -> PageAddress { PageAddress("users", emulator.name, id, parts) }

    func sessions() async -> Markup {
        let answer = await emulator.server.controlCalls.send("GET", PageAddress("users", id, "sessions").text)
        if let refusal = answer.refusal { return "<h2>Sessions</h2><p class=\"empty\">\(refusal, upTo: 400)</p>" }
        let sessions = answer.document["sessions"]?.array ?? []
        let rows: [Markup] = sessions.map { SessionsPage.row($0, of: emulator, in: visit) }
        let end: Markup =
            sessions.isEmpty
            ? "" : "\(visit.button("End all sessions", PageAddress("users", emulator.name, id, "sessions", "end")))"
        return """
            <h2>Sessions</h2>\(.table("Sessions", SessionsPage.columns, rows, empty: "No sessions. Sign in in your app, or choose “Sign in as this user”."))\(end)
            """
    }

    /// Returns the factors with their current codes.
    func factors() async -> Markup {
        let calls = emulator.server.controlCalls
        let answer = await calls.send("GET", PageAddress("users", id, "factors").text)
        if let refusal = answer.refusal { return "<p class=\"empty\">\(refusal, upTo: 400)</p>" }
        var cards: [Markup] = []
        for factor in answer.document["factors"]?.array ?? [] {
            let factorID = factor["id"]?.string ?? ""
            let code = await calls.send("GET", PageAddress("users", id, "factors", factorID, "code").text)
            cards.append(card(factor, code: code))
        }
        return cards.isEmpty
            ? "<p class=\"empty\">No second factors. Add one below, or in your app.</p>" : "<div class=\"cards\">\(cards)</div>"
    }

    private func card(_ factor: JSON, code: ControlCalls.Answer) -> Markup {
        let factorID = factor["id"]?.string ?? ""
        let title = factor["kind"]?.string == "totp" ? "Authenticator app" : "Phone"
        let shown: Markup =
            code.document["code"]?.string.map { "<p data-timed>Code now: <span class=\"code\">\($0)</span></p>" }
            ?? "<p class=\"empty\">\(code.refusal ?? "", upTo: 400)</p>"
        let picture: Markup? = factor["uri"]?.string.flatMap {
            QRCode(Array($0.utf8))?.picture(named: "QR code for an authenticator app")
        }
        let secret: Markup? = factor["secret"]?.string.map {
            "<p>Secret: \(.copyable($0, id: "secret-\(factorID)", "the secret"))</p>"
        }
        return """
            <div class="card"><h3>\(title)</h3><p>\(factor["name"]?.string ?? factor["phone"]?.string ?? "")</p>\(shown)\(picture)\(secret)
            \(visit.button("Remove", PageAddress("users", emulator.name, id, "factors", factorID, "remove"), of: title))</div>
            """
    }

    var newFactor: Markup {
        """
        \(visit.form(route("factors"), """
            <div class="stack">\(.choice("Kind", "kind", [("totp", "Authenticator app"), ("phone", "Phone")]))
            \(.field("Phone number", "phone", hint: "only for a phone, such as +15550100"))<button>Add the factor</button></div>
            """))
        """
    }

    func documents(_ user: JSON) async -> Markup {
        let own = await OwnDocument.user(id, of: emulator)
        let passkeys: [Markup] = (own.map(OwnDocument.passkeys) ?? []).map { "<li>\($0)</li>" }
        return """
            <h2>Passkeys</h2>\(passkeys.isEmpty ? "<p class=\"empty\">No passkeys. Your app registers them, with a signed-in user.</p>" : "<ul>\(passkeys)</ul>" as Markup)
            <h2>The user as JSON</h2>
            \(own.map { "<h3>As the provider's API returns it</h3>\(.document($0, "The user as the provider's API returns it"))" })
            <h3>As the control API returns it</h3>\(.document(user, "The user as the control API returns it"))
            """
    }
}
