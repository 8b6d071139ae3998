internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let captcha: [Mutant<World>] = [
        .alone("sign-up.captcha.step", "rejects a sign-up that requires a captcha") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                let step = try await base.signUp(with: credential, displayName: name)
                guard step.accepts == [.captcha] else { return step }
                throw AuthError(.captchaRequired, "The backend requires a captcha.")
            }
        },
        .alone("sign-up.captcha.step", "accepts any token") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                return response.kind == .captcha && step.accepts == [.captcha] ? .complete(context.forged()) : step
            }
        },
        .alone("sign-up.captcha.step", "creates the account before the captcha") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                let step = try await base.signUp(with: credential, displayName: name)
                if step.accepts == [.captcha] {
                    _ = try? await context.environment.administrator?.create(
                        email: credential.identifier ?? "", password: "Made-by-itself-9", isEmailVerified: true, displayName: nil)
                }
                return step
            }
        },
        .alone("sign-up.captcha.step", "cancels the flow after a wrong token") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                if response.kind == .captcha, step.accepts == [.captcha] { try await base.cancel(flow) }
                return step
            }
        },
        .alone("sign-up.captcha.forgotten", "reports a wrong code after a relaunch") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    throw error.code == .flowNotFound ? error.renamed(.invalidCode) : error
                }
            }
        },
        .alone("sign-up.captcha.forgotten", "keeps a step that cannot be completed") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                context.notebook["flow"] = Secret(flow.id)
                return try await base.respond(to: flow, with: response)
            }
            faulty.pendingStep = { step in
                guard step == nil, let id = context.notebook["flow"] else { return step }
                let flow = Flow(id: id.reveal(), kind: .signIn, capability: .password, startedAt: context.environment.clock.now)
                return .verify(Challenge(flow: flow, channel: .captcha, destination: "", accepts: [.captcha]))
            }
        },
        .alone("sign-up.captcha.answer-lost", "ends the step after a lost response") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    if response.kind == .captcha, error.retry != .never { try await base.cancel(flow) }
                    throw error
                }
            }
        },
        .alone("sign-up.captcha.answer-lost", "reports the user's own account as another user's") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if response.kind == .captcha, context.notebook["lost"] != nil {
                    throw AuthError(.emailAlreadyInUse, "Another account uses this address.")
                }
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    if response.kind == .captcha { context.notebook["lost"] = "an answer" }
                    throw error
                }
            }
        },
        .alone("sign-up.captcha.once", "accepts both answers") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    guard response.kind == .captcha else { throw error }
                    return .complete(context.forged())
                }
            }
        },
        .alone("sign-up.captcha.once", "ends the step that the other answer returned") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    if response.kind == .captcha {
                        try? await base.cancel(flow)
                        try? await base.signOut(.local, discardingAnonymousUser: true)
                    }
                    throw error
                }
            }
        },
        .alone(
            "sign-up.captcha.identity", "requires captchas from a provider's new user without an end",
            matters: [.signUpsAskForCaptchas]
        ) {
            faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if response.kind == .captcha, flow.capability == .idToken, let step = base.pending { return step }
                return try await base.respond(to: flow, with: response)
            }
        },
        .alone("sign-in.captcha.step", "returns no captcha step at a sign-in", matters: [.everyEntryAsksForCaptchas]) {
            faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard step.accepts == [.captcha] else { return step }
                throw AuthError(.captchaRequired, "The backend requires a captcha.")
            }
        },
        .alone("sign-in.captcha.step", "returns no captcha step at a reset", matters: [.everyEntryAsksForCaptchas]) { faulty, _ in
            faulty.onReset = { base, email async throws(AuthError) in
                let step = try await base.requestPasswordReset(email: email)
                guard step.accepts == [.captcha] else { return step }
                throw AuthError(.captchaRequired, "The backend requires a captcha.")
            }
        },
        .alone("sign-in.captcha.step", "keeps the step after a wrong password", matters: [.everyEntryAsksForCaptchas]) {
            faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if response.kind == .captcha { context.notebook["flow"] = Secret(flow.id) }
                return try await base.respond(to: flow, with: response)
            }
            faulty.pendingStep = { step in
                guard step == nil, let id = context.notebook["flow"] else { return step }
                let flow = Flow(id: id.reveal(), kind: .signIn, capability: .password, startedAt: context.environment.clock.now)
                return .verify(Challenge(flow: flow, channel: .captcha, destination: "", accepts: [.captcha]))
            }
        },
    ]
}

extension Condition {
    /// The condition that sign-ins by password and by message also require a captcha.
    fileprivate static let everyEntryAsksForCaptchas = Condition("sign-ins require a captcha") { $0.captcha == .everyEntry }

    /// The condition that only sign-ups require a captcha, including sign-ups by an identity provider.
    fileprivate static let signUpsAskForCaptchas = Condition("all sign-up methods require a captcha") { $0.captcha == .signUp }
}
