internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// A contract about errors when a hostile server quotes the client's requests.
    static let quotations = Contract(
        "privacy.quotations",
        "No part of an error contains a secret from the request, regardless of what the backend repeats, where, and in "
            + "which encoding.",
        appliesTo: takingPersons, needs: [.clock, .faults], buildsOn: ["privacy.canary"] + entering
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
        if !w.can(.password) || w.behavior.signUpProof == .required {
            let step =
                w.can(.password)
                ? try await waiting.signUp(with: w.stranger().credential)
                : try await waiting.signIn(with: .emailCode(w.member().email))
            if let challenge = step.challenge, challenge.accepts.contains(.code) { flow = challenge.flow }
        }
        try await w.outliveToken(of: session)

        let sent = SecretSearch([
            ("a password", typed), ("a new password", new), ("the user's password", person.password), ("a code", code),
            ("an access token", session.accessToken), ("a refresh token", session.refreshToken),
            ("an ID token", "canary-id-token"), ("a nonce", "canary-nonce"),
        ])
        var told = w.events.all.count

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
                    _ = try await waiting.respond(to: flow, with: .code(code))
                }
            }
            try await w.heal()
            // After repeated failures the client pauses before it sends another request.
            try await w.advance(by: .seconds(600))
            shown.texts += w.events.all.dropFirst(told).flatMap { ["\($0)", $0.jsonLine] }
            told = w.events.all.count
            for name in sent.names(shownIn: shown.texts) {
                w.found("the error shows \(name) if the backend quotes it \(quotation.words)", line: #line)
            }
        }
        if let trace = w.environment.trace {
            for name in sent.names(shownIn: [trace.transcript]) { w.found("the trace shows \(name)", line: #line) }
        }
    }
}

extension Catalog {
    static let ownSentences = Contract(
        "privacy.own-sentences",
        "The client's own message, the reasons and the provider's code of an error do not depend on the input. This is true even if the "
            + "password is one of their words.",
        appliesTo: .claiming(.password), buildsOn: ["sign-in.password.rejects-wrong", "sign-up.password.weak-refused"],
        unwatched: [.secretsStayInside: "the test uses words of the error messages as passwords"]
    ) { w in
        let person = try await w.member()
        func refusal(_ password: Secret) async -> AuthError? {
            await w.refused(.invalidCredentials, of: "a wrong password") { () async throws(AuthError) in
                try await w.client().signIn(with: .password(email: person.email, password: password))
            }
        }
        let usual = try w.require(await refusal(w.stranger().password), "a wrong password was accepted")
        let code = usual.provider?.code.map { [$0] } ?? []
        for word in Set(usual.message.words + code).sorted() {
            let error = await refusal(Secret(word))
            w.expect(error?.message == usual.message, "with the password \(word) the message is \(error?.message ?? "none")")
            w.expect(
                error?.provider?.code == usual.provider?.code, "with the password \(word) the provider's code is different")
        }
        let weak = await w.refused(.weakPassword, of: "a weak password") { () async throws(AuthError) in
            try await w.client().signUp(with: .password(email: w.stranger().email, password: "abc"))
        }
        for word in weak?.message.words.filter({ $0.utf8.count < 6 }) ?? [] {
            let error = await result(of: { () async throws(AuthError) in
                try await w.client().signUp(with: .password(email: w.stranger().email, password: Secret(word)))
            }).failure
            guard error?.code == .weakPassword else { continue }
            w.expect(error?.message == weak?.message, "with the password \(word) the message is \(error?.message ?? "none")")
            w.expect(error?.reasons == weak?.reasons, "with the password \(word) the reasons are \(error?.reasons ?? [])")
        }
    }
}

extension String {
    /// The words of a sentence that have at least four letters, in lowercase.
    fileprivate var words: [String] {
        utf8.split { unit in !(0x61...0x7A).contains(unit | 0x20) }.map { String(Substring($0)).lowercased() }
            .filter { $0.utf8.count > 3 }
    }
}

/// Collects every visible form of errors.
private struct Showcase {
    var texts: [String] = []

    /// Collects every visible form of the error that a call throws.
    mutating func gather(_ call: () async throws(AuthError) -> Void) async {
        do throws(AuthError) {
            try await call()
        } catch {
            texts += visibleForms(of: error) + [error.message] + error.reasons + error.completed
            if let provider = error.provider {
                texts += [provider.code ?? "", provider.message ?? "", provider.body?.text() ?? "", "\(provider)"]
            }
            if let underlying = error.underlying { texts += [String(describing: underlying), String(reflecting: underlying)] }
        }
    }
}
