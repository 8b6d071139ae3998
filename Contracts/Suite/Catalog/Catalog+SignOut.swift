internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Which sessions a sign-out ends, and when the backend hears of it.
    public static let signOut: [Contract] = [
        /// Cases: E09.
        Contract(
            "session.sign-out.only-this", "A local sign-out leaves the user's session on another device as it is.",
            appliesTo: .claiming(.password), needs: [.clock],
            buildsOn: ["session.sign-out.local", "sign-in.password.completes"]
        ) { w in
            let two = try await w.twoSessions()
            try await two.near.signOut(.local, discardingGuest: false)
            w.expect(two.near.state.kind == "signedOut(requested)", "here the state is \(two.near.state.kind)")
            try await w.outliveToken(of: two.other)
            let elsewhere = await result(of: { () async throws(AuthError) in try await two.far.accessToken() })
            w.expect(elsewhere.value.map { $0 != two.other.accessToken } == true, "the other session ends: \(named(elsewhere))")
            w.expect(try await two.far.refreshUser().id == two.other.user.id, "the other session is another user's")
        },

        /// Cases: E09, E19.
        Contract(
            "session.sign-out.others",
            "Signing out the others ends the user's sessions on other devices, whose refresh tokens are refused, and no other.",
            appliesTo: .claiming([.password, .signOutOthers]), needs: [.clock, .adminAPI],
            buildsOn: ["session.sign-out.local", "sign-in.password.completes"]
        ) { w in
            let two = try await w.twoSessions()
            try await two.near.signOut(.others, discardingGuest: false)
            w.expect(two.near.state.session?.user.id == two.session.user.id, "here the state is \(two.near.state.kind)")
            try await w.expectEnded(two)
            w.expect(try await two.near.accessToken() != two.session.accessToken, "the own session is not renewed")
            w.expect(two.near.state.session?.user.id == two.session.user.id, "then the state is \(two.near.state.kind)")
        },

        /// Cases: E09, E19.
        Contract(
            "session.sign-out.everywhere",
            "Signing out everywhere ends this session and the user's others, and their refresh tokens are refused.",
            appliesTo: .claiming([.password, .signOutEverywhere]), needs: [.clock, .adminAPI],
            buildsOn: ["session.sign-out.local", "sign-in.password.completes"]
        ) { w in
            let two = try await w.twoSessions()
            try await two.near.signOut(.everywhere, discardingGuest: false)
            w.expect(two.near.state.kind == "signedOut(requested)", "here the state is \(two.near.state.kind)")
            try await w.expectEnded(two)
            guard w.behavior.refreshTokenAfterSignOut == .dies else { return }
            let isTaken = try await w.adminAPI().accepts(refreshToken: two.session.refreshToken)
            w.expect(!isTaken, "the backend takes the refresh token that was signed out")
        },

        /// Cases: E09, F05.
        Contract(
            "session.sign-out.fault",
            "A sign-out that the backend did not carry out (429, 5xx, a portal's page, a proxy's refusal), or whose answer is "
                + "lost, is sent again after a relaunch.",
            when: .sessionsEnd, needs: [.clock, .faults, .adminAPI],
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
                try await client.signOut(discardingGuest: true)
                w.expect(client.state.kind == "signedOut(requested)", "\(fault): the state is \(client.state.kind)")
                w.expect(try await !device.hasStoredSession(), "\(fault): the store still holds the session")
                try await w.heal()
                try await w.advance(by: .seconds(30))
                let again = device.launch()
                await again.restore()
                w.expect(again.state.session == nil, "\(fault): a user is signed in: \(again.state.kind)")
                let isSent = try await w.comes { try await device.stored(.revocations) == nil }
                w.expect(isSent, "\(fault): it is kept for ever")
                let lives = try await w.adminAPI().accepts(refreshToken: session.refreshToken)
                w.expect(!lives, "\(fault): the session lives on at the backend")
            }
        },

        /// Cases: E09.
        Contract(
            "session.sign-out.late",
            "A sign-out long after the access token has ended still ends the session at the backend.",
            when: .sessionsEnd, needs: [.clock, .adminAPI],
            buildsOn: ["session.sign-out.local", "session.sign-out.dead-token"]
        ) { w in
            let (client, newest) = w.device().launchNotingRefreshes()
            let session = try await w.signIn(client)
            try await w.outliveToken(of: session)
            try await w.outliveToken(of: session)
            try await client.signOut(discardingGuest: true)
            w.expect(client.state.kind == "signedOut(requested)", "the state is \(client.state.kind)")
            let token = newest()?.refreshToken ?? session.refreshToken
            let lives = try await w.adminAPI().accepts(refreshToken: token)
            w.expect(!lives, "the session lives on at the backend")
        },
    ]
}

/// A user who is signed in on two devices.
private struct TwoSessions: Sendable {
    let near: any PortableClient
    let far: any PortableClient
    let session: Session
    let other: Session
    let there: Device
}

extension World {
    fileprivate func twoSessions() async throws -> TwoSessions {
        let person = try await member()
        let there = device()
        let (near, far) = (client(), there.launch())
        let session = try await enter(near, person)
        let other = try await enter(far, person)
        expect(session.user.id == other.user.id, "the two devices have two users")
        return TwoSessions(near: near, far: far, session: session, other: other, there: there)
    }

    /// Checks that the session of the far device has ended.
    fileprivate func expectEnded(_ two: TwoSessions, line: Int = #line) async throws {
        try await outliveToken(of: two.other)
        let elsewhere = await result(of: { () async throws(AuthError) in try await two.far.accessToken() })
        expect(!elsewhere.isSuccess, "the other session is renewed", line: line)
        expect(two.far.state.kind.hasPrefix("signedOut"), "elsewhere the state is \(two.far.state.kind)", line: line)
        expect(try await !two.there.hasStoredSession(), "elsewhere the session is still stored", line: line)
        let isTaken = try await adminAPI().accepts(refreshToken: two.other.refreshToken)
        expect(!isTaken, "the backend takes the refresh token of the other session", line: line)
    }
}
