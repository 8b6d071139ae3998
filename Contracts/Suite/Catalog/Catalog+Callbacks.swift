internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Adapters whose messages may contain a link.
    static let takingLinks = Applicability.claimingAny([.emailLinkSignIn, .confirmationLink])

    /// Contracts about the URLs that open the app.
    public static let callbacks: [Contract<World>] = [
        Contract(
            "callback.not-ours",
            "A URL with another scheme, host or path returns `notOurs`, without a request and without a change.", needs: [.trace]
        ) { w in
            let (client, _) = try await w.signedIn()
            let (state, ours) = (client.state, try w.callback())
            let parts = ours.split(separator: ":", maxSplits: 1)
            let rest = parts[1].dropFirst(2).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let path = rest.count > 1 ? "/\(rest[1])" : ""
            let foreign = [
                "x\(ours)", "\(parts[0])x:\(parts[1])", "\(parts[0])://\(rest[0]).evil.example\(path)",
                "\(parts[0])://evil.\(rest[0])\(path)", "\(ours)x", "\(ours)/further", "https://example.com/",
                "mailto:a@example.com",
            ]
            try await w.expectRequests(0...0, "foreign links") {
                for url in foreign {
                    w.expect(
                        await client.handle("\(url)?code=abc&token=abc").isNotOurs, "\(url) was treated as a callback of the app")
                }
            }
            w.expect(client.state == state, "the state is \(client.state.kind)")
        },

        Contract(
            "callback.foreign-code",
            "A URL with `?code=` on another path of the app's host does not belong to the app.", needs: [.trace]
        ) { w in
            let (client, session) = try await w.signedIn()
            let ours = try w.callback()
            let stem = ours.hasSuffix("/") ? String(ours.dropLast()) : ours
            let last = stem.lastIndex(of: "/").map { stem[...$0] } ?? "\(stem)/"
            try await w.expectRequests(0...0, "a code on another path") {
                for url in ["\(last)payment?code=abc", "\(last)?code=abc", "\(last)payment#access_token=abc"] {
                    w.expect(await client.handle(url).isNotOurs, "\(url) was treated as a callback of the app")
                }
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
        },

        Contract(
            "callback.error-kept-session", "An error callback during a session results in a typed error, and the session stays."
        ) { w in
            // If the backend never sends an error callback, use one in OAuth's form. The adapter may treat it as another app's.
            let isItsOwn = w.environment.refusalCallback != nil
            let refusal = try w.environment.refusalCallback ?? w.callback().adding("error=access_denied&error_code=denied")
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            switch await client.handle(refusal) {
            case .refused(let error):
                let codes: Set<AuthError.Code> = [.providerRefused, .linkExpired, .linkInvalid, .linkUsed]
                w.expect(codes.contains(error.code), "the error code of the callback is \(error.code)")
            case .step(let step): w.found("the error callback returned \(step.kind)", line: #line)
            case .notOurs: w.expect(!isItsOwn, "the error callback was treated as another app's")
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            w.expect(try await device.hasStoredSession(), "the store no longer contains the session")
        },

        Contract(
            "callback.twice", "The same URL delivered twice, even at the same time, causes one exchange and one result.",
            appliesTo: takingLinks, needs: [.mailbox, .browser, .trace], buildsOn: proving + ["sign-in.link.completes"]
        ) { w in
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            let (single, first) = try await w.awaitingLink()
            let start = trace.totals.requests
            _ = try await w.follow(single, first)
            let once = trace.totals.requests - start

            let (client, url) = try await w.awaitingLink()
            try await w.expectRequests(
                once...once, "a link that was delivered three times (delivered once, it sends \(once) requests)"
            ) {
                async let left = client.handle(url)
                async let right = client.handle(url)
                let outcomes = [await left, await right, await client.handle(url)]
                let sessions = Set(outcomes.map(\.session))
                w.expect(sessions.count == 1 && sessions.first.flatMap { $0 } != nil, "the deliveries returned different results")
            }
        },

        Contract(
            "callback.after-sign-out", "A URL delivered again after a sign-out does not restore the session.",
            appliesTo: takingLinks, needs: [.mailbox, .browser], buildsOn: ["callback.twice", "session.sign-out.local"]
        ) { w in
            let device = w.device()
            let (client, url) = try await w.awaitingLink(on: device)
            let first = await client.handle(url)
            _ = try w.require(first.session, "the link returned \(first.kind)")
            try await client.signOut()
            for _ in 0..<2 {
                let again = await client.handle(url)
                w.expect(again.session == nil, "the link returned the session again")
            }
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
            w.expect(try await !device.hasStoredSession(), "the store contains a session")
        },

        Contract(
            "callback.during-restore", "A URL that launches the app is handled once, after the state is restored.",
            appliesTo: takingLinks, needs: [.mailbox, .browser, .trace],
            buildsOn: ["callback.twice", "verification.survives-relaunch"]
        ) { w in
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            let (single, first) = try await w.awaitingLink()
            let start = trace.totals.requests
            _ = try await w.follow(single, first)
            let once = trace.totals.requests - start

            let device = w.device()
            let (_, url) = try await w.awaitingLink(on: device)
            let client = device.launch()
            let states = client.states
            let outcome = try await w.expectRequests(
                once...once, "a link that launches the app (in a running app it sends \(once) requests)"
            ) {
                async let restored = client.restore()
                let outcome = await client.handle(url)
                w.expect(client.state != .restoring, "the client handled the link before it restored the state")
                _ = await restored
                return outcome
            }
            w.expect(outcome.session != nil, "the link that launched the app returned \(outcome.kind)")
            w.expect(client.state.session?.user.id == outcome.session?.user.id, "the state is \(client.state.kind)")
            let seen = await w.soon { await states.prefix { $0.kind != "signedIn" }.reduce(into: []) { $0.append($1.kind) } }
            w.expect(seen?.first == "restoring", "before the client read the store, a subscriber saw \(seen ?? [])")
            w.expect(seen?.dropFirst().contains("restoring") == false, "the client restored the state twice: \(seen ?? [])")
        },

        Contract(
            "callback.malformed",
            "Duplicate parameters, invalid percent-encoding, NUL or a megabyte of text results in a typed error, "
                + "without a request.",
            needs: [.trace]
        ) { w in
            let (client, session) = try await w.signedIn()
            let ours = try w.callback()
            let broken = [
                "\(ours)?code=a&code=b", "\(ours)?code=%zz", "\(ours)?code=%", "\(ours)?code=a%00b", "\(ours)?code=%ff%fe",
                "\(ours)?code=\(String(repeating: "a", count: 1_000_000))", "\(ours)#token=a&token=b",
            ]
            try await w.expectRequests(0...0, "malformed links") {
                for url in broken {
                    if case .refused(let error) = await client.handle(url) {
                        w.expect(error.code == .linkInvalid, "\(url.prefix(80)) failed with \(error.code)")
                    } else {
                        w.found("\(url.prefix(80)) was accepted", line: #line)
                    }
                }
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
        },

        // A backend may send every redirect back to the same URL without parameters. Clerk does, except after a sign-in.
        Contract(
            "callback.refusal-then-consent",
            "Every redirect has its own outcome. A person who declines on the provider's page, starts again and consents "
                + "is signed in. A person who declines later gets that error, and stays signed in.",
            appliesTo: .claiming(.oauth), needs: [.identityPage],
            buildsOn: ["sign-in.oauth.round-trip", "sign-in.oauth.denied"]
        ) { w in
            let (client, person) = (w.client(), w.subject())
            for time in 1...2 {
                let refused = await client.handle(try await w.refusal(at: try await w.page(client)))
                w.expect(refused.kind == "providerRefused", "refused callback \(time) returned \(refused.kind)")
            }
            let consented = await client.handle(try await w.consent(to: try await w.page(client), as: person))
            w.expect(
                consented.session?.user.email == person.email, "the consent after a refused callback returned \(consented.kind)")
            w.expect(client.state.session?.user.email == person.email, "the state is \(client.state.kind)")

            let again = await client.handle(try await w.refusal(at: try await w.page(client)))
            w.expect(again.kind == "providerRefused", "a refused callback after the consent returned \(again.kind)")
            w.expect(client.state.session?.user.email == person.email, "the state is \(client.state.kind)")
        },
    ]
}

extension World {
    /// The app's first callback address.
    func callback() throws -> String {
        if let callback = environment.callbacks.first { return callback.url }
        guard claims.isDisjoint(with: [.emailLinkSignIn, .confirmationLink, .oauth]) else {
            throw EnvironmentError("the app has no callback address")
        }
        throw NotApplicable("no link opens the app")
    }

    /// Returns a client that waits for a link, and the URL of that link.
    func awaitingLink(on device: Device? = nil, line: Int = #line) async throws -> (any PortableClient, String) {
        let client = (device ?? self.device()).launch()
        if can(.emailLinkSignIn), can(.password) {
            let person = try await member()
            _ = try await client.signIn(with: .emailLink(person.email))
            return (client, try await url(for: person.email, line: line))
        }
        if can(.confirmationLink), can(.password), behavior.signUpProof == .required {
            let person = stranger()
            _ = try await client.signUp(with: person.credential)
            return (client, try await url(for: person.email, line: line))
        }
        throw NotApplicable("no flow of this backend accepts a link")
    }
}

extension CallbackOutcome {
    var isNotOurs: Bool {
        if case .notOurs = self { true } else { false }
    }

    var session: Session? {
        if case .step(let step) = self { step.session } else { nil }
    }

    var kind: String {
        switch self {
        case .notOurs: "notOurs"
        case .step(let step): step.kind
        case .refused(let error): error.code.rawValue
        }
    }
}
