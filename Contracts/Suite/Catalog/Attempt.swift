internal import Lockstep
internal import LockstepPrimitives

/// A trial call of a capability.
struct Attempt: Sendable {
    /// The contracts that the trial depends on.
    var buildsOn: [String] = []
    /// Prepares the trial, and returns its call.
    ///
    /// The requests of the preparation are not counted.
    let prepare: @Sendable (World, any PortableClient) async throws -> any ClientCall

    /// The capabilities that a single call to the backend can try.
    ///
    /// The other capabilities continue a flow that only some backends have, or need something that the user must have first. Other
    /// contracts check them.
    static let calls: [Capability] = Capability.all.filter { capability in
        switch capability {
        case .passkey, .confirmationCode, .confirmationLink, .poll, .secondFactor, .backupCode, .newPasswordStep, .requirements,
            .linking, .oauth, .phoneCode, .ticket, .emailChange, .factorEnrolment, .reauthentication, .captcha,
            .backupCodeRenewal,
            .passkeyManagement, .passkeyRenaming, .organizations, .photoUpload:
            // Answers to steps, and calls with a fake input that the client itself may reject.
            false
        default: of(capability) != nil
        }
    }

    static func of(_ capability: Capability) -> Attempt? {
        switch capability {
        case .password: signIn(.password(email: "nobody@example.com", password: "Long-enough-9"))
        case .emailLinkSignIn: signIn(.emailLink("nobody@example.com"))
        case .emailCodeSignIn: signIn(.emailCode("nobody@example.com"))
        case .phoneCode: signIn(.phoneCode("+15005550006"))
        case .anonymous: signIn(.anonymous)
        case .idToken: signIn(.idToken(.apple, token: "not.a.token"))
        case .oauth: signIn(.oauth(.github))
        case .ticket: signIn(.ticket("not-a-ticket"))
        case .passkey: answer(.passkey(["id": "none"]))
        case .confirmationCode: answer(.code("654321"))
        case .confirmationLink: answer(.link("app://nowhere/"))
        case .poll: answer(.poll)
        case .secondFactor: answer(.factor(FactorChoice(id: "none", kind: .authenticatorApp)))
        case .backupCode: answer(.factor(FactorChoice(id: "none", kind: .backupCode)))
        case .newPasswordStep: answer(.newPassword("Tried-out-9x"))
        case .requirements: answer(.fields([.lastName: "Lovelace"]))
        case .captcha: answer(.captcha("tried-token"))
        case .passwordReset: Attempt { _, _ in RequestPasswordReset(email: "nobody@example.com") }
        case .photo: user(UpdateProfile(displayName: nil, photoURL: "https://example.com/ada.png"))
        case .signOutOthers: user(SignOut(scope: .others, discardingAnonymousUser: true))
        case .signOutEverywhere: user(SignOut(scope: .everywhere, discardingAnonymousUser: true))
        default:
            ClientCalls.ofAUser.lazy.map { $0.sample(of: .nobody, and: .nobody) }.first { $0.capability == capability }.map {
                user($0)
            }
        }
    }

    private static func signIn<C: Credential>(_ credential: C) -> Attempt {
        Attempt { _, _ in SignIn(credential: credential) }
    }

    /// Tries a call of a signed-in user.
    private static func user(_ call: any ClientCall) -> Attempt {
        Attempt { world, client in
            try await world.signIn(client)
            return call
        }
    }

    /// Tries a response to the pending step.
    private static func answer(_ response: ChallengeResponse) -> Attempt {
        Attempt(buildsOn: ["sign-up.password.asks-for-proof", "verification.proof-kind-refused"]) { world, client in
            guard world.can(.password) else { throw NotApplicable("no sign-up or reset has a pending step") }
            let step = try await world.unfinishedStep(client)
            // A code of a sign-in needs another capability than a code of a sign-up.
            if let challenge = step.challenge, challenge.flow.kind != .confirmation, challenge.accepts.contains(response.kind) {
                throw NotApplicable("the pending step accepts the answer for another capability")
            }
            return Respond(flow: try world.require(step.flow, "the step in between has no flow"), response: response)
        }
    }
}
