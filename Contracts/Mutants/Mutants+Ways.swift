internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let ways: [Mutant<World>] = [
        .client("sign-in.phone-code.completes", "invents a session") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if flow.capability == .phoneCode, response.kind == .code { return .complete(context.forged()) }
                return try await base.respond(to: flow, with: response)
            }
        },
        .client("sign-in.phone-code.completes", "sends the code to another number") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let phone = credential as? PhoneCodeCredential, phone.phone.hasPrefix("+1555") else {
                    return try await base.signIn(with: credential)
                }
                return try await base.signIn(with: .phoneCode("+1556" + phone.phone.dropFirst(5)))
            }
        },
        .client("sign-in.phone.malformed-refused", "adds a country code to the number") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let phone = credential as? PhoneCodeCredential, !phone.phone.hasPrefix("+") else {
                    return try await base.signIn(with: credential)
                }
                await context.waste()
                return try await base.signIn(with: .phoneCode("+1" + phone.phone))
            }
        },
        .client("sign-in.oauth.round-trip", "invents a session") { faulty, context in
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard context.notebook["redirect"] != nil, case .step(.complete(let real)) = outcome else { return outcome }
                var session = context.forged(email: real.user.email)
                session.user.identities = real.user.identities
                return .step(.complete(session))
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                if case .redirect = step { context.notebook["redirect"] = "begun" }
                return step
            }
        },
        .client("sign-in.oauth.denied", "reports the link as invalid") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if credential is OAuthCredential { context.notebook["page"] = "begun" }
                return try await base.signIn(with: credential)
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused(let error) = outcome, error.code == .providerRefused, context.notebook["page"] != nil else {
                    return outcome
                }
                return .refused(error.renamed(.linkInvalid))
            }
        },
        .client("sign-in.oauth.state-mismatch", "exchanges a code of another flow") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                if credential is OAuthCredential { context.notebook["page"] = "begun" }
                return try await base.signIn(with: credential)
            }
            faulty.onHandle = { base, url in
                if base.pending == nil, context.notebook["page"] != nil, !url.contains("error") { await context.waste() }
                return await base.handle(url)
            }
        },
        .client("sign-in.ticket.single-use", "invents a session for a used ticket") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard credential is TicketCredential, context.notebook.count("tickets") > 1 else {
                    return try await base.signIn(with: credential)
                }
                return .complete(context.forged())
            }
        },
        .client("sign-in.ticket.single-use", "reports a used ticket as an expired code") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signIn(with: credential)
                } catch {
                    throw credential is TicketCredential ? error.renamed(.codeExpired) : error
                }
            }
        },
        .client("sign-in.passkey.completes", "invents a session") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if response.kind == .passkey, flow.kind == .signIn { return .complete(context.forged()) }
                return try await base.respond(to: flow, with: response)
            }
        },
    ]

    static let steps: [Mutant<World>] = [
        .alone("sign-in.second-factor.required", "stores a session before the second factor") { $0.storeSessionBeforeFactor($1) },
        .client("sign-in.second-factor.required", "completes before the second factor") { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .secondFactor = step else { return step }
                return .complete(context.forged())
            }
        },
        .client("sign-in.second-factor.required", "does not offer the user's own factor") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .secondFactor(var second) = step else { return step }
                second.choices = []
                return .secondFactor(second)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                guard case .secondFactor(var second) = step else { return step }
                second.choices = []
                return .secondFactor(second)
            }
        },
        .late("sign-in.second-factor.late", .factor),
        .client("sign-in.second-factor.wrong-then-right", "cancels the step") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let isFactor = if case .secondFactor? = base.pending { true } else { false }
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    if error.code == .invalidCode, isFactor, base.pending?.challenge?.channel != .backupCode {
                        try await base.cancel(flow)
                    }
                    throw error
                }
            }
        },
        .client("account.factor.enrol-and-remove", "lists a factor before its first right code") { faulty, context in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                context.notebook["added"] = "a factor"
                return try await base.addFactor(factor)
            }
            faulty.onFactors = { base async throws(AuthError) in
                let factors = try await base.factors()
                let isAdded = context.notebook["added"] != nil
                return isAdded && factors.isEmpty ? [FactorChoice(id: "new", kind: .authenticatorApp)] : factors
            }
        },
        .client("account.factor.enrol-and-remove", "removes a factor only from the list") { faulty, context in
            faulty.onRemoveFactor = { _, _ throws(AuthError) in context.notebook["removed"] = "a factor" }
            faulty.onFactors = { base async throws(AuthError) in
                context.notebook["removed"] == nil ? try await base.factors() : []
            }
        },
        .client("sign-in.second-factor.backup-once", "accepts a used code") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let isBackup = base.pending?.challenge?.channel == .backupCode
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    if isBackup, error.code == .invalidCode { return .complete(context.forged()) }
                    throw error
                }
            }
        },
        .alone("sign-in.step.new-password", "cancels the step after a weak password") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    if error.code == .weakPassword, case .newPassword? = base.pending { try await base.cancel(flow) }
                    throw error
                }
            }
        },
        .client("sign-in.step.more-information", "completes without the fields") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                guard case .moreInformation = step else { return step }
                return .complete(context.forged())
            }
        },
        .alone("sign-in.step.more-information", "requires one more field") { faulty, _ in
            @Sendable func asking(_ step: AuthStep) -> AuthStep {
                guard case .moreInformation(var missing) = step else { return step }
                missing.fields.append(.username)
                return .moreInformation(missing)
            }
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                asking(try await base.signUp(with: credential, displayName: name))
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                asking(try await base.respond(to: flow, with: response))
            }
        },
        .client("sign-in.step.more-information", "does not send the fields") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard case .fields(let fields) = response else { return try await base.respond(to: flow, with: response) }
                return try await base.respond(to: flow, with: .fields(fields.mapValues { _ in "Nobody" }))
            }
        },
        .client("sign-in.step.abandoned", "continues the old flow") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if let pending = base.pending?.flow, pending.id != flow.id, response.kind == .code { await context.waste() }
                return try await base.respond(to: flow, with: response)
            }
        },
    ]
}
