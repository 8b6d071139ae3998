import Lockstep
import LockstepContracts
import LockstepMutants
import LockstepPrimitives

/// Generated faults: one for each task of a client or an adapter.
///
/// These faults do not belong to a particular contract.
enum SystematicMutants {
    /// A fault, with its name.
    typealias Named = (name: String, mutation: Mutation)

    /// All faults.
    static let all: [Named] = [calls, shows, responses, stores, events].flatMap(\.self)

    // MARK: Clients with a fault that the rules for calls do not create

    private static let calls: [Named] = [
        client("no link belongs to the app") { faulty, _ in faulty.onHandle = { _, _ in .notOurs } },
        client("a sign-out ends all sessions") { faulty, _ in
            faulty.onSignOut = { base, _, _ async throws(AuthError) in
                try await base.signOut(.everywhere, discardingAnonymousUser: true)
            }
        },
        client("the app's requests contain no token") { faulty, _ in
            faulty.onAuthorized = { _, request, send in try await send(request) }
        },
    ]

    // MARK: Clients that show other values

    private static let shows: [Named] = [
        client("the state is always signed out") { faulty, _ in faulty.seeing = { _ in .signedOut(.requested) } },
        client("the state is always being restored") { faulty, _ in faulty.seeing = { _ in .restoring } },
        client("the state is signed in with an invented session if there is none") { faulty, context in
            faulty.seeing = { $0.session == nil ? .signedIn(context.forged()) : $0 }
        },
        client("the state shows a user with a photo and a name") { faulty, _ in
            faulty.seeing = seeing {
                $0.photoURL = "https://example.org/mutant.png"
                $0.displayName = "Mutant"
            }
        },
        client("the state shows a user with another address") { faulty, _ in
            faulty.seeing = seeing { $0.email = "other@example.org" }
        },
        client("no step is kept") { faulty, _ in faulty.pendingStep = { _ in nil } },
        client("an invented step is kept") { faulty, context in faulty.pendingStep = { _ in .verify(context.forgedChallenge) } },
        client("no subscriber receives a change") { faulty, _ in
            faulty.subscribing = { _ in AsyncStream<AuthState>.makeStream().stream }
        },
        client("subscribers receive every second change") { faulty, _ in
            faulty.subscribing = { base in base.states.changed { $0.isMultiple(of: 2) ? $1 : nil } }
        },
        client("a store that rejects values is never reported") { faulty, _ in faulty.persisting = { _ in .stored } },
        client("no capability is claimed") { faulty, _ in faulty.claims = { _ in [] } },
        client("each challenge loses its accepted answers") { faulty, _ in faulty.change { $0.accepts = [] } },
        client("each challenge loses its times") { faulty, _ in
            faulty.change {
                $0.expiresAt = nil
                $0.resendAvailableAt = nil
            }
        },
        client("each challenge belongs to another flow") { faulty, context in
            faulty.change { $0.flow = context.forgedChallenge.flow }
        },
        client("each challenge shows another recipient") { faulty, _ in faulty.change { $0.destination = "" } },
    ]

    // MARK: Adapters with changed responses

    /// The code builds the list from typed parts.
    ///
    /// The compiler needs minutes for a single expression.
    private static let responses: [Named] = AlteredAdapter.Call.all.flatMap { (kind: AlteredAdapter.Call) -> [Named] in
        [changed(kind), refused(kind), renamed(kind), [dead(kind)], old(kind)].flatMap(\.self)
    }

    private static func changed(_ kind: AlteredAdapter.Call) -> [Named] {
        changes.map { (change: Change) -> Named in
            altered("\(kind): \(change.name)") { changes in
                changes.answering = { call, _, _, session throws(AuthError) in
                    guard call == kind else { return session }
                    var session = session
                    change.apply(&session)
                    return session
                }
            }
        }
    }

    private static func refused(_ kind: AlteredAdapter.Call) -> [Named] {
        let codes: [AuthError.Code] = [
            .sessionRevoked, .userDeleted, .network, .invalidResponse, .accessTokenRefused, .unknown,
        ]
        return codes.map { (code: AuthError.Code) -> Named in
            altered("\(kind): fails with \(code.rawValue)") { changes in
                changes.instead = { call, _ throws(AuthError) in
                    if call == kind { throw AuthError(code, "A mutant's error.") }
                    return nil
                }
            }
        }
    }

    private static func renamed(_ kind: AlteredAdapter.Call) -> [Named] {
        let codes: [AuthError.Code] = [.sessionRevoked, .network, .unknown]
        return codes.map { (code: AuthError.Code) -> Named in
            altered("\(kind): an error becomes \(code.rawValue)") { changes in
                changes.refusing = { call, error in call == kind ? error.renamed(code) : error }
            }
        }
    }

    private static func dead(_ kind: AlteredAdapter.Call) -> Named {
        altered("\(kind): sent with an invalid token") { changes in
            changes.asking = { call, session in
                guard call == kind else { return session }
                var session = session
                session.accessToken = "dead-access"
                session.refreshToken = "dead-refresh"
                return session
            }
        }
    }

    private static func old(_ kind: AlteredAdapter.Call) -> [Named] {
        [
            altered("\(kind): not sent, and the known session is returned") { changes in
                changes.instead = { call, session throws(AuthError) in call == kind ? session : nil }
            },
            altered("\(kind): returned with the earlier tokens") { changes in
                changes.answering = { call, asked, _, session throws(AuthError) in
                    guard call == kind, let asked else { return session }
                    var session = session
                    session.accessToken = asked.accessToken
                    session.refreshToken = asked.refreshToken
                    return session
                }
            },
        ]
    }

    private typealias Change = (name: String, apply: @Sendable (inout Session) -> Void)

    private static let changes: [Change] = [
        ("another user's id", { $0.user.id = "another-user" }), ("no address", { $0.user.email = nil }),
        ("another address", { $0.user.email = "another-user@example.com" }),
        ("the verification of the address inverted", { $0.user.isEmailVerified.toggle() }),
        ("no name", { $0.user.displayName = nil }),
        ("anonymous or not, inverted", { $0.user.isAnonymous.toggle() }), ("no identities", { $0.user.identities = [] }),
        ("no metadata", { $0.user.metadata = nil }), ("no access token", { $0.accessToken = "" }),
        ("another access token", { $0.accessToken = "forged-access" }), ("no refresh token", { $0.refreshToken = "" }),
        ("another refresh token", { $0.refreshToken = "forged-refresh" }), ("another session id", { $0.id = "forged" }),
        ("no claims", { $0.claims = [:] }),
    ]

    // MARK: Stores

    private static let stores: [Named] = StoreFlaw.allCases.map { flaw in
        ("the store \(flaw.rawValue)", Mutation(store: { store, _ in FlawedStore(base: store, flaw: flaw) }))
    }

    private static let events: [Named] = AuthEvent.Name.all.map { name in
        ("no event \(name.rawValue) is sent", Mutation(events: { $0.name == name ? nil : $0 }))
    }

    private static func client(
        _ name: String, _ build: @escaping @Sendable (inout FaultyClient, Mutation.Context) -> Void
    ) -> Named {
        let mutation = Mutation(client: { client, context in
            var faulty = FaultyClient(client)
            build(&faulty, context)
            return faulty
        })
        return (name, mutation)
    }

    /// Returns a function that changes the user in a client's state.
    private static func seeing(_ change: @escaping @Sendable (inout User) -> Void) -> @Sendable (AuthState) -> AuthState {
        { state in
            guard var session = state.session else { return state }
            change(&session.user)
            if case .anonymous = state { return .anonymous(session) }
            if case .signedIn = state { return .signedIn(session) }
            return state
        }
    }

    private static func altered(
        _ name: String, _ change: @escaping @Sendable (inout AlteredAdapter.Changes) -> Void
    ) -> Named {
        (name, Mutation(adapter: { adapter, _ in AlteredAdapter(adapter) { change(&$0) } }))
    }
}

extension AlteredAdapter.Call {
    fileprivate static let all: [Self] = [.refresh, .reload, .revoke, .account, .flow]
}
