internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let captcha: [Mutant] = [
        .alone("sign-up.captcha.step", "refuses what it could ask for") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                let step = try await base.signUp(with: credential, displayName: name)
                guard step.accepts == [.captcha] else { return step }
                throw AuthError(.captchaRequired, "The backend wants a proof of being human.")
            }
        },
        .alone("sign-up.captcha.step", "takes any token") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                return response.kind == .captcha && step.accepts == [.captcha] ? .complete(context.forged()) : step
            }
        },
        .alone("sign-up.captcha.step", "gives up after a wrong token") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                if response.kind == .captcha, step.accepts == [.captcha] { try await base.cancel(flow) }
                return step
            }
        },
        .alone("sign-up.captcha.forgotten", "takes it for a wrong code after a relaunch") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    throw error.code == .flowNotFound ? error.renamed(.invalidCode) : error
                }
            }
        },
        .alone("sign-up.captcha.forgotten", "keeps a step that leads nowhere") { faulty, context in
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
    ]
}
