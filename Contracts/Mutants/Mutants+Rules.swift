internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let passwords: [Mutant<World>] = [
        .retyping("sign-up.password.exact-bytes", "removes spaces") { $0.replacing(" ", with: "") },
        .retyping("sign-up.password.exact-bytes", "treats a plus as a space") { $0.replacing("+", with: " ") },
        .retyping("sign-up.password.exact-bytes", "composes accents") { $0.replacing("e\u{301}", with: "\u{e9}") },
        .client("sign-up.password.long", "reports a long password as short") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                if let password = (credential as? PasswordCredential)?.password, password.reveal().utf8.count > 72 {
                    throw AuthError(.weakPassword, "The password is too long.", reasons: ["length"])
                }
                return try await base.signUp(with: credential, displayName: name)
            }
        },
        .answering("error.long-password-everywhere", "reports a long password as short at a reset") { _, _, _, _, error in
            guard error.code == .weakPassword else { return .failure(error) }
            var other = error
            other.reasons = ["length"]
            return .failure(other)
        },
        .client("error.long-password-everywhere", "reports no reason at a change") { faulty, _ in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                do throws(AuthError) {
                    try await base.changePassword(to: new, current: current)
                } catch {
                    var other = error
                    other.reasons = []
                    throw other
                }
            }
        },
        .retyping("sign-up.password.long", "cuts a password at 72 bytes") { String(decoding: $0.utf8.prefix(72), as: UTF8.self) },
        .password("sign-in.password.no-strength-check", "checks the password's strength") {
            _, base, credential async throws(AuthError) in
            guard credential.password.isEmpty || credential.password.reveal().count >= 8 else {
                throw AuthError(.weakPassword, "The password is too short.")
            }
            return try await base.signIn(with: credential)
        },
        .answering("error.weak-password-everywhere", "loses the reasons at a reset") { _, _, _, _, error in
            guard error.code == .weakPassword else { return .failure(error) }
            var bare = error
            bare.reasons = []
            return .failure(bare)
        },
        .answering("error.weak-password-everywhere", "returns the provider's words at a reset") { _, _, _, _, error in
            guard error.code == .weakPassword else { return .failure(error) }
            var other = error
            other.reasons = ["length_too_short"]
            return .failure(other)
        },
        .alone("error.weak-password-everywhere", "adds any password to an anonymous user", claims: [.anonymous]) {
            faulty, context in
            faulty.onLink = { base, credential async throws(AuthError) in
                do throws(AuthError) { return try await base.link(credential) } catch {
                    guard error.code == .weakPassword else { throw error }
                    return .complete(context.forged())
                }
            }
        },
        .client("sign-up.password.weak-refused", "returns the provider's words") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch {
                    var other = error
                    if error.code == .weakPassword { other.reasons = ["form_password_length_too_short"] }
                    throw other
                }
            }
        },
    ]

    static let resetRules: [Mutant<World>] = [
        .answering("reset.weak-keeps-proof", "cancels the flow") { _, base, flow, _, error in
            if error.code == .weakPassword, flow.kind == .passwordReset { try? await base.cancel(flow) }
            return .failure(error)
        },
        .late("reset.late", .newPassword),
        .client("reset.others-end", "misdeclares") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let step = try await base.respond(to: flow, with: response)
                if response.kind == .newPassword, flow.kind == .passwordReset { context.notebook["reset"] = "yes" }
                return step
            }
            faulty.onToken = { base async throws(AuthError) in
                guard context.notebook["reset"] != nil else { return try await base.accessToken() }
                do throws(AuthError) {
                    let token = try await base.accessToken()
                    guard context.behavior.sessionAfterReset == .goesOn else { return token }
                    throw AuthError(.sessionRevoked, "The session has ended.")
                } catch {
                    guard context.behavior.sessionAfterReset != .goesOn else { throw error }
                    return "forged-access"
                }
            }
        },
        .alone("reset.others-end", "goes on with a session that was renewed before", matters: [.resetEndsSessions]) {
            $0.keepRenewedSessions($1)
        },
        .alone("reset.link-and-code", "accepts one kind of answer less than the challenge lists") { faulty, _ in
            @Sendable func isMeant(_ base: any PortableClient, _ way: ChallengeResponse.Kind) -> Bool {
                guard base.pending?.flow?.kind == .passwordReset, let ways = base.pending?.accepts else { return false }
                return way == (ways.contains(.link) ? .link : .code)
            }
            faulty.onHandle = { base, url in
                guard isMeant(base, .link) else { return await base.handle(url) }
                return .refused(AuthError(.linkInvalid, "The link contains no code."))
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard case .code = response, isMeant(base, .code) else { return try await base.respond(to: flow, with: response) }
                throw AuthError(.invalidCode, "The code is not accepted.")
            }
        },
        .answering("reset.wrong-then-right", "cancels the flow") { _, base, flow, _, error in
            if error.code == .invalidCode, flow.kind == .passwordReset { try? await base.cancel(flow) }
            return .failure(error)
        },
        .answering("reset.fault", "cancels the flow") { _, base, flow, _, error in
            if error.code == .serverUnavailable, flow.kind == .passwordReset { try? await base.cancel(flow) }
            return .failure(error)
        },
    ]

    static let alike: [Mutant<World>] = [
        .client("privacy.same-in-everything", "reveals an address by the remaining attempts") { faulty, context in
            faulty.onReset = { base, email async throws(AuthError) in
                let step = try await base.requestPasswordReset(email: email)
                guard case .verify(var challenge) = step, await !context.isKnown(email) else { return step }
                challenge.attemptsLeft = 3
                return .verify(challenge)
            }
        },
        .client("callback.foreign-sign-in", "signs in the stranger") { faulty, context in
            let hasBegun = Keeper<Bool>()
            faulty.onSignIn = { base, credential async throws(AuthError) in
                hasBegun.value = true
                if credential is EmailLinkCredential { context.notebook["link"] = "asked for" }
                return try await base.signIn(with: credential)
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused(let error) = outcome, error.code == .flowStartedElsewhere, context.notebook["link"] != nil,
                    hasBegun.value == nil
                else { return outcome }
                return .step(.complete(context.forged()))
            }
        },
        .client("callback.no-downgrade", "accepts tokens in a link") { faulty, context in
            faulty.onHandle = { base, url in
                url.contains("refresh_token=") ? .step(.complete(context.forged())) : await base.handle(url)
            }
        },
    ]

    static let everywhere: [Mutant<World>] = [
        .client("error.rate-limited.everywhere", "loses the time to wait at a reset") { faulty, _ in
            faulty.onReset = { base, email async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.requestPasswordReset(email: email)
                } catch {
                    var hasty = error
                    if error.code == .tooManyRequests { hasty.retry = .now }
                    throw hasty
                }
            }
        },
        .answering("error.same-code-everywhere", "swaps two codes") { _, _, _, _, error in
            .failure(error.code == .flowNotFound ? error.renamed(.responseNotAccepted) : error)
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that changes the password of every sign-up and sign-in.
    fileprivate static func retyping(_ breaks: String, _ summary: String, _ retyped: @escaping @Sendable (String) -> String)
        -> Mutant<World>
    {
        .alone(breaks, summary) { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                guard let password = credential as? PasswordCredential else {
                    return try await base.signUp(with: credential, displayName: name)
                }
                let other = PasswordCredential(email: password.email, password: Secret(retyped(password.password.reveal())))
                return try await base.signUp(with: other, displayName: name)
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let password = credential as? PasswordCredential else { return try await base.signIn(with: credential) }
                let other = PasswordCredential(email: password.email, password: Secret(retyped(password.password.reveal())))
                return try await base.signIn(with: other)
            }
        }
    }
}

extension Condition {
    /// The condition that a reset ends the user's other sessions.
    fileprivate static let resetEndsSessions = Condition("a reset ends the user's other sessions") {
        $0.sessionAfterReset != .goesOn
    }
}
