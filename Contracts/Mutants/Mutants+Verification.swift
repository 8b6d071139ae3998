internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

extension Mutants {
    static let verification: [Mutant<World>] = [
        .client("verification.code.completes", "ignores the code") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if response.kind == .code, flow.kind == .confirmation, let step = base.pending, step.accepts.contains(.code) {
                    return step
                }
                return try await base.respond(to: flow, with: response)
            }
        },
        .client("verification.code.as-typed", "compares a code by its bytes") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                // Backup codes contain letters.
                if case .code(let code) = response, flow.isProofOfAddress,
                    !code.reveal().utf8.allSatisfy({ (0x30...0x39).contains($0) })
                {
                    throw AuthError(.invalidCode, "This is not the code.")
                }
                return try await base.respond(to: flow, with: response)
            }
        },
        .client("verification.link.completes", "parses only the query") { faulty, _ in
            faulty.onHandle = { base, url in
                if base.pending?.flow?.kind == .confirmation {
                    return .refused(AuthError(.linkInvalid, "The link contains no code."))
                }
                return await base.handle(url)
            }
        },
        .client("verification.code.wrong-refused", "cancels the flow") { faulty, context in
            guard context.contract == "verification.code.wrong-refused" else { return }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    if error.code == .invalidCode, flow.isProofOfAddress { try await base.cancel(flow) }
                    throw error
                }
            }
        },
        .client("verification.code.attempts-limited", "sends a request anyway") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    // The client's own error contains no message from a backend.
                    if error.code == .codeExpired, error.provider == nil { await context.waste() }
                    throw error
                }
            }
        },
        .client("verification.code.single-use", "signs out after the error") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                let isTwin = await context.isTwin(of: base)
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    if isTwin, response.kind == .code { try? await context.store.remove(context.sessionKey) }
                    throw error
                }
            }
        },
        .client("verification.link.used", "signs out") { faulty, context in
            faulty.onHandle = { base, url in
                let isTwin = await context.isTwin(of: base)
                let isLimited = if case .unverified(let pending) = base.state { pending.session != nil } else { false }
                let wasUsed = context.notebook["used"] != nil
                let outcome = await base.handle(url)
                if case .step(let step) = outcome, step.session != nil { context.notebook["used"] = "yes" }
                if isTwin || isLimited && wasUsed { try? await context.store.remove(context.sessionKey) }
                return outcome
            }
        },
        .client("verification.resend.newest-works", "keeps the first challenge") { faulty, context in
            faulty.onResend = { base, flow async throws(AuthError) in
                if let challenge = base.pending?.challenge, let time = challenge.resendAvailableAt,
                    time <= context.environment.clock.now
                {
                    return challenge
                }
                return try await base.resend(flow)
            }
        },
        .client("verification.resend.too-early", "sends") { faulty, _ in
            faulty.onResend = { base, flow async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.resend(flow)
                } catch {
                    guard error.code == .tooManyRequests, let challenge = base.pending?.challenge else { throw error }
                    return challenge
                }
            }
        },
        .client("verification.poll.sees-it", "reads its cache") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                if response == .poll, base.pending?.accepts.contains(.poll) == true {
                    throw AuthError(.notConfirmedYet, "The link has not been opened yet.", retry: .now)
                }
                return try await base.respond(to: flow, with: response)
            }
        },
        Mutant(
            "verification.survives-relaunch", "keeps a flow only in the adapter's memory",
            Mutation(adapter: { adapter, environment in
                AlteredAdapter(adapter) { changes in
                    // The adapter of a later launch has not begun any flow.
                    guard environment.nextLaunch == nil else { return }
                    changes.instead = { call, _ throws(AuthError) in
                        guard call == .flow else { return nil }
                        throw AuthError(.flowNotFound, "No flow is in progress.")
                    }
                }
            })),
        .client("verification.survives-relaunch", "forgets the secret of the flow") { faulty, _ in
            let began = Flag()
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                began.raise()
                return try await base.signUp(with: credential, displayName: name)
            }
            faulty.onMetadataAtSignUp = { base, credential, name, metadata async throws(AuthError) in
                began.raise()
                return try await base.signUp(with: credential, displayName: name, metadata: metadata)
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                began.raise()
                return try await base.signIn(with: credential)
            }
            faulty.onReset = { base, email async throws(AuthError) in
                began.raise()
                return try await base.requestPasswordReset(email: email)
            }
            faulty.onLink = { base, credential async throws(AuthError) in
                began.raise()
                return try await base.link(credential)
            }
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                guard began.isUp else { throw AuthError(.flowNotFound, "The secret of this flow is lost.") }
                return try await base.respond(to: flow, with: response)
            }
            faulty.onHandle = { base, url in
                if !began.isUp, base.pending != nil {
                    return .refused(AuthError(.flowStartedElsewhere, "The secret of this flow is lost."))
                }
                return await base.handle(url)
            }
        },
        .client("verification.proof-kind-refused", "sends the answer") { faulty, context in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    if error.code == .responseNotAccepted { await context.waste() }
                    throw error
                }
            }
        },
    ]
}

/// A flag that a mutant can raise and lower.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isUp: Bool { state.withLock { $0 } }

    func raise() { state.withLock { $0 = true } }

    func lower() { state.withLock { $0 = false } }
}
