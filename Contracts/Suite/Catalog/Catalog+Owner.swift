internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the owner of a session.
    ///
    /// A response about another user must not change anything, whichever call receives it.
    public static let owner: [Contract<World>] = [
        Contract(
            "session.refresh.other-user",
            "A refresh that returns another user's session, or a token about another user, fails with `invalidResponse`. "
                + "The session and the store stay, and an event reports it.",
            needs: [.clock, .faults], buildsOn: ["session.token.single-flight", "session.fault.garbage"]
        ) { w in
            let mixUp = try await MixUp(w)
            let device = w.device()
            let client = device.launch(mixUp.changes(of: [.refresh]))
            let session = try await w.signIn(client)
            for kind in [MixUp.Kind.session, .token] {
                try await w.outliveToken(of: session)
                try await mixUp.expectNoChange(of: client, on: device, by: kind, "a refresh") { () async throws(AuthError) in
                    _ = try await client.accessToken()
                }
            }
            try await w.advance(by: .seconds(120))
            w.expect(try await !client.accessToken().isEmpty, "the session cannot be refreshed afterwards")
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")

            // A cache between client and backend returns the response to another user's refresh.
            let (other, others) = try await w.signedIn()
            try await w.outliveToken(of: others)
            _ = try await other.accessToken()
            let stored = try await device.stored(.session)
            try await w.fail(.refresh, with: .earlierAnswer, times: 1)
            await w.refused(.invalidResponse, of: "a refresh that returns another user's session") { () async throws(AuthError) in
                try await client.accessToken()
            }
            w.expect(client.state.session?.user.id == session.user.id, "then the state is \(client.state.kind)")
            w.expect(try await device.stored(.session) == stored, "then the store contains something else")
        },

        Contract(
            "session.owner.account",
            "If the response to a call about the account is about another user, the call fails with `invalidResponse` and changes "
                + "nothing.",
            buildsOn: [
                "session.refresh.other-user", "session.user.refresh", "account.update.display-name",
                "capability.password-change.asked-where-claimed",
            ]
        ) { w in
            let mixUp = try await MixUp(w)
            let device = w.device()
            let client = device.launch(mixUp.changes(of: [.reload, .account]))
            _ = try await w.signIn(client)
            for kind in [MixUp.Kind.session, .token] {
                try await mixUp.expectNoChange(of: client, on: device, by: kind, "refreshUser") { () async throws(AuthError) in
                    _ = try await client.refreshUser()
                }
                if w.can(.displayName) {
                    try await mixUp.expectNoChange(of: client, on: device, by: kind, "update") { () async throws(AuthError) in
                        _ = try await client.update(displayName: "Grace", photoURL: nil)
                    }
                }
                if w.can(.passwordChange) {
                    try await mixUp.expectNoChange(of: client, on: device, by: kind, "changePassword") {
                        () async throws(AuthError) in
                        try await client.changePassword(to: "Long-enough-9", current: nil)
                    }
                }
                if w.can(.linking) {
                    try await mixUp.expectNoChange(of: client, on: device, by: kind, "unlink") { () async throws(AuthError) in
                        try await client.unlink(Identity(id: "none", provider: .apple))
                    }
                }
            }
        },

        Contract(
            "session.owner.flow",
            "A sign-in, a verification or a link whose response contains another user's session is rejected. It signs no "
                + "user in, and a signed-in user stays.",
            appliesTo: .claiming(.password),
            buildsOn: entering + ["verification.code.completes", "verification.poll.sees-it"]
        ) { w in
            let mixUp = try await MixUp(w)
            let person = try await w.member()
            let device = w.device()
            let client = device.launch(mixUp.changes(of: [.flow]))
            await client.restore()
            for kind in [MixUp.Kind.session, .token] {
                try await mixUp.expectNoChange(of: client, on: device, by: kind, "a sign-in") { () async throws(AuthError) in
                    _ = try await client.signIn(with: person.credential)
                }
            }
            try await w.expectNoForeignProof(by: mixUp)
            try await w.enter(client, person)
            if client.linkMethods.contains(.password) {
                try await mixUp.expectNoChange(of: client, on: device, by: .session, "linking") { () async throws(AuthError) in
                    _ = try await client.link(w.stranger().credential)
                }
            }
            guard w.can(.reauthentication) else { return }
            try await mixUp.expectNoChange(of: client, on: device, by: .session, as: .userMismatch, "signing in again") {
                () async throws(AuthError) in
                _ = try await client.reauthenticate(with: person.credential)
            }
        },

        Contract(
            "session.owner.stored",
            "A stored session with a token about a different user is quarantined, and signs no user in.",
            buildsOn: ["session.damaged-kept", "session.restore.same-user"]
        ) { w in
            let device = w.device()
            _ = try await w.signedIn(on: device)
            let bytes = try w.require(try await device.stored(.session), "the store contains nothing")
            guard var envelope = try? JSON.parse(bytes).object, var value = envelope["value"]?.object else {
                try w.end("the stored value is not a valid envelope")
            }
            var claims = value["claims"]?.object ?? [:]
            claims["sub"] = "another-user"
            value["claims"] = .object(claims)
            envelope["value"] = .object(value)
            try await device.put(JSON.object(envelope).bytes(), under: device.key(.session))
            let state = await device.launch().restore()
            w.expect(state.kind == "signedOut(storeDamaged)", "the restored state is \(state.kind)")
            w.expect(!device.disk.quarantinedValues(for: device.key(.session)).isEmpty, "the stored value is not quarantined")
        },
    ]
}

/// Another user, whose session or token replaces the requested one while a switch is on.
struct MixUp: Sendable {
    /// The part that is replaced.
    enum Kind: Sendable { case session, token }

    let world: World
    private let other: Session
    private let wholeSession = Switch()
    private let token = Switch()

    init(_ world: World) async throws {
        self.world = world
        other = try await world.signedIn().1
    }

    func changes(of calls: Set<AlteredAdapter.Call>) -> (inout AlteredAdapter.Changes) -> Void {
        { changes in
            changes.instead = { call, asked throws(AuthError) in
                guard calls.contains(call) else { return nil }
                if wholeSession.isOn { return other }
                guard token.isOn else { return nil }
                // A sign-in has no session yet: use the other user's session, with a token for yet another user.
                var mixed = asked ?? other
                mixed.accessToken = other.accessToken
                mixed.claims["sub"] = .string("not-" + mixed.user.id)
                return mixed
            }
        }
    }

    /// Checks that a call whose response belongs to another user is rejected and changes nothing.
    func expectNoChange(
        of client: any PortableClient, on device: Device, by kind: Kind, as code: AuthError.Code = .invalidResponse,
        _ what: String, line: Int = #line, _ call: @Sendable () async throws(AuthError) -> Void
    ) async throws {
        let mixUp = kind == .session ? wholeSession : token
        let (state, stored, told) = (client.state, try await device.stored(.session), world.events.all.count)
        mixUp.turn(on: true)
        await world.refused(code, of: "\(what) with another user's \(kind) in the response", line: line, by: call)
        mixUp.turn(on: false)
        world.expect(client.state == state, "after \(what) the state is \(client.state.kind)", line: line)
        world.expect(try await device.stored(.session) == stored, "\(what) changed the stored session", line: line)
        guard code == .invalidResponse else { return }
        let events = world.events.all.dropFirst(told).map(\.name)
        world.expect(events.contains(.userMismatch), "no event reports \(what)", line: line)
    }
}

extension World {
    /// Checks that the verification of an address signs no other user in.
    fileprivate func expectNoForeignProof(by mixUp: MixUp) async throws {
        guard behavior.signUpProof == .required else { return }
        let device = self.device()
        let client = device.launch(mixUp.changes(of: [.flow]))
        guard let challenge = try await client.signUp(with: stranger().credential).challenge else { return }
        let response: ChallengeResponse? =
            challenge.accepts.contains(.code) ? .code("123456") : challenge.accepts.contains(.poll) ? .poll : nil
        guard let response else { return }
        try await mixUp.expectNoChange(of: client, on: device, by: .session, "a verification") { () async throws(AuthError) in
            _ = try await client.respond(to: challenge.flow, with: response)
        }
    }
}
