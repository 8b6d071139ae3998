internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

extension Catalog {
    /// Contracts about calls on behalf of the user: rejected tokens, deadlines, replaced sessions.
    public static let calls: [Contract<World>] = [
        Contract(
            "session.refused-token-heals",
            "If the backend rejects an access token, the client renews it once for all waiting calls, and sends each call again. Then "
                + "every call on behalf of the user ends as with a valid token.",
            needs: [.clock],
            buildsOn: ["session.authorized.one-retry", "session.user.refresh", "session.user.unchanged-not-written"],
            declares: Declaration("tokenOfCalls"),
            unwatched: [.sentOnce: "a repeated call sends its requests again"]
        ) { w in
            let refused = Refused()
            let client = w.device().launch { changes in
                changes.asking = { refused.asking($0, $1, [.reload, .account, .flow]) }
            }
            let session = try await w.signIn(client)
            // If calls send no access token, the backend cannot reject them because of the token.
            let renewals = w.behavior.tokenOfCalls == .accessToken ? 1 : 0
            for _ in 0..<2 {
                try await refused.now(w, client)
                let users = try await withThrowingTaskGroup(of: User.self) { group in
                    for _ in 0..<8 { group.addTask { try await client.refreshUser() } }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1.id) }
                }
                w.expect(users == [session.user.id], "the callers got different users")
                w.expect(refused.renewals == renewals, "the token was renewed \(refused.renewals) times")
            }
            if w.can(.displayName) {
                try await refused.now(w, client)
                let user = try await client.update(displayName: "Grace", photoURL: nil)
                w.expect(user.displayName == "Grace", "the name was not changed")
                w.expect(refused.renewals == renewals, "the token was renewed \(refused.renewals) times")
            }
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            guard w.can(.password) else { return }
            func heals<C: ClientCall>(_ type: C.Type) async throws {
                guard let usual = try await w.ending(of: type, isRefused: false) else { return }
                guard let healed = try await w.ending(of: type, isRefused: true) else {
                    throw EnvironmentError("the suite cannot prepare \(C.name) a second time")
                }
                w.expect(
                    healed.code == usual.code,
                    "the result of \(C.name) is \(healed.code?.rawValue ?? "success"), and with a valid token "
                        + "\(usual.code?.rawValue ?? "success")")
                w.expect(healed.state == usual.state, "\(C.name): the state is \(healed.state), expected \(usual.state)")
                w.expect(healed.refusals <= 1, "\(C.name) sent the rejected token \(healed.refusals) times")
                w.expect(healed.renewals == healed.refusals, "\(C.name): the token was renewed \(healed.renewals) times")
                w.expect(
                    healed.asked == usual.asked + healed.refusals,
                    "\(C.name) sent \(healed.asked) requests, and with a valid token \(usual.asked)")
            }
            for call in ClientCalls.all where call.isAboutUser { try await heals(call) }
        },

        Contract(
            "session.sign-out.dead-token",
            "A sign-out with an access token that the backend rejects still ends the session.",
            needs: [.administrator, .clock], buildsOn: ["session.sign-out.local"]
        ) { w in
            let refused = Refused()
            let (client, newest) = w.device().launchNotingRefreshes { changes in
                changes.asking = { refused.asking($0, $1, [.revoke]) }
            }
            let session = try await w.signIn(client)
            try await refused.now(w, client)
            try await client.signOut(discardingAnonymousUser: true)
            let token = newest()?.refreshToken ?? session.refreshToken
            let lives = try await w.administrator().accepts(refreshToken: token)
            w.expect(
                lives == (w.behavior.refreshTokenAfterSignOut != .dies),
                "the refresh token is \(lives ? "still valid" : "no longer valid")")
        },

        Contract(
            "session.replaced",
            "A sign-in that replaces a session ends the old session on the backend, or leaves it valid, as declared for a sign-out.",
            appliesTo: .claiming(.password), needs: [.administrator],
            buildsOn: entering + ["session.sign-out.local", "sign-in.replaces-session"],
            declares: Declaration("refreshTokenAfterSignOut")
        ) { w in
            let (first, second) = (try await w.member(), try await w.member())
            let client = w.client()
            let administrator = try w.administrator()
            for person in [first, second, second] {
                let old = client.state.session
                let new = try await w.enter(client, person)
                w.expect(client.state.session?.user.id == new.user.id, "the state is \(client.state.kind)")
                guard let old else { continue }
                let lives = try await administrator.accepts(refreshToken: old.refreshToken)
                w.expect(
                    lives == (w.behavior.refreshTokenAfterSignOut != .dies),
                    "the old session's token is \(lives ? "still valid" : "no longer valid")"
                )
                w.expect(try await client.refreshUser().id == new.user.id, "the new session does not work")
            }
        },

        Contract(
            "session.authorized.same-token",
            "A rejected request causes one refresh, even if the new token is identical to the old one. The refresh event has the id of "
                + "the call that caused it.",
            needs: [.trace, .clock], buildsOn: ["session.authorized.one-retry"]
        ) { w in
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            let (plain, _) = try await w.signedIn()
            let start = trace.totals.requests
            try await w.renew(plain)
            let one = trace.totals.requests - start

            let isSame = Switch()
            let client = w.device().launch { changes in
                changes.answering = { call, asked, _, response throws(AuthError) in
                    guard call == .refresh, isSame.isOn, let asked else { return response }
                    var same = response
                    same.accessToken = asked.accessToken
                    return same
                }
            }
            try await w.signIn(client)
            isSame.turn(on: true)
            let told = w.events.all.count
            let server = AppServer(401)
            try await w.expectRequests(one...one, "a rejected token that stays the same (a changed token needs \(one) requests)")
            {
                _ = try await client.authorized(AppRequest(url: "https://app.example.com/orders")) { server.answer($0) }
            }
            w.expect(server.requests.count == 2, "the request was sent \(server.requests.count) times")
            let events = w.events.all.dropFirst(told)
            let refresh = events.first { $0.name == .sessionRefreshed }
            w.expect(refresh?[.callID] != nil, "the refresh event has no call id")
            w.expect(
                events.contains { $0.name == .callBegan && $0[.call] == "authorized" && $0[.callID] == refresh?[.callID] },
                "the refresh event has the id of another call")
        },
    ]
}

/// An access token that the backend rejects after a call of `now`, until the client renews it.
private final class Refused: Sendable {
    private struct State {
        var token: Secret?
        var renewals = 0
        var asked = 0
        var refusals = 0
    }

    private let state = Mutex(State())

    /// The number of token renewals since `now`.
    var renewals: Int { state.withLock { $0.renewals } }

    /// The number of calls of the adapter since `now`, and the number of those in which the token was rejected.
    var asked: Int { state.withLock { $0.asked } }
    var refusals: Int { state.withLock { $0.refusals } }

    /// Starts to count the adapter's calls, and rejects the client's token from now on if `isRefused` is true.
    func now(_ world: World, _ client: any PortableClient, isRefused: Bool = true) async throws {
        // Two tokens that are issued in the same second can be identical.
        try await world.advance(by: .seconds(2))
        let token = try await client.accessToken()
        state.withLock { $0 = State(token: isRefused ? token : nil) }
    }

    func noting(_ error: AuthError) -> AuthError {
        if error.code == .accessTokenRefused { state.withLock { $0.refusals += 1 } }
        return error
    }

    func asking(_ call: AlteredAdapter.Call, _ session: Session, _ calls: Set<AlteredAdapter.Call>) -> Session {
        state.withLock { state in
            if call == .refresh { state.renewals += 1 }
            if calls.contains(call) { state.asked += 1 }
            guard calls.contains(call), session.accessToken == state.token else { return session }
            var dead = session
            dead.accessToken = "not.a.token"
            return dead
        }
    }
}

/// The result of a call, and the number of requests and renewals during it.
private struct Ending {
    let code: AuthError.Code?
    let state: String
    let renewals: Int
    let asked: Int
    let refusals: Int
}

extension World {
    /// Makes a member's call with a good or a rejected token and returns its result.
    ///
    /// Returns `nil` if the adapter does not claim the capability that the call needs.
    fileprivate func ending<C: ClientCall>(of type: C.Type, isRefused: Bool) async throws -> Ending? {
        let refused = Refused()
        let client = device().launch { changes in
            changes.asking = { refused.asking($0, $1, [.reload, .account, .flow]) }
            changes.refusing = { refused.noting($1) }
        }
        guard let call = try await C.sample(on: client, in: self) else { return nil }
        try await refused.now(self, client, isRefused: isRefused)
        let result = await call.result(on: client)
        return Ending(
            code: result.refusal?.code, state: client.state.kind, renewals: refused.renewals, asked: refused.asked,
            refusals: refused.refusals)
    }
}
