internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let belongings: [Mutant] = [
        .alone("account.factor.backup-codes", "shows the former ones") { faulty, _ in
            faulty.onRenewBackupCodes = { base async throws(AuthError) in
                let former = try await base.renewBackupCodes()
                _ = try await base.renewBackupCodes()
                return former
            }
        },
        .alone("account.factor.backup-codes", "makes some up without a second factor") { faulty, context in
            faulty.onRenewBackupCodes = { base async throws(AuthError) in
                do throws(AuthError) { return try await base.renewBackupCodes() } catch {
                    guard error.code == .secondFactorRequired else { throw error }
                    return (0..<8).map { _ in Secret(context.environment.randomness.text(10)) }
                }
            }
        },
        .alone("account.passkeys.managed", "loses the name") { faulty, _ in
            faulty.onPasskeys = { base async throws(AuthError) in
                try await base.passkeys().map { Passkey(id: $0.id, createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt) }
            }
        },
        .alone("account.passkeys.managed", "removes it from the list only") { faulty, context in
            faulty.onRemovePasskey = { _, passkey in context.notebook["removed"] = Secret(passkey.id) }
            faulty.onPasskeys = { base async throws(AuthError) in
                try await base.passkeys().filter { Secret($0.id) != context.notebook["removed"] }
            }
        },
        .alone("account.passkeys.managed", "never notes a use") { faulty, _ in
            faulty.onPasskeys = { base async throws(AuthError) in
                try await base.passkeys().map { Passkey(id: $0.id, name: $0.name, createdAt: $0.createdAt) }
            }
        },
        .alone("account.passkeys.own-only", "calls it done") { faulty, _ in
            faulty.onRemovePasskey = { base, passkey async throws(AuthError) in
                do throws(AuthError) { try await base.removePasskey(passkey) } catch {
                    guard error.code == .invalidInput else { throw error }
                }
            }
        },
        .alone("account.passkeys.own-only", "takes a name for another's") { faulty, _ in
            faulty.onRenamePasskey = { base, passkey, name async throws(AuthError) in
                do throws(AuthError) { try await base.renamePasskey(passkey, to: name) } catch {
                    guard error.code == .invalidInput else { throw error }
                }
            }
        },
        .alone("account.organizations.active", "forgets the organization at a refresh") { faulty, context in
            faulty.onToken = { base async throws(AuthError) in
                let before = base.state.session?.accessToken
                let token = try await base.accessToken()
                if token != before, base.state.session?.organizationID != nil { try await base.activate(nil) }
                return try await base.accessToken()
            }
        },
        .alone("account.organizations.active", "loses the roles") { faulty, _ in
            faulty.onOrganizations = { base async throws(AuthError) in
                try await base.organizations().map { Organization(id: $0.id, name: $0.name) }
            }
        },
        .alone("account.organizations.active", "keeps the token") { faulty, context in
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
        .alone("account.organizations.members-only", "leaves the organization when another is refused") { faulty, _ in
            faulty.onActivate = { base, organization async throws(AuthError) in
                do throws(AuthError) { try await base.activate(organization) } catch {
                    if error.code == .invalidInput { try await base.activate(nil) }
                    throw error
                }
            }
        },
        .alone("account.organizations.members-only", "calls it done") { faulty, _ in
            faulty.onActivate = { base, organization async throws(AuthError) in
                do throws(AuthError) { try await base.activate(organization) } catch {
                    guard error.code == .invalidInput else { throw error }
                }
            }
        },
        .alone("account.photo.upload", "shows the former user") { faulty, _ in
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                let before = base.state.session?.user
                let user = try await base.setPhoto(photo)
                return before ?? user
            }
        },
        .alone("account.photo.upload", "removes none") { faulty, _ in
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                guard photo == nil, let user = base.state.session?.user else { return try await base.setPhoto(photo) }
                return user
            }
        },
        .alone("account.photo.upload", "sends what is no photo") { faulty, context in
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                if photo?.bytes.isEmpty == true { await context.waste() }
                return try await base.setPhoto(photo)
            }
        },
    ]
}
