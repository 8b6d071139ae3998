internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts that apply to every call of the client.
    public static let everyCall: [Contract] = [
        /// Cases: F07.
        Contract(
            "session.deadline.every-call",
            "Every call of the client ends by its deadline if the backend hangs, even if the adapter ignores cancellation. "
                + "Other calls get a response in the meantime.",
            appliesTo: .claiming(.password), needs: [.clock],
            buildsOn: entering + [
                "session.deadline", "session.deadline.deaf-adapter", "session.sign-out.local", "account.update.display-name",
                "account.update.metadata", "capability.account-deletion.asked-where-claimed", "verification.link.completes",
                "verification.resend.newest-works", "account.delete", "session.sign-out.offline",
                "session.token.valid-needs-no-request", "account.factor.enrol-and-remove",
            ]
        ) { w in
            for call in ClientCall.allCases {
                let (gate, isHanging) = (Gate(), Switch())
                let device = w.device()
                let client = device.launch { changes in
                    changes.before = { if isHanging.isOn { await gate.pass() } }
                }
                guard let trial = try await w.trial(of: call, client) else { continue }
                isHanging.turn(on: true)
                let task = Task { await result(of: trial.run) }
                w.expect(try await w.comes { gate.arrivals > 0 }, "\(call.rawValue) did not reach the point where it hangs")
                if trial.hasToken {
                    let token = await w.soon {
                        await result(of: { () async throws(AuthError) in try await client.accessToken() })
                    }
                    w.expect(
                        token?.isSuccess == true,
                        "while \(call.rawValue) hangs, a token request is \(token.map(named) ?? "still waiting")")
                }
                let outcome = try await w.ended(task, call.rawValue, at: gate, isEarly: call == .signOut)
                gate.open()
                if call == .signOut {
                    w.expect(client.state.kind == "signedOut(requested)", "after a sign-out the state is \(client.state.kind)")
                } else {
                    w.expect(outcome.failure?.code == .timedOut, "\(call.rawValue): expected timedOut, got \(named(outcome))")
                }
            }
        }
    ]
}

/// A prepared call that has not been made yet.
struct Trial: Sendable {
    var hasToken = false
    let run: @Sendable () async throws(AuthError) -> Void
}

extension World {
    /// Prepares a call on an unused client.
    ///
    /// Returns `nil` if the call sends no request to this backend.
    fileprivate func trial(of call: ClientCall, _ client: any PortableClient) async throws -> Trial? {
        let person = stranger()
        switch call {
        case .restore, .cancel, .settle: return nil
        case .signUp:
            return Trial { () async throws(AuthError) in _ = try await client.signUp(with: person.credential) }
        case .signIn:
            return Trial { () async throws(AuthError) in _ = try await client.signIn(with: person.credential) }
        case .requestPasswordReset:
            guard can(.passwordReset) else { return nil }
            return Trial { () async throws(AuthError) in _ = try await client.requestPasswordReset(email: person.email) }
        case .respond, .resend, .handle: return try await trialOfAFlow(call, client, person)
        case .accessToken, .session, .authorized: return try await trialOfATokenCall(call, client)
        default: return try await trialOfAUser(call, client)
        }
    }

    private func trialOfAFlow(_ call: ClientCall, _ client: any PortableClient, _ person: Person) async throws -> Trial? {
        guard behavior.signUpProof == .required else { return nil }
        guard let challenge = try await client.signUp(with: person.credential).challenge else { return nil }
        let flow = challenge.flow
        switch call {
        case .resend:
            if let time = challenge.resendAvailableAt {
                try await advance(by: max(.zero, time - environment.clock.now) + .seconds(1))
            }
            return Trial { () async throws(AuthError) in _ = try await client.resend(flow) }
        case .respond:
            guard
                let response: ChallengeResponse = challenge.accepts.contains(.code)
                    ? .code("654321") : challenge.accepts.contains(.poll) ? .poll : nil
            else { return nil }
            return Trial { () async throws(AuthError) in _ = try await client.respond(to: flow, with: response) }
        default:
            guard challenge.accepts.contains(.link), environment.outbox != nil, environment.browser != nil else { return nil }
            guard let link = try await newestMessage(to: person.email).link,
                let url = try await environment.browser?.follow(link)
            else { return nil }
            return Trial { () async throws(AuthError) in
                if case .refused(let error) = await client.handle(url) { throw error }
            }
        }
    }

    private func trialOfATokenCall(_ call: ClientCall, _ client: any PortableClient) async throws -> Trial? {
        try await outliveToken(of: try await signIn(client))
        switch call {
        case .accessToken: return Trial { () async throws(AuthError) in _ = try await client.accessToken() }
        case .session: return Trial { () async throws(AuthError) in _ = try await client.session() }
        default:
            return Trial { () async throws(AuthError) in
                do {
                    _ = try await client.authorized(AppRequest(url: "https://app.example.com/orders")) {
                        AppResponse(status: 200, content: $0.body)
                    }
                } catch {
                    throw error as? AuthError ?? AuthError(.unknown, "The app's own request has failed.")
                }
            }
        }
    }

    /// Signs a member in, and prepares a call of that user.
    ///
    /// Returns `nil` if the adapter does not claim the capability that the call needs.
    func trialOfAUser(_ call: ClientCall, _ client: any PortableClient) async throws -> Trial? {
        let needed: Capability? =
            switch call {
            case .update: .displayName
            case .updateMetadata: .userMetadata
            case .changePassword, .beginPasswordChange: .passwordChange
            case .changeEmail: .emailChange
            case .link, .unlink: .linking
            case .factors, .addFactor, .removeFactor: .factorEnrolment
            case .renewBackupCodes: .backupCodeRenewal
            case .passkeys, .removePasskey: .passkeyManagement
            case .renamePasskey: .passkeyRenaming
            case .organizations, .activate: .organizations
            case .setPhoto: .photoUpload
            case .reauthenticate: .reauthentication
            case .deleteAccount: .accountDeletion
            default: nil
            }
        if let needed, !can(needed) { return nil }
        let (person, other) = (try await member(), stranger())
        try await enter(client, person)
        // If the provider cannot add a password with this call, the call sends no request.
        if call == .link, !client.waysToLink.contains(.password) { return nil }
        let new = other.password
        return Trial(hasToken: call != .signOut) { () async throws(AuthError) in
            switch call {
            case .refreshUser: _ = try await client.refreshUser()
            case .signOut: try await client.signOut()
            case .update: _ = try await client.update(displayName: "Grace", photoURL: nil)
            case .updateMetadata: _ = try await client.update(metadata: ["lockstep": 1])
            case .changePassword: try await client.changePassword(to: new, current: person.password)
            case .beginPasswordChange: _ = try await client.beginPasswordChange(to: new)
            case .changeEmail: _ = try await client.changeEmail(to: other.email)
            case .link: _ = try await client.link(other.credential)
            case .unlink: try await client.unlink(Identity(id: "none", provider: .apple))
            case .factors: _ = try await client.factors()
            case .addFactor: _ = try await client.addFactor(.authenticatorApp())
            case .removeFactor: try await client.removeFactor(FactorChoice(id: "none", kind: .authenticatorApp))
            case .renewBackupCodes: _ = try await client.renewBackupCodes()
            case .passkeys: _ = try await client.passkeys()
            case .renamePasskey: try await client.renamePasskey(Passkey(id: "none"), to: "My key")
            case .removePasskey: try await client.removePasskey(Passkey(id: "none"))
            case .organizations: _ = try await client.organizations()
            case .activate: try await client.activate(Organization(id: "none", name: "None"))
            case .setPhoto: _ = try await client.setPhoto(.pixel)
            case .reauthenticate: _ = try await client.reauthenticate(with: person.credential)
            case .deleteAccount: try await client.deleteAccount()
            case .restore, .settle, .signUp, .signIn, .respond, .resend, .cancel, .handle, .requestPasswordReset, .accessToken,
                .session,
                .authorized:
                break
            }
        }
    }
}
