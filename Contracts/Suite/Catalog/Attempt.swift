internal import Lockstep
internal import LockstepPrimitives

/// A trial call of a capability.
struct Attempt: Sendable {
    /// The contracts that the trial depends on.
    var buildsOn: [String] = []
    /// Prepares the trial.
    ///
    /// The requests of the preparation are not counted.
    var prepare: @Sendable (World, any PortableClient) async throws -> Flow? = { _, _ in nil }
    /// Makes the trial call.
    let run: @Sendable (any PortableClient, Flow?) async throws(AuthError) -> Void

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
        case .passwordReset:
            Attempt { client, _ async throws(AuthError) in _ = try await client.requestPasswordReset(email: "nobody@example.com")
            }
        case .displayName:
            user { client async throws(AuthError) in _ = try await client.update(displayName: "Ada", photoURL: nil) }
        case .photo:
            user { client async throws(AuthError) in
                _ = try await client.update(displayName: nil, photoURL: "https://example.com/ada.png")
            }
        case .userMetadata:
            user { client async throws(AuthError) in _ = try await client.update(metadata: ["tried": true]) }
        case .passwordChange:
            user { client async throws(AuthError) in try await client.changePassword(to: "Long-enough-9", current: nil) }
        case .emailChange: user { client async throws(AuthError) in _ = try await client.changeEmail(to: "nobody@example.com") }
        case .linking:
            user { client async throws(AuthError) in
                try await client.unlink(Identity(id: "none", provider: .apple))
            }
        case .factorEnrolment:
            user { client async throws(AuthError) in _ = try await client.addFactor(.authenticatorApp()) }
        case .backupCodeRenewal: user { client async throws(AuthError) in _ = try await client.renewBackupCodes() }
        case .passkeyManagement: user { client async throws(AuthError) in _ = try await client.passkeys() }
        case .passkeyRenaming:
            user { client async throws(AuthError) in try await client.renamePasskey(Passkey(id: "none"), to: "My key") }
        case .organizations: user { client async throws(AuthError) in _ = try await client.organizations() }
        case .photoUpload: user { client async throws(AuthError) in _ = try await client.setPhoto(.pixel) }
        case .reauthentication:
            user { client async throws(AuthError) in
                _ = try await client.reauthenticate(with: .password(email: "nobody@example.com", password: "Long-enough-9"))
            }
        case .accountDeletion: user { client async throws(AuthError) in try await client.deleteAccount() }
        case .signOutOthers:
            user { client async throws(AuthError) in try await client.signOut(.others, discardingAnonymousUser: true) }
        case .signOutEverywhere:
            user { client async throws(AuthError) in try await client.signOut(.everywhere, discardingAnonymousUser: true) }
        default: nil
        }
    }

    private static func signIn<C: Credential>(_ credential: C) -> Attempt {
        Attempt { client, _ async throws(AuthError) in _ = try await client.signIn(with: credential) }
    }

    /// Tries a call of a signed-in user.
    private static func user(_ run: @escaping @Sendable (any PortableClient) async throws(AuthError) -> Void) -> Attempt {
        Attempt(
            prepare: { world, client in
                try await world.signIn(client)
                return nil
            }, run: { client, _ async throws(AuthError) in try await run(client) })
    }

    /// Tries a response to the pending step.
    private static func answer(_ response: ChallengeResponse) -> Attempt {
        Attempt(
            buildsOn: ["sign-up.password.asks-for-proof", "verification.proof-kind-refused"],
            prepare: { world, client in
                guard world.can(.password) else { throw NotApplicable("no sign-up or reset has a pending step") }
                return try await world.unfinishedStep(client).flow
            },
            run: { client, flow async throws(AuthError) in
                guard let flow else { throw AuthError(.flowNotFound, "The step in between has no flow.") }
                _ = try await client.respond(to: flow, with: response)
            })
    }
}
