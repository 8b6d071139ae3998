internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let organizations: [Mutant<World>] = [
        .alone("account.organizations.active", "forgets the organization at a refresh") { faulty, context in
            faulty.onToken = { base async throws(AuthError) in
                let before = base.state.session?.accessToken
                let token = try await base.accessToken()
                if token != before, base.state.session?.organizationID != nil { try await base.activate(nil) }
                return try await base.accessToken()
            }
        },
        .alone("account.organizations.active", "starts in an organization") { faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                let step = try await base.signIn(with: credential)
                guard case .complete(var session) = step else { return step }
                session.claims["org_id"] = "org_mutant"
                return .complete(session)
            }
        },
        .alone("account.organizations.active", "loses the roles") { faulty, _ in
            faulty.onOrganizations = { base async throws(AuthError) in
                try await base.organizations().map { Organization(id: $0.id, name: $0.name) }
            }
        },
        .alone("account.organizations.active", "keeps the old token") { faulty, context in
            faulty.onActivate = { base, organization async throws(AuthError) in
                context.notebook["active"] = organization.map { Secret($0.id) }
            }
            faulty.seeing = { state in
                guard case .signedIn(var session) = state, let id = context.notebook["active"] else { return state }
                session.claims["org_id"] = .string(id.reveal())
                return .signedIn(session)
            }
        },
        .alone("account.organizations.active", "stays in the organization") { faulty, _ in
            faulty.onActivate = { base, organization async throws(AuthError) in
                if let organization { try await base.activate(organization) }
            }
        },
        .alone("account.organizations.members-only", "leaves the organization when a switch is rejected") { faulty, _ in
            faulty.onActivate = { base, organization async throws(AuthError) in
                do throws(AuthError) { try await base.activate(organization) } catch {
                    if error.code == .invalidInput { try await base.activate(nil) }
                    throw error
                }
            }
        },
        .alone("account.organizations.members-only", "reports a rejected switch as done") { faulty, _ in
            faulty.onActivate = { base, organization async throws(AuthError) in
                do throws(AuthError) { try await base.activate(organization) } catch {
                    guard error.code == .invalidInput else { throw error }
                }
            }
        },
        .alone("account.organizations.during-refresh", "returns to the organization from before the refresh") { faulty, _ in
            faulty.onAuthorized = { base, request, send in
                let former = base.state.session?.organizationID
                let response = try await base.authorized(request, by: send)
                if base.state.session?.organizationID != former {
                    try await base.activate(former.map { Organization(id: $0, name: $0) })
                }
                return response
            }
        },
    ]
}
