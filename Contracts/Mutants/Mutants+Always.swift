internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let always: [Mutant] = [
        .client("always.secrets-stay-inside", "shows the new password in the text of a failed reset") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    var altered = error
                    if case .newPassword(let password) = response { altered.message += " (\(password.reveal()))" }
                    throw altered
                }
            }
        },
        .client("always.secrets-stay-inside", "puts the access token into the app's fields of the user") { faulty, _ in
            faulty.onSession = { base, requirement async throws(AuthError) in
                var session = try await base.session(requiring: requirement)
                session.user.fields["token"] = .string(session.accessToken.reveal())
                return session
            }
        },
        Mutant(
            "always.token-is-taken", "takes the life of a refreshed token for ten times as long",
            Mutation(adapter: { adapter, environment in
                AlteredAdapter(adapter) { changes in
                    changes.answering = { call, _, _, session throws(AuthError) in
                        guard call == .refresh else { return session }
                        var session = session
                        session.lifetime = TokenLifetime(life: session.lifetime.life * 10, clock: environment.clock)
                        return session
                    }
                }
            })),
        .client("always.one-user", "gives another id after a change of the name") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                var user = try await base.update(displayName: name, photoURL: photo)
                user.id = "somebody-else"
                return user
            }
        },
        .client("always.sent-once", "sends a change of the name twice") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                _ = try await base.update(displayName: name, photoURL: photo)
                return try await base.update(displayName: name, photoURL: photo)
            }
        },
        Mutant(
            "always.observed", "reloads the user beside the observed transport",
            Mutation(adapter: { adapter, _ in
                DeafAdapter(base: adapter, authority: { UnobservedAuthority(base: $0) })
            })),
        Mutant(
            "privacy.no-token-in-url", "sends the access token in the address",
            Mutation(
                client: { client, context in
                    var faulty = FaultyClient(client)
                    faulty.onSession = { base, requirement async throws(AuthError) in
                        let session = try await base.session(requiring: requirement)
                        context.notebook["token"] = session.accessToken
                        return session
                    }
                    return faulty
                },
                controls: { environment, notebook in
                    environment.trace = environment.trace.map { TalkativeTrace(base: $0, notebook: notebook) }
                })),
        .client("always.waits-tell-truth", "names a constant as the end of a proof that is sent again") { faulty, context in
            faulty.onResend = { base, flow async throws(AuthError) in
                var challenge = try await base.resend(flow)
                challenge.expiresAt = context.environment.clock.now + .seconds(42)
                return challenge
            }
        },
    ]
}

/// Shows each request as if the token were in its address.
private struct TalkativeTrace: RequestTrace {
    let base: any RequestTrace
    let notebook: Notebook

    var totals: RequestTotals { base.totals }
    var transcript: String { base.transcript }
    var requests: [TracedRequest]? {
        base.requests?.map { request in
            var request = request
            let token = notebook["token"]?.reveal() ?? ""
            request.address = Secret("\(request.address.reveal())?access_token=\(token)")
            return request
        }
    }
}

/// Reloads without telling the call's observer.
private struct UnobservedAuthority: SessionAuthority {
    let base: any SessionAuthority

    func refresh(_ session: Session) async throws(AuthError) -> Session { try await base.refresh(session) }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        let result: Result<Session, AuthError> = await RequestObserver.$current.withValue(nil) {
            do throws(AuthError) { return .success(try await base.reload(session)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) { try await base.revoke(session, scope: scope) }
}
