internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSystem

/// The requests of one sign-up on one backend, as the provider's SDK sends them.
struct SignUpJourney: Sendable {
    let emulator: DashboardEmulator
    let run: SignUpRun
    let clock: any DeviceClock

    private static let password = "Correct-Horse-1"

    /// A step that failed; the column says so, and ends.
    private struct Failure: Error {}

    private typealias Script = @Sendable (SignUpJourney) async throws -> Void

    func perform() async {
        let scripts: [String: Script] = ["firebase": Self.firebase, "gotrue": Self.goTrue, "clerk": Self.clerk]
        try? await scripts[emulator.name]?(self)
    }

    private static let goTrue: Script = { journey in
        let headers = ["apikey": journey.variable("publishable")]
        let credentials: JSON = ["email": .string(journey.run.email), "password": .string(password)]
        let signedUp = try await journey.post(.signUp, "/auth/v1/signup", credentials, headers) {
            $0["access_token"] == nil ? "accepted; no session yet" : "accepted, with a session"
        }
        var session = signedUp
        if signedUp["access_token"] == nil {
            let message = try journey.message()
            if let code = message.code {
                let body: JSON = ["type": "signup", "email": .string(journey.run.email), "token": .string(code)]
                session = try await journey.post(.verification, "/auth/v1/verify", body, headers) { _ in "the code from the mail"
                }
            } else {
                try await journey.open(message, .verification, "the link from the mail; the session is in the redirect")
                journey.run.set(.session, of: journey.emulator, .init(words: "after the link, in the app's page"))
                return
            }
        } else {
            journey.run.set(.message, of: journey.emulator, .init(words: "none: the settings confirm addresses by themselves"))
            journey.run.set(.verification, of: journey.emulator, .init(words: "not needed"))
        }
        let token = session["refresh_token"]?.string ?? ""
        journey.run.set(
            .session, of: journey.emulator,
            .init(words: signedUp["access_token"] == nil ? "with the verification; the address is verified" : "at the sign-up"))
        _ = try await journey.post(
            .refresh, "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .string(token)], headers
        ) {
            $0["refresh_token"]?.string == token ? "the refresh token stays" : "a new refresh token; the old one is used up"
        }
    }

    private static let firebase: Script = { journey in
        let (key, api) = ("?key=" + journey.variable("api_key"), "/identitytoolkit.googleapis.com/v1/accounts:")
        let credentials: JSON = [
            "email": .string(journey.run.email), "password": .string(password), "returnSecureToken": true,
        ]
        let session = try await journey.post(.signUp, api + "signUp" + key, credentials) { _ in "accepted, with a session" }
        journey.run.set(.session, of: journey.emulator, .init(words: "at the sign-up; the address is not verified"))
        let ask: JSON = ["requestType": "VERIFY_EMAIL", "idToken": session["idToken"] ?? .null]
        _ = try await journey.post(.message, api + "sendOobCode" + key, ask) { _ in "only if the app asks" }
        try await journey.open(try journey.message(), .verification, "the link from the mail; the app polls")
        let token = session["refreshToken"]?.string ?? ""
        let form = Percent.encodeForm([("grant_type", "refresh_token"), ("refresh_token", token)])
        _ = try await journey.post(.refresh, "/securetoken.googleapis.com/v1/token" + key, form: form) {
            $0["refresh_token"]?.string == token ? "the refresh token stays" : "a new refresh token"
        }
    }

    private static let clerk: Script = { journey in
        let browser = try await journey.post(nil, "/v1/dev_browser", form: "") { _ in "" }
        let client = "?__clerk_db_jwt=" + Percent.encode((browser["token"] ?? browser["id"])?.string ?? "")
        let path = "/v1/client/sign_ups"
        let fields = Percent.encodeForm([("email_address", journey.run.email), ("password", password)])
        let signUp = try await journey.post(.signUp, path + client, form: fields) { document in
            document["response"]?["status"]?.string == "complete" ? "accepted, with a session" : "begun; no user yet"
        }
        var state = signUp["response"] ?? .null
        if state["status"]?.string != "complete" {
            let own = "\(path)/\(state["id"]?.string ?? "")"
            _ = try await journey.post(.message, "\(own)/prepare_verification\(client)", form: "strategy=email_code") { _ in
                "only if the app asks"
            }
            let code = try journey.message().code ?? ""
            let attempt = Percent.encodeForm([("strategy", "email_code"), ("code", code)])
            state =
                try await journey.post(.verification, "\(own)/attempt_verification\(client)", form: attempt) { _ in
                    "the code from the mail; now there is a user"
                }["response"] ?? .null
        }
        journey.run.set(.session, of: journey.emulator, .init(words: "with the verification; the address is verified"))
        let session = state["created_session_id"]?.string ?? ""
        _ = try await journey.post(.refresh, "/v1/client/sessions/\(session)/tokens\(client)", form: "") { _ in
            "a token for 60 seconds; no refresh token"
        }
    }

    // MARK: Requests

    private func variable(_ name: String) -> String { emulator.server.ready.variables[name]?.string ?? "" }

    private func post(
        _ step: SignUpRun.Step?, _ path: String, _ body: JSON, _ headers: [String: String] = [:], _ words: (JSON) -> String
    ) async throws -> JSON {
        try await send(step, "POST", path, headers.merging(["Content-Type": "application/json"]) { $1 }, body.bytes(), words)
    }

    private func post(_ step: SignUpRun.Step?, _ path: String, form: String, _ words: (JSON) -> String) async throws -> JSON {
        try await send(step, "POST", path, ["Content-Type": "application/x-www-form-urlencoded"], Array(form.utf8), words)
    }

    /// Opens the link of a message as a mail program does.
    private func open(_ message: Message, _ step: SignUpRun.Step, _ words: String) async throws {
        guard let link = message.links.first?.text, link.hasPrefix(emulator.server.base) else {
            run.set(step, of: emulator, .init(words: "the mail has no link of this backend", isBad: true))
            throw Failure()
        }
        let path = String(link.dropFirst(emulator.server.base.count))
        _ = try await send(step, "GET", path, ["Accept": "text/html"], []) { _ in words }
    }

    /// Returns the message that the last request has sent.
    private func message() throws -> Message {
        let sent = Message.all(of: emulator).filter { $0.to.exact == run.email.exact }.max { $0.number < $1.number }
        guard let sent else {
            run.set(.message, of: emulator, .init(words: "nothing was sent", isBad: true))
            throw Failure()
        }
        var cell = run.cell(.message, of: emulator.name) ?? .init(words: "sent by itself")
        cell.message = sent
        run.set(.message, of: emulator, cell)
        return sent
    }

    private func send(
        _ step: SignUpRun.Step?, _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8],
        _ words: (JSON) -> String
    ) async throws -> JSON {
        var fields = headers
        fields["User-Agent"] = "Lockstep dashboard, side by side"
        let request = OutgoingRequest(method, emulator.server.base + path, headers: fields, body: body)
        let start = clock.uptime
        let shown = String(path.cut(at: "?").head)
        do {
            let answer = try await BlockingThread.run { try LoopbackClient.send(request) }
            let document = (try? JSON.parse(answer.body)) ?? .null
            let isBad = answer.status >= 400
            let sentence = isBad ? "rejected" : words(document)
            if let step {
                run.set(
                    step, of: emulator,
                    .init(words: sentence, isBad: isBad, request: (method, shown, answer.status, clock.uptime - start)))
            }
            guard !isBad else { throw Failure() }
            return document
        } catch let error as OutgoingError {
            run.set(step ?? .signUp, of: emulator, .init(words: "no answer: \(error)", isBad: true))
            throw Failure()
        }
    }
}
