internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about signing out: which sessions end, and when the backend is notified.
    public static let signOut: [Contract<World>] = [
        Contract(
            "session.sign-out.only-this",
            "A local sign-out does not affect the user's session on another device, whether it is newer or older.",
            appliesTo: takingPersons, needs: [.clock], buildsOn: ["session.sign-out.local"] + entering
        ) { w in
            for isNewest in [false, true] {
                let sessions = try await w.sessions(others: 1, isNearNewest: isNewest)
                try await sessions.near.signOut(.local, discardingAnonymousUser: false)
                w.expect(
                    sessions.near.state.kind == "signedOut(requested)", "on this device the state is \(sessions.near.state.kind)")
                let other = sessions.others[0]
                try await w.outliveToken(of: other.session)
                let elsewhere = await result(of: { () async throws(AuthError) in try await other.client.accessToken() })
                let isRenewed = elsewhere.value.map { $0 != other.session.accessToken } == true
                w.expect(isRenewed, "the session on the other device ended: \(named(elsewhere))")
                w.expect(
                    try await other.client.refreshUser().id == other.session.user.id,
                    "the session on the other device belongs to another user")
            }
        },

        Contract(
            "session.sign-out.others",
            "Signing out the other devices ends all other sessions of the user, new ones and ones that were renewed before, and their "
                + "refresh tokens are rejected. This session and the sessions of other users continue.",
            appliesTo: .claiming([.password, .signOutOthers]), needs: [.clock, .administrator],
            buildsOn: ["session.sign-out.local", "sign-in.password.completes"]
        ) { w in
            let sessions = try await w.sessions(others: 3, oldOnes: true)
            let (near, session) = (sessions.near, sessions.session)
            try await near.signOut(.others, discardingAnonymousUser: false)
            w.expect(near.state.session?.user.id == session.user.id, "on this device the state is \(near.state.kind)")
            try await w.expectEnded(sessions)
            w.expect(try await near.accessToken() != session.accessToken, "the session on this device was not renewed")
            w.expect(near.state.session?.user.id == session.user.id, "then the state is \(near.state.kind)")
        },

        Contract(
            "session.sign-out.everywhere",
            "Signing out everywhere ends this session and the user's other sessions, new ones and ones that were renewed before, and "
                + "their refresh tokens are rejected.",
            appliesTo: .claiming([.password, .signOutEverywhere]), needs: [.clock, .administrator],
            buildsOn: [
                "session.sign-out.local", "sign-in.password.completes", "capability.sign-out-everywhere.asked-where-claimed",
            ]
        ) { w in
            let sessions = try await w.sessions(others: 3, oldOnes: true)
            // Backends compare times in whole seconds.
            try await w.advance(by: .seconds(2))
            try await sessions.near.signOut(.everywhere, discardingAnonymousUser: false)
            w.expect(
                sessions.near.state.kind == "signedOut(requested)", "on this device the state is \(sessions.near.state.kind)")
            try await w.expectEnded(sessions)
            guard w.behavior.refreshTokenAfterSignOut == .dies else { return }
            let isTaken = try await w.administrator().accepts(refreshToken: sessions.session.refreshToken)
            w.expect(!isTaken, "the backend accepts the refresh token of the ended session")
        },

        Contract(
            "session.sign-out.in-between",
            "If one request of a sign-out of other devices fails, the call reports it, and the next call ends the "
                + "remaining sessions.",
            appliesTo: .claiming([.password, .signOutOthers, .signOutEverywhere]), needs: [.clock, .faults, .administrator],
            buildsOn: ["session.sign-out.others", "session.sign-out.everywhere", "session.sign-out.revocation-queued"],
            unwatched: [.sentOnce: "the next sign-out repeats the requests that failed"]
        ) { w in
            for scope in [SignOutScope.others, .everywhere] {
                for skipped in 0..<6 {
                    guard try await w.failsInBetween(scope, .status(503, retryAfter: nil), skipping: skipped) else { break }
                }
                for fault in [Fault.proxyRefusal(403, .page), .unknownCode("lockstep_unheard_of")] {
                    _ = try await w.failsInBetween(scope, fault, skipping: 1)
                }
            }
        },

        Contract(
            "session.sign-out.fault",
            "If a sign-out gets 429, 5xx, a portal's page or a proxy's error, or its response is lost, the client sends it again after a "
                + "relaunch.",
            when: .sessionsEnd, needs: [.clock, .faults, .administrator],
            buildsOn: ["session.sign-out.revocation-queued"]
        ) { w in
            let faults: [Fault] = [
                .status(429, retryAfter: .seconds(17)), .status(500, retryAfter: nil), .status(503, retryAfter: nil),
                .garbage(.captivePortal), .garbage(.foreignObject), .closed, .answerLost, .proxyRefusal(401, .page),
                .proxyRefusal(403, .empty),
                .proxyRefusal(404, .page), .proxyRefusal(407, .text),
            ]
            for fault in faults {
                let device = w.device()
                let (client, session) = try await w.signedIn(on: device)
                try await w.fail(.signOut, with: fault)
                try await client.signOut(discardingAnonymousUser: true)
                w.expect(client.state.kind == "signedOut(requested)", "\(fault): the state is \(client.state.kind)")
                w.expect(try await !device.hasStoredSession(), "\(fault): the store still contains the session")
                try await w.heal()
                try await w.advance(by: .seconds(30))
                let again = device.launch()
                await again.restore()
                w.expect(again.state.session == nil, "\(fault): a user is signed in: \(again.state.kind)")
                let isSent = try await w.comes { try await device.stored(.revocations) == nil }
                w.expect(isSent, "\(fault): the store still contains the queued sign-out")
                let lives = try await w.administrator().accepts(refreshToken: session.refreshToken)
                w.expect(!lives, "\(fault): the session is still valid on the backend")
            }
        },

        Contract(
            "session.sign-out.late",
            "A sign-out long after the expiry of the access token still ends the session on the backend.",
            when: .sessionsEnd, needs: [.clock, .administrator],
            buildsOn: ["session.sign-out.local", "session.sign-out.dead-token"]
        ) { w in
            let (client, newest) = w.device().launchNotingRefreshes()
            let session = try await w.signIn(client)
            try await w.outliveToken(of: session)
            try await w.outliveToken(of: session)
            try await client.signOut(discardingAnonymousUser: true)
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
            let token = newest()?.refreshToken ?? session.refreshToken
            let lives = try await w.administrator().accepts(refreshToken: token)
            w.expect(!lives, "the session is still valid on the backend")
        },

        Contract(
            "session.sign-out.other-backend",
            "A sign-out removes the session and the flows that an earlier version of the app has stored for another backend, and the "
                + "next launch shows this sign-out. The next client of that backend ends that session, and no other client does.",
            needs: [.administrator], buildsOn: ["session.backend-changed", "session.sign-out.local"]
        ) { w in
            let (source, device) = (w.device(), w.device())
            let (_, left) = try await w.signedIn(on: source)
            try await device.put(
                try w.require(await source.stored(.session), "the store contains no session"), under: w.formerKey(.session))
            try await device.put(Array(#"{"version":1,"value":{}}"#.utf8), under: w.formerKey(.flow))
            let client = device.launch()
            try await w.signIn(client)
            try await client.signOut(discardingAnonymousUser: true)
            let kept = try await device.contents().keys.filter { $0.backend == w.formerBackend }.map(\.slot.rawValue).sorted()
            w.expect(kept == ["revocations"], "of the other backend the store still contains \(kept)")

            let again = device.launch()
            await again.restore()
            w.expect(again.state.kind == "signedOut(requested)", "at the next launch the state is \(again.state.kind)")
            if w.behavior.refreshTokenAfterSignOut == .dies {
                let lives = try await w.administrator().accepts(accessToken: left.accessToken)
                w.expect(lives, "a client of another backend ended the session")
            }

            let former = device.launch { $0.backend = w.formerBackend }
            await former.restore()
            w.expect(former.state.session == nil, "back at the other backend the state is \(former.state.kind)")
            let isSent = try await w.comes { try await device.contents()[w.formerKey(.revocations)] == nil }
            w.expect(isSent, "the client of the other backend did not end its session")
            guard w.behavior.refreshTokenAfterSignOut == .dies else { return }
            let lives = try await w.administrator().accepts(refreshToken: left.refreshToken)
            w.expect(!lives, "the other backend's session is still valid")
        },

        Contract(
            "session.sign-out.two-backends",
            "A sign-out does not affect the session of another backend that another client of the process uses.",
            buildsOn: ["session.sign-out.other-backend"]
        ) { w in
            let device = w.device()
            let other = device.launch { $0.backend = w.formerBackend }
            let kept = try await w.signIn(other)
            let client = device.launch()
            try await w.signIn(client)
            try await client.signOut(discardingAnonymousUser: true)
            w.expect(
                try await device.contents()[w.formerKey(.session)] != nil, "the store no longer contains the other session")
            w.expect(other.state.session?.user.id == kept.user.id, "the state of the other client is \(other.state.kind)")
        },
    ]
}

/// The sessions of one user on several devices, and a session of another user.
private struct Sessions: Sendable {
    /// A session on another device.
    struct Other: Sendable {
        let device: Device
        let client: any PortableClient
        var session: Session
    }

    let near: any PortableClient
    let session: Session
    let others: [Other]
    let bystander: Other
    let person: Person
}

extension World {
    /// Signs a user in on several devices, and another user on one.
    ///
    /// With `oldOnes`, this device's session, the first of the others and the other user's have been renewed once.
    fileprivate func sessions(others count: Int, oldOnes: Bool = false, isNearNewest: Bool = false) async throws -> Sessions {
        let (person, stranger) = (try await member(), try await member())
        func other(_ person: Person) async throws -> Sessions.Other {
            let device = device()
            let client = device.launch()
            return Sessions.Other(device: device, client: client, session: try await enter(client, person))
        }
        var others = isNearNewest ? [try await other(person)] : []
        let near = client()
        var session = try await enter(near, person)
        let bystander = try await other(stranger)
        if oldOnes {
            var old = try await other(person)
            try await outliveToken(of: session)
            session = try await near.session()
            old.session = try await old.client.session()
            _ = try await bystander.client.session()
            others.append(old)
        }
        while others.count < count { others.append(try await other(person)) }
        expect(others.allSatisfy { $0.session.user.id == session.user.id }, "the devices have different users")
        return Sessions(near: near, session: session, others: others, bystander: bystander, person: person)
    }

    /// Checks that the user's sessions on all other devices have ended, and that the other user's session has not.
    fileprivate func expectEnded(_ sessions: Sessions, line: Int = #line) async throws {
        try await outliveToken(of: sessions.session)
        for other in sessions.others {
            let elsewhere = await result(of: { () async throws(AuthError) in try await other.client.accessToken() })
            expect(!elsewhere.isSuccess, "another session was renewed", line: line)
            let state = other.client.state.kind
            expect(state.hasPrefix("signedOut"), "on the other device the state is \(state)", line: line)
            expect(
                try await !other.device.hasStoredSession(), "on the other device the store still contains the session", line: line
            )
            let isTaken = try await administrator().accepts(refreshToken: other.session.refreshToken)
            expect(!isTaken, "the backend accepts the refresh token of another session", line: line)
        }
        let theirs = sessions.bystander
        let token = await result(of: { () async throws(AuthError) in try await theirs.client.accessToken() })
        expect(token.isSuccess, "another user's session ended: \(named(token))", line: line)
        expect(theirs.client.state.session?.user.id == theirs.session.user.id, "another user was signed out", line: line)
    }

    /// Checks that a sign-out of other devices throws if one of its requests fails, and that a second call ends the remaining sessions.
    ///
    /// - Returns: Whether a request has failed.
    fileprivate func failsInBetween(_ scope: SignOutScope, _ fault: Fault, skipping skipped: Int) async throws -> Bool {
        let sessions = try await sessions(others: 2)
        let what = "\(scope) after \(fault) at request \(skipped + 1)"
        try await fail(.signOut, with: fault, skipping: skipped, times: 1)
        let first = await result(of: { () async throws(AuthError) in
            try await sessions.near.signOut(scope, discardingAnonymousUser: false)
        })
        try await heal()
        // The last request may end only this device's session, and the client sends that request again automatically.
        let isDone = first.isSuccess
        if isDone { expect(skipped > 0, "\(what) was treated as complete") }
        if !isDone, scope == .others {
            let state = sessions.near.state
            expect(state.session?.user.id == sessions.session.user.id, "\(what): on this device the state is \(state.kind)")
            try await sessions.near.signOut(.others, discardingAnonymousUser: false)
        } else if !isDone {
            expect(sessions.near.state.session == nil, "\(what): on this device the state is \(sessions.near.state.kind)")
            let again = client()
            try await enter(again, sessions.person)
            try await again.signOut(.everywhere, discardingAnonymousUser: false)
        }
        try await expectEnded(sessions)
        return !isDone
    }
}
