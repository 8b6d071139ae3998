internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    /// Faults for the contracts about a pending verification, and about second factors.
    static let dueProof: [Mutant<World>] = [
        .unverifiedToken("returns it, even if it must be invented") { base, context, _ in
            base.state.session ?? context.forged()
        },
        .unverifiedToken("asks the backend first") { _, context, error async throws(AuthError) in
            await context.waste()
            throw error
        },
        .unverifiedToken("does not name the challenge") { _, _, error throws(AuthError) in
            var error = error
            error.remedies = []
            throw error
        },
        .unverifiedToken("says that no user is signed in") { _, _, error throws(AuthError) in throw error.renamed(.notSignedIn) },
        .alone("session.unverified-token", "sends the request without a token") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                do { return try await base.authorized(request, by: send) } catch {
                    _ = try await send(request)
                    throw error
                }
            }
        },
        .alone("session.unverified-token", "sends nothing after the verification") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                _ = try await base.accessToken()
                return AppResponse(status: 200, content: [])
            }
        },
        .alone("session.unverified-token", "returns an empty token after the verification") { faulty, _ in
            faulty.onToken = { base async throws(AuthError) in
                _ = try await base.accessToken()
                return ""
            }
        },
        .alone("session.unverified-token", "returns another session after the verification") { faulty, context in
            faulty.onSession = { base, requirement async throws(AuthError) in
                _ = try await base.session(requiring: requirement)
                return context.forged()
            }
        },
        .alone("session.unverified-token.limited", "rejects the client's own calls, too") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                _ = try await base.accessToken()
                return try await base.refreshUser()
            }
        },
        .alone("session.unverified-token.limited", "reports a verified address") { faulty, _ in
            faulty.onRefreshUser = { base async throws(AuthError) in
                var user = try await base.refreshUser()
                user.isEmailVerified = true
                return user
            }
        },
        .alone("session.unverified-token.limited", "ignores the option") { faulty, context in
            var options = context.options
            options.unverifiedUsers = .rejected
            faulty.base = AuthClient(
                adapter: context.adapter, store: context.store, effects: context.effects, options: options)
        },
        .alone("session.unverified-token.limited", "returns any session as verified") { faulty, _ in
            faulty.onSession = { base, _ async throws(AuthError) in try await base.session(requiring: .any) }
        },
        .alone("session.unverified-token.limited", "returns an expired token") { faulty, _ in
            faulty.onToken = { base async throws(AuthError) in
                let old = await base.restore().session?.accessToken
                let token = try await base.accessToken()
                return old ?? token
            }
        },
        .alone("session.unverified-token.limited", "returns a session with another token") { faulty, _ in
            faulty.onSession = { base, requirement async throws(AuthError) in
                var session = try await base.session(requiring: requirement)
                session.accessToken = "forged-access"
                return session
            }
        },
        .alone("session.unverified-token.limited", "sends another token") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                try await base.authorized(request) { authorized in
                    var request = authorized
                    request.headers = [.init("Authorization", "Bearer forged-access")]
                    return try await send(request)
                }
            }
        },
        .alone("session.unverified-token.limited", "shows the user as signed in") { faulty, _ in
            faulty.seeing = { state in
                if case .unverified(let account) = state, let session = account.session { .signedIn(session) } else { state }
            }
        },
        .client("verification.leave.stays-due", "signs the user out") { faulty, _ in
            faulty.onCancel = { base, flow async throws(AuthError) in
                try await base.cancel(flow)
                if case .unverified(let account) = base.state, account.session != nil {
                    try await base.signOut(.local, discardingAnonymousUser: false)
                }
            }
        },
        .client("verification.leave.other-flow", "asks for a code that was not sent") { faulty, context in
            faulty.onCancel = { base, flow async throws(AuthError) in
                try await base.cancel(flow)
                if flow.kind == .passwordReset { context.notebook["left"] = "a reset" }
            }
            faulty.seeing = { state in
                guard case .unverified(var account) = state, context.notebook["left"] != nil else { return state }
                account.challenge.accepts = [.code]
                return .unverified(account)
            }
        },
        .alone("verification.account-gone", "does not say how to start again") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    throw AuthError(error.code, error.message)
                }
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused(let error) = outcome else { return outcome }
                return .refused(AuthError(error.code, error.message))
            }
        },
        .client("sign-in.second-factor.assurance", "forgets the second factor") { faulty, context in
            guard context.contract == "sign-in.second-factor.assurance" else { return }
            faulty.seeing = { state in
                guard case .signedIn(var session) = state else { return state }
                session.assurance = .oneFactor
                return .signedIn(session)
            }
        },
        .alone("sign-in.second-factor.assurance", "reports two factors after one", matters: [.newDevicesAreTrusted]) {
            faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .complete(var session) = step else { return step }
                session.assurance = .twoFactors
                return .complete(session)
            }
        },
        .alone("sign-in.second-factor.resend", "accepts an expired code") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) { return try await base.respond(to: flow, with: response) } catch {
                    return .complete(context.forged())
                }
            }
        },
        .alone("sign-in.second-factor.resend", "forgets the other factors after the first message") { faulty, _ in
            faulty.pendingStep = { step in
                guard case .secondFactor(var second)? = step, second.challenge != nil else { return step }
                second.choices = []
                return .secondFactor(second)
            }
        },
        .client("sign-in.second-factor.resend", "turns the step into a verification") { faulty, context in
            faulty.onResend = { base, flow async throws(AuthError) in
                let challenge = try await base.resend(flow)
                context.notebook["resent"] = "a message"
                return challenge
            }
            faulty.pendingStep = { step in
                guard case .secondFactor(let second)? = step, let challenge = second.challenge, context.notebook["resent"] != nil
                else { return step }
                return .verify(challenge)
            }
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that changes how the client rejects the calls for an unverified user's token.
    fileprivate static func unverifiedToken(
        _ summary: String,
        _ end:
            @escaping @Sendable (any PortableClient, Mutation.Context, AuthError) async throws(AuthError) -> Session
    ) -> Mutant<World> {
        .alone("session.unverified-token", summary) { faulty, context in
            faulty.onToken = { base async throws(AuthError) in
                do throws(AuthError) { return try await base.accessToken() } catch  where error.code == .verificationRequired {
                    return try await end(base, context, error).accessToken
                }
            }
            faulty.onSession = { base, requirement async throws(AuthError) in
                do throws(AuthError) { return try await base.session(requiring: requirement) } catch
                    where error.code == .verificationRequired
                {
                    return try await end(base, context, error)
                }
            }
        }
    }
}

extension Condition {
    /// The condition that a password alone is enough for a sign-in on a new device.
    fileprivate static let newDevicesAreTrusted = Condition("the backend trusts a new device") { $0.newDevice == .trusted }
}
