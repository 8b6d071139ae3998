internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let factors: [Mutant<World>] = [
        .alone("sign-in.second-factor.own-only", "accepts any code") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard error.code == .invalidCode else { throw error }
                    return .complete(context.forged())
                }
            }
        },
        .alone("account.factor.several", "loses the labels") { faulty, _ in
            faulty.onFactors = { base async throws(AuthError) in
                try await base.factors().map { FactorChoice(id: $0.id, kind: $0.kind) }
            }
        },
        .alone("account.factor.several", "lists an app as a phone") { faulty, _ in
            faulty.onFactors = { base async throws(AuthError) in
                try await base.factors().map { FactorChoice(id: $0.id, kind: .phone, label: $0.label) }
            }
        },
        .alone("account.factor.several", "removes the newest factor") { faulty, _ in
            faulty.onRemoveFactor = { base, factor async throws(AuthError) in
                try await base.removeFactor(try await base.factors().last ?? factor)
            }
        },
        .alone("account.factor.several", "returns no address for the app") { faulty, _ in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                var enrolment = try await base.addFactor(factor)
                enrolment.uri = nil
                return enrolment
            }
        },
        .alone("account.factor.one-app", "replaces the first app with the newest") { faulty, _ in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                for other in try await base.factors() { try await base.removeFactor(other) }
                return try await base.addFactor(factor)
            }
        },
        oneKey,
        .alone("account.factor.one-app", "reports the second app as unsupported") { faulty, _ in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                do throws(AuthError) { return try await base.addFactor(factor) } catch { throw error.renamed(.unsupported) }
            }
        },
        .alone("account.factor.assurance", "reports the opposite of the declaration") { faulty, context in
            faulty.seeing = { state in
                guard case .signedIn(var session) = state, context.notebook["added"] != nil else { return state }
                session.assurance = context.behavior.addedFactor == .countsAtOnce ? .oneFactor : .twoFactors
                return .signedIn(session)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                if flow.capability == .factorEnrolment { context.notebook["added"] = "yes" }
                return step
            }
        },
        .alone("account.factor.phone", "invents an enrollment") { faulty, context in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                guard factor.kind == .phone else { return try await base.addFactor(factor) }
                return FactorEnrolment(challenge: context.forgedChallenge)
            }
        },
        .alone("account.factor.phone", "rejects a phone as unsupported") { faulty, _ in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                guard factor.kind == .phone else { return try await base.addFactor(factor) }
                throw AuthError(.unsupported, "There is no such second factor.")
            }
        },
        .alone("account.factor.phone", "rejects a phone as disabled") { faulty, _ in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                guard factor.kind == .phone else { return try await base.addFactor(factor) }
                throw AuthError(.notEnabled, "The project has no such second factor.")
            }
        },
        .alone("account.factor.phone", "accepts the number as a sign-in method") { faulty, context in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                context.notebook["owner"] = base.state.session.map { Secret($0.user.id) }
                return try await base.addFactor(factor)
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let isPhone = credential is PhoneCodeCredential && context.notebook["owner"] != nil
                if isPhone { context.notebook["entered"] = "yes" }
                return try await base.signIn(with: credential)
            }
            faulty.seeing = { state in
                guard context.notebook["entered"] != nil, let owner = context.notebook["owner"] else {
                    return state
                }
                var session = context.forged()
                session.user.id = owner.reveal()
                return .signedIn(session)
            }
        },
        .alone("account.factor.phone", "removes the phone only from the list") { faulty, context in
            faulty.onRemoveFactor = { _, factor throws(AuthError) in context.notebook["removed"] = Secret(factor.id) }
            faulty.onFactors = { base async throws(AuthError) in
                try await base.factors().filter { Secret($0.id) != context.notebook["removed"] }
            }
        },
        .alone("account.factor.backup-codes", "returns the earlier codes") { faulty, _ in
            faulty.onRenewBackupCodes = { base async throws(AuthError) in
                let former = try await base.renewBackupCodes()
                _ = try await base.renewBackupCodes()
                return former
            }
        },
        .alone("account.factor.backup-codes", "invents codes for a user without a second factor") { faulty, context in
            faulty.onRenewBackupCodes = { base async throws(AuthError) in
                do throws(AuthError) { return try await base.renewBackupCodes() } catch {
                    guard error.code == .secondFactorRequired else { throw error }
                    return (0..<8).map { _ in Secret(context.environment.randomness.text(10)) }
                }
            }
        },
        .alone("account.factor.backup-codes", "returns the earlier codes again") { faulty, _ in
            let former = Keeper<[Secret]>()
            faulty.onRenewBackupCodes = { base async throws(AuthError) in
                let codes = try await base.renewBackupCodes()
                defer { former.value = former.value ?? codes }
                return former.value ?? codes
            }
        },
    ]

    /// A mutant that gives every app the key of the first app.
    ///
    /// The codes of the apps are still valid.
    private static let oneKey = Mutant(
        "account.factor.one-app", "gives every app the key of the first app",
        Mutation(
            client: { client, context in
                guard context.contract == "account.factor.one-app" else { return client }
                var faulty = FaultyClient(client)
                faulty.onAddFactor = { base, factor async throws(AuthError) in
                    var enrolment = try await base.addFactor(factor)
                    context.notebook["key"] = enrolment.key
                    if let first = context.notebook["first key"] { enrolment.key = first }
                    context.notebook["first key"] = enrolment.key
                    return enrolment
                }
                return faulty
            },
            controls: { environment, notebook in
                environment.authenticators = environment.authenticators.map { base in
                    AppsOfOneKey(base: base) { shown in notebook["key"] ?? shown }
                }
            }))
}

/// Authenticator apps that compute their codes from another key.
private struct AppsOfOneKey: AuthenticatorApps {
    let base: any AuthenticatorApps
    let keyBehind: @Sendable (Secret) -> Secret

    func code(for key: Secret) async throws -> Secret { try await base.code(for: keyBehind(key)) }
}
