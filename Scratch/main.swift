import Lockstep
import LockstepContracts
import LockstepFirebaseBench
import LockstepPrimitives

func show(_ what: String, _ value: Any) { print("  ", what, "→", String(describing: value).prefix(300)) }

func run(_ bench: any Bench, _ name: String, _ body: @escaping @Sendable (Stage) async throws -> Void) async {
    for variant in bench.variants.prefix(1) {
        print("##", bench.name, variant.name, name)
        do { try await bench.withStage(variant, body) } catch { print("   !!!", error) }
    }
}

extension Stage {
    func client(_ store: MemorySessionStore? = nil) -> AuthClient {
        AuthClient(adapter: adapter, store: store ?? MemorySessionStore(clock: clock), callbacks: callbacks, effects: Effects(clock: clock, randomness: randomness))
    }
    func last(_ email: String) async throws -> SentMessage? { try await outbox?.messages().last { $0.recipient == email } }
    func dump() { print(trace!.transcript.suffix(1500)) }
}

let email = "ada@example.com"
let credential = PasswordCredential(email: email, password: "Correct-Horse-1")

func journeys(_ bench: any Bench) async {
    await run(bench, "sign-up, poll or code") { s in
        let c = s.client()
        let step = try await c.signUp(with: credential, displayName: "Ada")
        show("step", step.challenge?.accepts as Any); show("state", c.state)
        guard let ch = step.challenge else { return }
        if ch.accepts.contains(.poll) {
            do { _ = try await c.proceed(ch.flow, with: .poll) } catch { show("poll", error) }
            try await s.browser!.confirm(try await s.last(email)!.link!)
            let done = try await c.proceed(ch.flow, with: .poll)
            show("done", done.session?.user.isEmailVerified as Any); show("claims", done.session?.claims["email_verified"] as Any)
        } else {
            let done = try await c.proceed(ch.flow, with: .code(Secret(try await s.last(email)!.code!)))
            show("done", done.session?.user as Any)
        }
        show("requests", s.trace!.totals)
        let u = try await c.account.update(displayName: "Countess"); show("name", u.displayName as Any)
        show("refreshUser", try await c.refreshUser().displayName as Any)
        try await c.account.changePassword(to: "Better-Horse-2", current: "Correct-Horse-1")
        show("token", try await c.accessToken())
        try await c.signOut()
        do { _ = try await c.signIn(with: credential) } catch { show("old", error) }
        show("new", try await c.signIn(with: .password(email: email, password: "Better-Horse-2")).session?.user.id as Any)
        try await c.account.delete(); show("state", c.state)
    }
    await run(bench, "sign-up, link") { s in
        let c = s.client()
        _ = try await c.signUp(with: credential, displayName: "Ada")
        let url = try await s.browser!.follow(try await s.last(email)!.link!)
        show("url", url as Any)
        show("outcome", await c.handle(url!)); show("state", c.state)
        show("users", try await s.sideDoor!.users())
    }
    await run(bench, "reset") { s in
        _ = try await s.sideDoor!.create(email: email, password: "Correct-Horse-1", isEmailVerified: true, displayName: "A")
        let c = s.client()
        let step = try await c.requestPasswordReset(email: email)
        show("challenge", step.challenge?.accepts as Any)
        let url = try await s.browser!.follow(try await s.last(email)!.link!)!
        show("url", url)
        guard case .step(let next) = await c.handle(url) else { show("refused", await c.handle(url)); return }
        show("next", next)
        do { _ = try await c.proceed(next.flow!, with: .newPassword("abc")) } catch { show("weak", error) }
        show("done", try await c.proceed(next.flow!, with: .newPassword("Better-Horse-2")).session?.user.email as Any)
        show("requests", s.trace!.totals.requests)
    }
    await run(bench, "magic link") { s in
        let c = s.client()
        let step = try await c.signIn(with: .emailLink(email))
        show("challenge", step.challenge?.accepts as Any)
        let url = try await s.browser!.follow(try await s.last(email)!.link!)
        show("url", url as Any)
        show("outcome", await c.handle(url!)); show("state", c.state)
    }
    await run(bench, "guest") { s in
        let c = s.client()
        let guest = try await c.signIn(with: .anonymous).session!
        show("state", c.state)
        let step = try await c.account.link(credential)
        show("step", step)
        var session = step.session
        if let ch = step.challenge {
            if ch.accepts.contains(.code) { session = try await c.proceed(ch.flow, with: .code(Secret(try await s.last(email)!.code!))).session }
            else if case .step(let n) = await c.handle(try await s.browser!.follow(try await s.last(email)!.link!)!) { session = n.session }
        }
        show("same", session?.user.id == guest.user.id); show("state", c.state)
    }
    await run(bench, "id token") { s in
        let c = s.client()
        let nonce = IDTokenNonce(randomness: s.randomness)
        let token = try await s.issuer!.idToken(for: IdentitySubject(id: "apple-1", email: email, nonce: nonce.hashed), flaw: nil)
        let step = try await c.signIn(with: .idToken(.apple, token: token, nonce: nonce.raw, name: "Grace Hopper"))
        show("step", step.session?.user as Any)
        show("refresh", try await c.refreshUser().displayName as Any)
        let bad = try await s.issuer!.idToken(for: IdentitySubject(id: "apple-1", email: email, nonce: nonce.hashed), flaw: .foreignKey)
        do { _ = try await c.signIn(with: .idToken(.apple, token: bad, nonce: nonce.raw)) } catch { show("bad", error) }
        let g = s.client(); _ = try await g.signIn(with: .anonymous)
        let t2 = try await s.issuer!.idToken(for: IdentitySubject(id: "apple-2", email: "g@example.com", nonce: nonce.hashed), flaw: nil)
        show("guest link", try await g.signIn(with: .idToken(.apple, token: t2, nonce: nonce.raw, name: "Guest Name")).session?.user.displayName as Any)
        let g2 = s.client(); _ = try await g2.signIn(with: .anonymous)
        show("conflict", try await g2.signIn(with: .idToken(.apple, token: token, nonce: nonce.raw)))
        show("federated w/o email", try await s.client().signIn(with: .idToken(.apple, token: try await s.issuer!.idToken(for: IdentitySubject(id: "apple-3", nonce: nonce.hashed), flaw: nil), nonce: nonce.raw)).session?.user.standing as Any)
    }
    await run(bench, "send failed, faults") { s in
        let c = s.client()
        try await s.faults!.inject(.messageNotSent, on: .any, skipping: 0, times: 1)
        do { _ = try await c.signUp(with: credential) } catch { show("send", error); show("completed", error.completed) }
        show("again", try await c.signUp(with: credential).challenge?.accepts as Any)
        show("mails", try await s.outbox!.messages().count)
        for fault: Fault in [.offline, .closed, .status(503, retryAfter: .seconds(9)), .garbage(.captivePortal), .garbage(.truncatedJSON), .garbage(.empty), .garbage(.wrongTypes), .unknownCode("a_brand_new_one"), .rateLimited(retryAfter: .seconds(33))] {
            try await s.faults!.inject(fault, on: .signIn, skipping: 0, times: 1)
            do { _ = try await s.client().signIn(with: credential); show("\(fault)", "went through") } catch { show("\(fault)", "\(error.code) \(error.retry) \(error.provider.map { "\($0)" } ?? "")") }
        }
        do { _ = try await s.client().signIn(with: .password(email: email, password: "wrong")) } catch { show("wrong", error) }
        do { _ = try await s.client().signIn(with: .password(email: "x@example.com", password: "wrong")) } catch { show("unknown", error) }
        try await s.sideDoor!.disable(try await s.sideDoor!.users()[0].id)
        do { _ = try await s.client().signIn(with: credential) } catch { show("disabled", error) }
        try await s.sideDoor!.switchOff(.password)
        do { _ = try await s.client().signIn(with: credential) } catch { show("off", error) }
    }
    await run(bench, "sessions") { s in
        let id = try await s.sideDoor!.create(email: email, password: "Correct-Horse-1", isEmailVerified: true, displayName: "A")
        let c = s.client()
        let session = try await c.signIn(with: credential).session!
        show("accepts", try await s.sideDoor!.accepts(accessToken: session.accessToken))
        s.clock.advance(by: .seconds(3601)); try await s.backendClock!.advance(by: .seconds(3601))
        let before = s.trace!.totals.requests
        await withTaskGroup(of: String.self) { g in for _ in 0..<100 { g.addTask { (try? await c.accessToken())?.reveal() ?? "x" } }; var set: Set<String> = []; for await t in g { set.insert(t) }; show("tokens", set.count) }
        show("requests", s.trace!.totals.requests - before)
        try await s.sideDoor!.rename(id, to: "Renamed")
        show("rename", try await c.refreshUser().displayName as Any)
        do { try await c.account.delete() } catch { show("old session", error) }
        do { _ = try await c.account.reauthenticate(with: .password(email: email, password: "nope")) } catch { show("wrong", error) }
        show("reauth", try await c.account.reauthenticate(with: credential, thenRetry: .deleteAccount)); show("state", c.state)
        show("gone", try await s.sideDoor!.users().count)
    }
}

await journeys(FirebaseBench())
