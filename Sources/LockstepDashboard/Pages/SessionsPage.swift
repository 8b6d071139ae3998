internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// `/sessions`: the sessions of the users that a page lists, and the content of a token.
struct SessionsPage {
    let visit: Visit

    static let columns: [Markup] = ["Session", "Signed in", "Last use", "Client", "Action"]

    typealias Adding = (_ page: (_ method: String, _ pattern: String, _ page: @escaping PageRoutes.Page) -> Void) -> Void

    /// The routes.
    ///
    /// - Parameter checks: Checks a token that a person pastes.
    /// - Returns: A function that adds the pages.
    static func add(checkingBy checks: TokenChecks?) -> Adding {
        { page in
            page("GET", "/sessions") { try await SessionsPage(visit: $0).response() }
            page("POST", "/sessions/decode") { try await SessionsPage(visit: $0).decode(checkingBy: checks) }
            page("POST", "/sessions/{provider}/{id}/end") { visit in
                let emulator = try visit.emulator()
                try await emulator.call("DELETE", PageAddress("sessions", visit.request[placeholder: "id"]))
                return visit.done(.sessionEnded, at: PageAddress("sessions", query: ["provider": emulator.name]))
            }
        }
    }

    /// Returns a session as a table row.
    static func row(_ session: JSON, of emulator: DashboardEmulator, in visit: Visit) -> Markup {
        let id = session["id"]?.string ?? ""
        let program = [session["userAgent"]?.string, session["address"]?.string].compactMap(\.self).joined(separator: ", ")
        return """
            <td><code>\(id, upTo: 60)</code>\(session["secondFactor"]?.bool == true ? " with a second factor" : "")</td>\
            <td data-name="Signed in">\(emulator.time(session["createdAt"]?.string))</td>\
            <td data-name="Last use">\(emulator.time(session["lastUsedAt"]?.string))</td><td>\(program, upTo: 120)</td>\
            <td>\(visit.button("End", PageAddress("sessions", emulator.name, id, "end"), of: "session \(id)"))</td>
            """
    }

    private func response() async throws -> EmulatorResponse {
        var rows: [Markup] = []
        var notes: [Markup] = []
        for emulator in visit.shown {
            let query = [(name: "limit", value: "50")] + (visit.query("query").map { [(name: "query", value: $0)] } ?? [])
            let users = try await emulator.call("GET", PageAddress("users"), query: query)["users"]?.array ?? []
            for user in users {
                let id = user["id"]?.string ?? ""
                let answer = await emulator.server.controlCalls.send("GET", PageAddress("users", id, "sessions").text)
                if let refusal = answer.refusal {
                    notes.append("<p class=\"empty\">\(emulator.title): \(refusal, upTo: 400)</p>")
                    break
                }
                let name: Markup =
                    "<td><a class=\"name\" href=\"\(PageAddress("users", emulator.name, id))\">\(user.userName, upTo: 80)</a></td>"
                rows += (answer.document["sessions"]?.array ?? []).map {
                    "\(name)\(Self.row($0, of: emulator, in: visit))<td>\(emulator.mark)</td>"
                }
            }
            if users.count == 50 {
                notes.append("<p>\(emulator.title): these are the sessions of the first 50 users. Search for others.</p>")
            }
        }
        let empty: Markup =
            visit.query("query") == nil
            ? "No sessions yet. Sign in in your app, or open <a href=\"/users\">a user</a> and choose “Sign in as this user”."
            : visit.noMatch("session of such a user", at: "sessions")
        return Layout.page(
            visit, "Sessions", in: "sessions", following: [.rows],
            tools: Layout.Tools(search: .search(visit, "sessions", "Search for users ( / )")),
            """
            \(.live("sessions", "\(.table("Sessions", ["User"] + Self.columns + ["Provider"], rows, empty: empty))\(notes)"))
            <h2>Read a token</h2>
            <p>This shows the header and the claims of a JSON Web Token, and checks it as a server does.</p>
            \(visit.form(PageAddress("sessions", "decode"), """
                <div class="stack">\(.area("Token", "jwt", "", rows: 4))<button>Read the token</button></div>
                """))
            """)
    }

    /// Shows and checks a token, which is not in the address.
    private func decode(checkingBy checks: TokenChecks?) async throws -> EmulatorResponse {
        let text = String(String.UnicodeScalarView(visit.field("jwt").unicodeScalars.filter { !$0.properties.isWhitespace }))
        let token: UnverifiedToken
        do throws(TokenError) {
            token = try UnverifiedToken(text)
        } catch {
            throw ErrorPage(422, "This is not a token. \(error.message)")
        }
        let checked = await checks?.check(Secret(text))
        let now = checked?.now ?? visit.clock.now
        let times: [(name: String, value: Markup)] = [
            ("Issued", "iat"), ("Valid from", "nbf"), ("Signed in", "auth_time"), ("Expires", "exp"),
        ].compactMap { title, name in
            guard let seconds = token.claims[name]?.double, abs(seconds) < 1e11 else { return nil }
            let instant = Instant(seconds: Int64(seconds))
            return ("\(title) (\(name))", "\(.time(instant.rfc3339)) (\(Age(of: instant, at: now).words))")
        }
        return Layout.page(
            visit, "Token", in: "sessions",
            """
            \(report(checked?.verdicts, by: checks?.authority ?? ""))
            <h2>Times</h2>\(times.isEmpty ? "<p class=\"empty\">The token has no times.</p>" : .values(times))
            <h2>Header</h2>\(.document(.object(token.header), "Header"))
            <h2>Claims</h2>\(.document(.object(token.claims), "Claims"))
            <p><a href="/sessions">Back to the sessions</a></p>
            """)
    }

    /// Each check of a token, with its verdict and reason.
    private func report(_ verdicts: [TokenVerdict]?, by authority: String) -> Markup {
        guard let verdicts else { return "<p>The signature was not checked.</p>" }
        let rest = verdicts.filter { $0.verdict != "passed" }.map(\.subject).joined(separator: ", ")
        let sentence =
            verdicts.contains { $0.verdict == "failed" }
            ? "The token is not valid: \(rest)."
            : rest.isEmpty && !verdicts.isEmpty ? "The token is valid." : "The token could not be checked: \(rest)."
        let rows: [Markup] = verdicts.map {
            "<td>\($0.subject)</td><td><span class=\"chip \($0.verdict == "passed" ? "good" : $0.verdict == "failed" ? "bad" : "warn")\">\($0.verdict)</span></td><td>\($0.reason, upTo: 600)</td>"
        }
        return """
            <p><strong>\(sentence)</strong></p>
            <h2>Checks</h2><p>By the keys and the clock of \(authority, upTo: 600).</p>
            \(.table("Checks", ["Check", "Verdict", "Reason"], rows, empty: "No checks."))
            """
    }
}
