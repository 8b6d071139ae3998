internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    /// Faults for the contracts about the owners of identities, addresses and passwords.
    static let identities: [Mutant<World>] = [
        .client("linking.conflict", "tells the owner to sign in with a password") { faulty, context in
            guard context.contract == "linking.conflict" else { return }
            faulty.changeConflict { $0.signInMethods = [.password] }
        },
        .alone("linking.conflict", "lists a way to sign in that the app does not have") { faulty, _ in
            faulty.changeConflict { $0.signInMethods.append(Capability(rawValue: "carrier-pigeon")) }
        },
        Mutant(
            "linking.unverified-address-stays-unproven", "treats an address from a provider's page as verified",
            claims: [.oauth],
            Mutation(controls: { environment, _ in
                environment.identityPage = environment.identityPage.map { CredulousPage(base: $0) }
            })),
        Mutant(
            "linking.unverified-address-stays-unproven", "treats every address as verified",
            matters: [
                Condition("the backend checks whether an address is verified") {
                    $0.unverifiedAddressOfIDToken != .countsAsProven
                }
            ],
            Mutation(controls: { environment, _ in
                environment.issuer = environment.issuer.map { CredulousIssuer(base: $0) }
            })),
        .client("linking.anonymous.taken-address", "gives the anonymous user another account's address") { faulty, context in
            guard context.contract == "linking.anonymous.taken-address" else { return }
            faulty.onRefreshUser = { base async throws(AuthError) in
                var user = try await base.refreshUser()
                let users = (try? await context.environment.administrator?.users()) ?? []
                user.email = users.lazy.compactMap(\.email).first
                return user
            }
        },
        .password("sign-up.password.second-before-proof", "accepts both passwords") {
            context, base, credential async throws(AuthError) in
            do throws(AuthError) {
                return try await base.signIn(with: credential)
            } catch {
                guard context.contract == "sign-up.password.second-before-proof", error.code == .invalidCredentials else {
                    throw error
                }
                return .complete(context.forged(email: credential.email))
            }
        },
        .client("sign-in.disabled.every-way", "signs in the disabled owner of an identity") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    guard error.code == .userDisabled, credential is IDTokenCredential else { throw error }
                    return .complete(context.forged())
                }
            }
        },
        .alone(
            "sign-in.disabled.every-way", "signs in a user who was disabled during a reset",
            matters: [Condition("a session ends because its user is disabled") { $0.sessionOfDisabledUser == .userDisabled }]
        ) { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    guard response.kind == .newPassword else { throw error }
                    return .complete(context.forged())
                }
            }
        },
        .client("session.end.at-reload", "returns a deleted user") { faulty, context in
            guard context.contract == "session.end.at-reload" else { return }
            faulty.onRefreshUser = { base async throws(AuthError) in
                let user = base.state.session?.user
                do throws(AuthError) {
                    return try await base.refreshUser()
                } catch {
                    guard let user else { throw error }
                    return user
                }
            }
        },
    ]

    /// Faults for the contracts about the options that an app can show.
    static let offers: [Mutant<World>] = [
        .client("capability.ways-to-link", "offers a ticket") { faulty, _ in faulty.linkable = { $0 + [.ticket] } },
        .client("capability.ways-to-link", "offers nothing") { faulty, _ in faulty.linkable = { _ in [] } },
        .alone("capability.factor-kinds", "offers nothing") { faulty, _ in faulty.addable = { _ in [] } },
        .client("capability.factor-kinds", "offers backup codes") { faulty, _ in
            faulty.addable = { $0.isEmpty ? $0 : $0.union([.backupCode]) }
        },
        .client("account.reauthenticate.every-way", "does not renew the sign-in") { faulty, context in
            guard context.contract == "account.reauthenticate.every-way" else { return }
            faulty.onReauthenticate = { base, credential, retry async throws(AuthError) in
                if let session = base.state.session { return .complete(session) }
                return try await base.reauthenticate(with: credential, thenRetry: retry)
            }
        },
        .alone("account.reauthenticate.every-way", "lists a method without a user") { faulty, _ in
            faulty.renewable = { $0.isEmpty ? [.password] : $0 }
        },
        .alone("linking.oauth.round-trip", "tells the owner of the identity to sign in with a password") { faulty, _ in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .step(.identityConflict(var conflict)) = outcome else { return outcome }
                conflict.signInMethods = [.password]
                return .step(.identityConflict(conflict))
            }
        },
        .alone("linking.oauth.round-trip", "lists another user's identity after a conflict") { faulty, context in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                if case .step(.identityConflict) = outcome { context.notebook["conflict"] = "seen" }
                return outcome
            }
            faulty.onRefreshUser = { base async throws(AuthError) in
                var user = try await base.refreshUser()
                if context.notebook["conflict"] != nil { user.identities.append(Identity(id: "other", provider: .google)) }
                return user
            }
        },
        .client("linking.oauth.round-trip", "does not list an identity from a page") { faulty, context in
            guard context.contract == "linking.oauth.round-trip" else { return }
            faulty.onRefreshUser = { base async throws(AuthError) in
                var user = try await base.refreshUser()
                user.identities.removeAll { $0.provider != .email }
                return user
            }
        },
    ]
}

/// A page of an identity provider that calls every email address verified.
private struct CredulousPage: IdentityPage {
    let base: any IdentityPage

    var provider: IdentityProvider { base.provider }

    func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        var subject = subject
        subject.isEmailVerified = true
        return try await base.approve(page, as: subject)
    }

    func refuse(_ page: String) async throws -> String? { try await base.refuse(page) }
}

/// An identity provider that calls every email address verified.
private struct CredulousIssuer: IdentityIssuer {
    let base: any IdentityIssuer

    var provider: IdentityProvider { base.provider }
    var tokenLife: Duration { base.tokenLife }

    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret {
        var subject = subject
        subject.isEmailVerified = true
        return try await base.idToken(for: subject, flaw: flaw)
    }
}
