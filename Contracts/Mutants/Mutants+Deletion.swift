internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let deletion: [Mutant<World>] = [
        .alone("account.delete.others", "goes on with a session that was renewed before") { $0.keepRenewedSessions($1) },
        .alone("account.delete.others", "reports no reason") { faulty, _ in
            faulty.seeing = { if case .signedOut = $0 { .signedOut(.neverSignedIn) } else { $0 } }
        },
        .alone("account.delete.no-return", "signs the deleted user in by an identity") { faulty, context in
            faulty.noteDeletion(context)
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard var session = step.session, let former = context.notebook["deleted " + (session.user.email ?? "")] else {
                    return step
                }
                session.user.id = former.reveal()
                return .complete(session)
            }
        },
        .alone("account.delete.no-return", "signs the deleted user in by a code or link") { faulty, context in
            faulty.noteDeletion(context)
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.respond(to: flow, with: response)
                } catch {
                    guard let former = context.former else { throw error }
                    return .complete(former)
                }
            }
            faulty.onHandle = { base, url in
                let outcome = await base.handle(url)
                guard case .refused = outcome, let former = context.former else { return outcome }
                return .step(.complete(former))
            }
        },
    ]
}

extension FaultyClient {
    fileprivate mutating func noteDeletion(_ context: Mutation.Context) {
        onDelete = { base async throws(AuthError) in
            let user = base.state.session?.user
            try await base.deleteAccount()
            let id = user.map { Secret($0.id) }
            context.notebook["deleted"] = id
            context.notebook["deleted " + (user?.email ?? "")] = id
        }
    }
}

extension Mutation.Context {
    /// An invented session of the user who was deleted.
    fileprivate var former: Session? {
        guard let id = notebook["deleted"] else { return nil }
        var session = forged()
        session.user.id = id.reveal()
        return session
    }
}
