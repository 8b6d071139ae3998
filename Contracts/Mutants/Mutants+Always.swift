internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let always: [Mutant<World>] = [
        .client("always.secrets-stay-inside", "shows the new password in the message of a failed reset") { faulty, _ in
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
        .client("always.secrets-stay-inside", "shows the new password in Base64 in the message of a failed reset") { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    var altered = error
                    if case .newPassword(let password) = response {
                        altered.message += " (\(Base64.encode(Array(password.reveal().utf8))))"
                    }
                    throw altered
                }
            }
        },
        .client("always.secrets-stay-inside", "adds the access token to the app's fields of the user") { faulty, _ in
            faulty.onSession = { base, requirement async throws(AuthError) in
                var session = try await base.session(requiring: requirement)
                session.user.fields["token"] = .string(session.accessToken.reveal())
                return session
            }
        },
        Mutant(
            "always.token-is-taken", "multiplies the lifetime of a refreshed token by ten",
            Mutation(adapter: { adapter, environment in
                AlteredAdapter(adapter) { changes in
                    changes.answering = { call, _, _, session throws(AuthError) in
                        guard call == .refresh else { return session }
                        var session = session
                        session.lifetime = TokenLifetime(life: session.lifetime.life * 10, clock: environment.clock)
                        return session
                    }
                }
            })
        ),
        .client("always.one-user", "returns another user id after a name change") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                var user = try await base.update(displayName: name, photoURL: photo)
                user.id = "another-user"
                return user
            }
        },
        .client("always.sent-once", "sends a name change twice") { faulty, _ in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                _ = try await base.update(displayName: name, photoURL: photo)
                return try await base.update(displayName: name, photoURL: photo)
            }
        },
        Mutant(
            "always.observed", "reloads the user without events",
            Mutation(adapter: { adapter, _ in
                AlteredAdapter(adapter) { changes in changes.sessions = { UnobservedAuthority(base: $0, seen: .nothing) } }
            })),
        Mutant(
            "always.observed", "reports the start of a request, but not its end",
            Mutation(adapter: { adapter, _ in
                AlteredAdapter(adapter) { changes in changes.sessions = { UnobservedAuthority(base: $0, seen: .beginning) } }
            })),
        .always(.observed, "reports a request that belongs to no call") { faulty, context in
            faulty.onRefreshUser = { base async throws(AuthError) in
                context.events(
                    AuthEvent(
                        .requestBegan, at: context.environment.clock.now, [.method: "GET", .route: "/stray", .callID: "none"]))
                return try await base.refreshUser()
            }
        },
        Mutant(
            "privacy.no-token-in-url", "sends the access token in the URL",
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
        .resending("reports a constant expiry after a resend") { challenge, now in
            challenge.expiresAt = now + .seconds(42)
        },
        .resending("reports no expiry after a resend") { challenge, _ in challenge.expiresAt = nil },
        .resending("reports a constant time of the next message") { challenge, now in
            challenge.resendAvailableAt = now + .seconds(42)
        },
        .resending("reports no time of the next message") { challenge, _ in challenge.resendAvailableAt = nil },
        .entering("returns a user id that the backend does not have") { session, _ in session.user.id = "another-user" },
        .entering("returns the id of another user") { session, users in
            if let other = users.first(where: { $0.id != session.user.id }) { session.user.id = other.id }
        },
        .always(.oneUser, "shows another user in the state") { faulty, _ in
            faulty.seeing = { state in
                guard case .signedIn(var session) = state else { return state }
                session.user.id = "another-user"
                return .signedIn(session)
            }
        },
        .always(.oneUser, "returns another user's session after a refresh") { faulty, _ in
            faulty.onSession = { base, requirement async throws(AuthError) in
                var session = try await base.session(requiring: requirement)
                session.user.id = "another-user"
                return session
            }
        },
        .always(.secretsStayInside, "uses the access token as the session id") { faulty, _ in
            faulty.onSession = { base, requirement async throws(AuthError) in
                var session = try await base.session(requiring: requirement)
                session.id = session.accessToken.reveal()
                return session
            }
        },
        .always(.secretsStayInside, "reports the password of a sign-up in an event") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                if let password = credential as? PasswordCredential {
                    context.events(
                        AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "signUp " + password.password.reveal()]))
                }
                return try await base.signUp(with: credential, displayName: name)
            }
        },
        .always(.secretsStayInside, "reports the key of an enrollment in an event", claims: [.factorEnrolment]) {
            faulty, context in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                let enrolment = try await base.addFactor(factor)
                let key = enrolment.key?.reveal() ?? ""
                context.events(AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "addFactor \(key)"]))
                return enrolment
            }
        },
        .always(.secretsStayInside, "reports the values of a link in an event") { faulty, context in
            faulty.onHandle = { base, url in
                let values = url.split { "?&#".contains($0) }.compactMap { $0.split(separator: "=", maxSplits: 1).last }
                let text = values.joined(separator: " ")
                context.events(AuthEvent(.callBegan, at: context.environment.clock.now, [.call: "handle \(text)"]))
                return await base.handle(url)
            }
        },
        .failingReset("adds the new password to the reasons of a failed reset") { $0.reasons.append($1) },
        .failingReset("reports the new password as a completed part") { $0.completed.append($1) },
        .failingReset("adds the new password to the provider's code") { $0.provider?.code = $1 },
        .failingReset("adds the new password to the provider's message") { $0.provider?.message = $1 },
        .failingReset("adds the new password to the provider's body") { $0.provider?.body = ["password": .string($1)] },
    ]
}

extension Mutant<World> {
    /// Creates a mutant that breaks an invariant.
    ///
    /// It is active only in the check of the invariant itself.
    fileprivate static func always(
        _ always: Invariant, _ summary: String, claims: Set<Capability> = [],
        _ build: @escaping @Sendable (inout FaultyClient, Mutation.Context) -> Void
    ) -> Mutant<World> {
        .client(always.id, summary, claims: claims) { faulty, context in
            if context.contract == always.id { build(&faulty, context) }
        }
    }

    /// Creates a mutant that changes the challenge after a message is sent again.
    fileprivate static func resending(
        _ summary: String, _ change: @escaping @Sendable (inout Challenge, Instant) -> Void
    ) -> Mutant<World> {
        .always(.waitsTellTruth, summary) { faulty, context in
            faulty.onResend = { base, flow async throws(AuthError) in
                var challenge = try await base.resend(flow)
                change(&challenge, context.environment.clock.now)
                return challenge
            }
        }
    }

    /// Creates a mutant that changes the session of a sign-in.
    fileprivate static func entering(
        _ summary: String, _ change: @escaping @Sendable (inout Session, [StoredUser]) -> Void
    ) -> Mutant<World> {
        .always(.oneUser, summary) { faulty, context in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard var session = step.session else { return step }
                change(&session, (try? await context.environment.administrator?.users()) ?? [])
                return .complete(session)
            }
        }
    }

    /// Creates a mutant that shows the new password in the error of a failed reset.
    fileprivate static func failingReset(
        _ summary: String, _ change: @escaping @Sendable (inout AuthError, _ password: String) -> Void
    ) -> Mutant<World> {
        .always(.secretsStayInside, summary) { faulty, _ in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard case .newPassword(let password) = response else { throw error }
                    var altered = error
                    if altered.provider == nil { altered.provider = ProviderDetail(status: 400) }
                    change(&altered, password.reveal())
                    throw altered
                }
            }
        }
    }
}

/// A trace that adds the token to the URL of each request.
private struct TalkativeTrace: RequestTrace {
    let base: any RequestTrace
    let notebook: CheckLog

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

/// Reloads the session, but hides the request or its end from the observer of the call.
private struct UnobservedAuthority: SessionAuthority {
    enum Seen: Sendable { case nothing, beginning }

    let base: any SessionAuthority
    let seen: Seen

    private var observer: RequestObserver? {
        guard seen == .beginning, let observer = RequestObserver.current else { return nil }
        return RequestObserver(callID: observer.callID) { method, route in
            _ = observer.began(method, route)
            return { _ in }
        }
    }

    func refresh(_ session: Session) async throws(AuthError) -> Session { try await base.refresh(session) }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        let result: Result<Session, AuthError> = await RequestObserver.$current.withValue(observer) {
            do throws(AuthError) { return .success(try await base.reload(session)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) { try await base.revoke(session, scope: scope) }
}
