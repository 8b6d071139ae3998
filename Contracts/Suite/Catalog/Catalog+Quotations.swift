internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// How a hostile server quotes the requests that it gets.
    ///
    /// Cases: H01, H02, H08.
    static let quotations = Contract(
        "privacy.quotations",
        "What a request carried as a secret is in no form of an error, whatever the backend quotes, where, and how it is encoded.",
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

        let sent = SentSecrets([
            "a password": typed, "a new password": new, "the user's password": person.password, "a code": code,
            "an access token": session.accessToken, "a refresh token": session.refreshToken,
            "an ID token": "canary-id-token", "a nonce": "canary-nonce",
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
            // What fails in a row is tried again after a pause.
            try await w.advance(by: .seconds(600))
            shown.texts += w.events.all.dropFirst(told).flatMap { ["\($0)", $0.jsonLine] }
            told = w.events.all.count
            for name in sent.names(shownIn: shown.texts) {
                w.found("\(name) is shown where the backend quotes it \(quotation.words)", line: #line)
            }
        }
        if let trace = w.environment.trace {
            for name in sent.names(shownIn: [trace.transcript]) { w.found("\(name) is shown by the trace", line: #line) }
        }
    }
}

/// Every visible form of errors.
private struct Showcase {
    var texts: [String] = []

    /// Keeps every form of the error that a call ends in.
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

/// Secrets under their names, in every form in which a server quotes a text.
///
/// A search of its own, which shares nothing with the one that masks.
private struct SentSecrets {
    /// The forms by their first two bytes: texts are long, and looked at once for all of them.
    private var forms: [UInt16: [(form: [UInt8], name: String)]] = [:]

    init(_ secrets: KeyValuePairs<String, Secret>) {
        for (name, secret) in secrets {
            // What is shorter, as where an adapter has no token at all, is no secret, and stands in every text.
            for form in Set(secret.quotedForms).map({ Array($0.utf8) }) where form.count > 1 {
                forms[Self.pair(form[0], form[1]), default: []].append((form, name))
            }
        }
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 { UInt16(first) << 8 | UInt16(second) }

    func names(shownIn texts: [String]) -> [String] {
        var found: Set<String> = []
        for text in texts {
            let bytes = Array(text.utf8)
            var start = 0
            while start + 1 < bytes.count {
                if let candidates = forms[Self.pair(bytes[start], bytes[start + 1])] {
                    for (form, name) in candidates where !found.contains(name) {
                        let end = start + form.count
                        guard end <= bytes.count, bytes[start..<end].elementsEqual(form) else { continue }
                        if !Self.isInsideNumber(start..<end, of: bytes) { found.insert(name) }
                    }
                }
                start += 1
            }
        }
        return found.sorted()
    }

    /// Whether digits are a part of more digits: six of a date or an id are those of a code by chance.
    private static func isInsideNumber(_ place: Range<Int>, of bytes: [UInt8]) -> Bool {
        func isDigit(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
        }
        return place.allSatisfy(isDigit) && (isDigit(place.lowerBound - 1) || isDigit(place.upperBound))
    }
}

extension Secret {
    /// The text as servers write it.
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
