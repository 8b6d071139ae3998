internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// What a hostile server makes of what it is sent.
    ///
    /// Cases: H01, H02, H08.
    static let quotations = Contract(
        "privacy.quotations",
        "What a request carried as a secret is in no form of an error, whatever the backend quotes, where, and how it is encoded.",
        owedBy: .claiming(.password), needs: [.clock, .faults], buildsOn: ["privacy.canary"]
    ) { w in
        let person = try await w.member()
        let (typed, new): (Secret, Secret) = ("Ty\"p&d <s3cret>/+é%41 pass", "N3w&\"pass\\word+/=é")
        let code: Secret = "493817"
        let (client, device) = (w.client(), w.device())
        let session = try await w.enter(client, person)
        let other = device.launch()
        _ = try await w.enter(other, person)
        let waiting = w.client()
        var flow: Flow?
        if w.conduct.signUpProof == .required {
            let step = try await waiting.signUp(with: w.stranger().credential)
            if let challenge = step.challenge, challenge.accepts.contains(.code) { flow = challenge.flow }
        }
        try await w.outliveToken(of: session)

        for quotation in Quotation.allCases {
            try await w.fail(with: .quoting(quotation))
            var shown = Showcase()
            await shown.gather {
                () async throws(AuthError) in
                _ = try await w.client().signIn(with: .password(email: person.email, password: typed))
            }
            await shown.gather { () async throws(AuthError) in
                _ = try await w.client().signUp(with: .password(email: w.stranger().email, password: typed))
            }
            await shown.gather { () async throws(AuthError) in
                _ = try await w.client().signIn(with: .idToken(.apple, token: "canary-id-token", nonce: "canary-nonce"))
            }
            await shown.gather { () async throws(AuthError) in _ = try await client.accessToken() }
            await shown.gather { () async throws(AuthError) in _ = try await client.refreshUser() }
            await shown.gather { () async throws(AuthError) in
                try await client.changePassword(to: new, current: person.password)
            }
            if let flow {
                await shown.gather { () async throws(AuthError) in
                    _ = try await waiting.proceed(flow, with: .code(code))
                }
            }
            try await w.heal()
            // What fails in a row is tried again after a pause.
            try await w.advance(by: .seconds(600))
            let events = w.events.all.map { "\($0)\n\($0.jsonLine)" }.joined(separator: "\n")
            shown.texts.append(events)
            let secrets: [(String, Secret)] = [
                ("a password", typed), ("a new password", new), ("the user's password", person.password), ("a code", code),
                ("an access token", session.accessToken), ("a refresh token", session.refreshToken),
                ("an ID token", "canary-id-token"), ("a nonce", "canary-nonce"),
            ]
            for (name, secret) in secrets {
                for form in secret.quotedForms where shown.texts.contains(where: { $0.contains(form) }) {
                    w.found("\(name) is shown where the backend quotes it \(quotation.words)", line: #line)
                    break
                }
            }
        }
    }
}

/// What can be seen of errors.
private struct Showcase {
    var texts: [String] = []

    /// Keeps every form of the error that a call ends in.
    mutating func gather(_ call: () async throws(AuthError) -> Void) async {
        do throws(AuthError) {
            try await call()
        } catch {
            var dumped = ""
            dump(error, to: &dumped)
            texts += [String(describing: error), String(reflecting: error), dumped, error.message]
            texts += error.reasons + error.completed
            if let provider = error.provider {
                texts += [provider.code ?? "", provider.message ?? "", provider.body?.text() ?? "", "\(provider)"]
            }
            if let underlying = error.underlying { texts += [String(describing: underlying), String(reflecting: underlying)] }
        }
    }
}

extension Secret {
    /// The forms in which somebody quotes a text.
    fileprivate var quotedForms: [String] {
        let text = reveal()
        let escaped = JSON.string(text).text().dropFirst().dropLast()
        return [
            text, text.uppercased(), text.lowercased(), Percent.encode(text), Percent.encode(text).replacing("%20", with: "+"),
            String(escaped), text.escapedAsHTML, Base64.encode(Array(text.utf8)).trimmedPadding,
            Base64.encode(Array(text.utf8), .url),
            Hex.encode(Array(text.utf8)),
        ]
    }
}

extension String {
    fileprivate var trimmedPadding: String { String(prefix { $0 != "=" }) }

    fileprivate var escapedAsHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
