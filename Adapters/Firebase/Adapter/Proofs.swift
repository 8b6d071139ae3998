internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Links that open the app: action links, and those that end a redirect through an identity provider's pages.
///
/// An action link is not bound to a device, so its address is checked before it is used: it must be the flow's own.
struct LinkVerification: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .confirmationLink }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .link }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .link(let url) = response else { throw AuthError(.responseNotAccepted, "This step accepts only a link.") }
        if let step = try await api.resumed(in: flow) { return await api.named(step, flow[.newName]) }
        let callback = try Callback(url, deciding: FirebaseCallbacks.decides)
        guard let link = ActionLink(callback) else { return try await OAuthSignIn(api: api).finish(callback, in: flow) }
        guard let email = flow[.email] else {
            throw AuthError(
                .flowStartedElsewhere, "This device did not start the flow of this link.", remedies: [.startAgain])
        }
        return try await use(link, for: email, in: flow)
    }

    /// Uses a link in an email to an address.
    func use(_ link: ActionLink, for email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
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
            let code = Secret(link.code)
            if error.provider?.code == "INVALID_OOB_CODE", flow.mayHaveCounted(code),
                let step = try await counted(link, email, in: flow)
            {
                return step
            }
            throw flow.refined(error, code)
        }
    }

    /// Returns the step of a link that was accepted although its response was lost, if the signed-in user has the
    /// verified data.
    private func counted(_ link: ActionLink, _ email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep? {
        // A sign-in needs tokens, which were in the lost response.
        guard link.message != .signIn || flow.flow.kind == .linking else { return nil }
        return try await api.added(in: flow) { user in
            guard user.email?.lowercased().exact == email.lowercased().exact, user.isEmailVerified else { return false }
            guard link.message == .signIn else { return true }
            // The user may already have had the address before, with a password.
            return user.linkAddress != nil && user.linkAddress != flow[.identityBefore]
        }
    }

    private func signIn(_ code: String, _ email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        var body: JSONObject = ["email": .string(email), "oobCode": .string(code)]
        if flow.flow.kind == .linking { body["idToken"] = .string(try flow.session(toAdd: "identity").accessToken.reveal()) }
        do {
            let response = try await flow.sending(Secret(code)) { [body] () async throws(AuthError) in
                try await api.prove("accounts:signInWithEmailLink", body, in: flow)
            }
            flow.spentLinks.insert(Secret(code))
            api.sentLinks(in: flow).forget(email)
            return await api.named(try await api.step(forSpent: response, in: flow), flow[.newName])
        } catch {
            if error.code == .emailAlreadyInUse, let session = flow.session {
                return .identityConflict(
                    IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, signInMethods: [.emailLinkSignIn]))
            }
            // "The email provided does not match": the link was sent to a different address, and stays valid.
            guard error.provider?.code == "INVALID_EMAIL" else { throw error }
            throw foreign(error.provider)
        }
    }

    /// Requests the address of a link; this does not use up the link.
    private func inspect(_ code: String, for email: String) async throws(AuthError) {
        let response = try await api.call("accounts:resetPassword", ["oobCode": .string(code)])
        let addresses = [response.object["email"], response.object["newEmail"]].compactMap { $0?.filled?.lowercased() }
        guard addresses.contains(email.lowercased()) else { throw foreign(nil) }
    }

    private func apply(_ code: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        _ = try await flow.sending(Secret(code)) { () async throws(AuthError) in
            try await api.call("accounts:update", ["oobCode": .string(code)])
        }
        flow.spentLinks.insert(Secret(code))
        if let email = flow[.email] { api.sentLinks(in: flow).forget(email) }
        guard let session = flow.session else {
            throw AuthError(
                .notSignedIn, "The address is verified, but no user is signed in on this device. Sign in.", remedies: [.signIn])
        }
        return .complete(try await api.session(for: try await api.refresh(session.refreshToken)))
    }

    private func foreign(_ detail: ProviderDetail?) -> AuthError {
        AuthError(
            .linkInvalid, "This link belongs to a different address than the flow.",
            remedies: [.resend, .startAgain], provider: detail)
    }
}

/// Codes by SMS for signing in, and codes of a second factor that is required or being added.
struct CodeVerification: VerificationStrategy {
    let api: FirebaseAPI

    /// The capability; if users cannot sign in with codes by SMS, only second factors remain.
    var capability: Capability { api.configuration.takesPhoneCodes ? .phoneCode : .secondFactor }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .code }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge {
        guard flow[.pendingCredential] == nil, let phone = flow[.phone] else {
            return try await SecondFactor(api: api).prepare(flow)
        }
        guard flow[.enrolledKind] != nil else { return try await api.sendCode(to: phone, in: flow) }
        return try await OwnSecondFactors(api: api).sendCode(to: phone, as: try flow.session(toAdd: "second factor"), in: flow)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .code(let code) = response else { throw AuthError(.responseNotAccepted, "This step accepts only a code.") }
        if let step = try await api.resumed(in: flow) { return await api.named(step, flow[.newName]) }
        if flow[.pendingCredential] != nil { return try await SecondFactor(api: api).attempt(response, in: flow) }
        if flow[.enrolledKind] != nil { return try await OwnSecondFactors(api: api).finish(code, in: flow) }
        guard let phone = flow[.phone] else {
            throw AuthError(.responseNotAccepted, "This flow does not accept a code.", remedies: [.startAgain])
        }
        var body: JSONObject = ["code": .string(code.reveal()), "operation": "SIGN_UP_OR_IN"]
        switch flow.flow.kind {
        case .linking:
            body["operation"] = "LINK"
            body["idToken"] = .string(try flow.session(toAdd: "identity").accessToken.reveal())
        case .reauthentication: body["operation"] = "REAUTH"
        default: break
        }
        do {
            let response = try await api.giveCode(in: flow) { [body] message async throws(AuthError) in
                var body = body
                body["sessionInfo"] = .string(message.reveal())
                return try await api.prove("accounts:signInWithPhoneNumber", body, in: flow)
            }
            flow.spentCodes.insert(code, for: phone)
            // The number belongs to another user. Firebase responds with 200 and a verification with which that user
            // can sign in.
            if let proof = response.object["temporaryProof"] {
                if let proof = proof.filled {
                    flow.handOver(
                        Secret(proof), as: .temporaryProof, toSignInWith: PhoneCodeCredential(phone: phone),
                        for: TokenLife.told(response.object["temporaryProofExpiresIn"]) ?? .seconds(3600))
                }
                return try conflict(in: flow)
            }
            return await api.named(try await api.step(forSpent: response, in: flow), flow[.newName])
        } catch {
            if error.code == .phoneAlreadyInUse { return try conflict(in: flow) }
            if flow.flow.kind == .linking, ["INVALID_SESSION_INFO", "INVALID_CODE"].contains(error.provider?.code),
                flow.messageMayHaveCounted, flow[.identityBefore] != phone,
                let step = try await api.added(in: flow, { $0.phone == phone })
            {
                return step
            }
            throw refined(error, code, phone, in: flow)
        }
    }

    private func conflict(in flow: FlowMemory) throws(AuthError) -> AuthStep {
        guard let session = flow.session else {
            throw AuthError(.phoneAlreadyInUse, "Another account uses this number.", remedies: [.signIn])
        }
        return .identityConflict(
            IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, signInMethods: [.phoneCode]))
    }

    /// Returns the error for a code that this device may have used, because Firebase does not remember a message whose
    /// code was used.
    private func refined(_ error: AuthError, _ code: Secret, _ phone: String, in flow: FlowMemory) -> AuthError {
        guard ["INVALID_SESSION_INFO", "INVALID_CODE"].contains(error.provider?.code) else { return error }
        let mayBeUsed = error.provider?.code == "INVALID_SESSION_INFO" && flow.messageMayHaveCounted
        guard flow.spentCodes.contains(code, for: phone) || mayBeUsed else { return error }
        var error = error
        error.code = .codeUsed
        error.message = "The code was already used. Request a new code."
        return error
    }
}

/// The request whether the user has completed the verification on a page of Firebase, on this device or another.
struct PollVerification: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .poll }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .poll && [.confirmation, .emailChange].contains(kind)
    }

    func prepare(_ flow: FlowMemory) async throws(AuthError) -> Challenge { try await api.resend(in: flow) }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .poll = response, var session = flow.session else {
            throw AuthError(
                .notSignedIn, "Only a signed-in user can check whether the address is verified.", remedies: [.signIn])
        }
        session = try await FirebaseSessions(api: api).reload(session)
        let isProven: Bool
        switch flow.message {
        case .emailChange: isProven = session.user.email?.lowercased().exact == flow[.email]?.lowercased().exact
        default: isProven = session.user.isEmailVerified
        }
        guard isProven else {
            throw AuthError(
                .notConfirmedYet, "The link has not been opened yet.", retry: .after(.seconds(3)), remedies: [.resend])
        }
        return .complete(session)
    }
}

/// An email with a link, and the kind of flow that requested it.
///
/// This device stores them before the request.
struct SentLink: Equatable {
    let message: Message
    let kind: Flow.Kind

    var text: String { "\(message.rawValue)/\(kind.rawValue)" }

    init(message: Message, kind: Flow.Kind) {
        self.message = message
        self.kind = kind
    }

    init?(_ text: String) {
        let parts = text.pieces(at: "/").map(String.init)
        guard parts.count == 2, let message = Message(rawValue: parts[0]), let kind = Flow.Kind(rawValue: parts[1]) else {
            return nil
        }
        self.init(message: message, kind: kind)
    }
}

/// The part that opens links in emails if the response to their request was lost.
///
/// A link is used with the address to which this device requested the email, never with an address from the link.
struct OpenedLinks: UnrequestedLinks {
    let api: FirebaseAPI

    func kind(of callback: Callback, on device: FlowMemory) -> Flow.Kind? {
        guard let link = ActionLink(callback) else { return nil }
        return unanswered(link.message, on: device).first?.kind
    }

    func open(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let link = ActionLink(callback) else { throw ActionLink.unreadable }
        let sent = unanswered(link.message, on: flow).filter { $0.kind == flow.flow.kind }
        for (place, mail) in sent.enumerated() {
            flow[.message] = link.message.rawValue
            flow[.email] = mail.address
            do {
                return try await LinkVerification(api: api).use(link, for: mail.address, in: flow)
            } catch {
                // The link of an email to another address stays valid.
                guard error.code == .linkInvalid, place + 1 < sent.count else { throw error }
            }
        }
        throw AuthError(.flowStartedElsewhere, "This device did not start the flow of this link.", remedies: [.startAgain])
    }

    private func unanswered(_ message: Message, on device: FlowMemory) -> [(kind: Flow.Kind, address: String)] {
        api.sentLinks(in: device).entries.compactMap { entry in
            guard !entry.isAnswered, let link = SentLink(entry.message), link.message == message else { return nil }
            return (link.kind, entry.verifier.reveal())
        }
    }
}
