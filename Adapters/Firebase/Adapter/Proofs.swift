internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Action links that open the app.
///
/// Such a link is not bound to a device, so its address is checked before it is used: it must be the flow's own.
struct LinkVerification: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .confirmationLink }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .link }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .link(let url) = response else { throw AuthError(.responseNotAccepted, "This step takes a link.") }
        guard let link = ActionLink(try Callback(url)) else { throw ActionLink.unreadable }
        guard let email = flow[.email] else {
            throw AuthError(
                .flowStartedElsewhere, "This device did not begin the flow of this link.", remedies: [.confirmEmail, .startAgain])
        }
        do {
            switch link.message {
            case .signIn: return try await signIn(link.code, email, in: flow)
            case .recovery:
                try await inspect(link.code, for: email)
                flow[.oobCode] = Secret(link.code)
                return .newPassword(NewPasswordStep(flow: flow.flow, reason: .reset))
            case .confirmation, .emailChange:
                try await inspect(link.code, for: email)
                return try await apply(link.code, in: flow)
            }
        } catch {
            throw flow.refined(error, Secret(link.code))
        }
    }

    private func signIn(_ code: String, _ email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        var body: JSONObject = ["email": .string(email), "oobCode": .string(code)]
        if flow.flow.kind == .linking, let session = flow.session { body["idToken"] = .string(session.accessToken.reveal()) }
        do {
            let response = try await api.call("accounts:signInWithEmailLink", body)
            flow.spentLinks.insert(Secret(code))
            return await named(try await api.step(for: response, in: flow), in: flow)
        } catch {
            if error.code == .emailAlreadyInUse, let session = flow.session {
                return .identityConflict(
                    IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, waysToSignIn: [.emailLinkSignIn]))
            }
            // "The email provided does not match": the link was sent to another address, and stays valid.
            guard error.provider?.code == "INVALID_EMAIL" else { throw error }
            throw foreign(error.provider)
        }
    }

    /// Stores the name of a sign-up on a user who has none; without it the sign-up has succeeded too, and its link is spent.
    private func named(_ step: SignInStep, in flow: FlowMemory) async -> SignInStep {
        guard case .complete(let session) = step, session.user.displayName == nil else { return step }
        return .complete((try? await api.named(session, flow[.newName])) ?? session)
    }

    /// Asks which address a link is for; that does not use it up.
    private func inspect(_ code: String, for email: String) async throws(AuthError) {
        let response = try await api.call("accounts:resetPassword", ["oobCode": .string(code)])
        let addresses = [response.object["email"], response.object["newEmail"]].compactMap { $0?.filled?.lowercased() }
        guard addresses.contains(email.lowercased()) else { throw foreign(nil) }
    }

    private func apply(_ code: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        _ = try await api.call("accounts:update", ["oobCode": .string(code)])
        flow.spentLinks.insert(Secret(code))
        guard let session = flow.session else {
            throw AuthError(.notSignedIn, "The address is proven, but no user is signed in here. Sign in.", remedies: [.signIn])
        }
        return .complete(try await api.session(for: try await api.refresh(session.refreshToken)))
    }

    private func foreign(_ detail: ProviderDetail?) -> AuthError {
        AuthError(
            .linkInvalid, "This link belongs to another address than the one that the flow was begun for.",
            remedies: [.resend, .startAgain], provider: detail)
    }
}

/// Asks whether the proof was given on a page of Firebase, on this device or another.
struct PollVerification: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .poll }

    func takes(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .poll && [.confirmation, .emailChange].contains(kind)
    }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard case .poll = response, var session = flow.session else {
            throw AuthError(
                .notSignedIn, "Only a signed-in user can ask whether the address is proven.", remedies: [.signIn])
        }
        session = try await FirebaseSessions(api: api).reload(session)
        let isProven: Bool
        switch flow.message {
        case .emailChange: isProven = session.user.email?.lowercased() == flow[.email]?.lowercased()
        default: isProven = session.user.isEmailVerified
        }
        guard isProven else {
            throw AuthError(.notConfirmedYet, "The link is not opened yet.", retry: .after(.seconds(3)), remedies: [.resend])
        }
        return .complete(session)
    }
}
