internal import Lockstep
internal import LockstepPrimitives

struct PasswordSignIn: SignInStrategy {
    let link: InMemoryLink

    var acceptsMetadata: Bool { true }

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: PasswordCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        let (email, password) = (credential.email, credential.password)
        switch purpose {
        case .signUp(let profile):
            guard !link.settings.givesLimitedSession else { return try await signUpInParts(credential, profile, flow) }
            let outcome = try await link.asking(in: flow) { () async throws(AuthError) in
                try await link.backend.signUp(
                    email: email, password: password, profile: profile, captcha: flow.takeCaptcha())
            }
            return link.step(outcome, flow)
        case .signIn:
            return link.step(
                try await link.backend.signIn(
                    email: email, password: password, device: flow[device: "id"], captcha: flow.takeCaptcha()), flow)
        case .link(let session):
            return link.step(
                try await link.backend.link(email: email, password: password, to: session.accessToken), flow)
        case .reauthenticate(let session):
            return link.step(
                try await link.backend.reauthenticate(session.accessToken, email: email, password: password), flow)
        }
    }

    /// The account, its name and the message each need a request.
    ///
    /// If the call is repeated, completed requests are skipped.
    private func signUpInParts(
        _ credential: PasswordCredential, _ profile: SignUpProfile, _ flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        do throws(AuthError) {
            if !flow.completed.contains("account") {
                let grant = try await link.backend.register(
                    email: credential.email, password: credential.password, captcha: flow.takeCaptcha())
                flow["access"] = grant.accessToken
                flow.grant(limited: link.session(grant))
                flow.complete("account")
            }
            let access = flow["access"] ?? ""
            if profile != SignUpProfile(), !flow.completed.contains("name") {
                let changes = ProfileChanges(
                    displayName: profile.displayName, metadata: profile.metadata.isEmpty ? nil : profile.metadata)
                flow.grant(limited: link.session(try await link.backend.update(access, changes)))
                flow.complete("name")
            }
            flow.become(.confirmation)
            if link.settings.behavior.signUpProof == .automatic {
                return .complete(link.session(try await link.backend.reload(access)))
            }
            let proof = try await link.asking(in: flow) { () async throws(AuthError) in
                try await link.backend.askForProof(access)
            }
            return link.verify(proof, flow, accepts: link.confirmationResponses)
        } catch {
            var failure = error
            failure.completed = flow.completed
            if !flow.completed.isEmpty, failure.code == .messageNotSent { failure.remedies = [.resend] }
            throw failure
        }
    }
}
