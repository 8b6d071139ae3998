internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let passkeys: [Mutant<World>] = [
        .alone("account.passkeys.renamed", "loses the name") { faulty, _ in
            faulty.onPasskeys = { base async throws(AuthError) in
                try await base.passkeys().map { Passkey(id: $0.id, createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt) }
            }
        },
        .alone("account.passkeys.managed", "removes the passkey only from the list") { faulty, context in
            faulty.onRemovePasskey = { _, passkey in context.notebook["removed"] = Secret(passkey.id) }
            faulty.onPasskeys = { base async throws(AuthError) in
                try await base.passkeys().filter { Secret($0.id) != context.notebook["removed"] }
            }
        },
        .alone("account.passkeys.managed", "removes all passkeys") { faulty, _ in
            faulty.onRemovePasskey = { base, _ async throws(AuthError) in
                for passkey in try await base.passkeys() { try await base.removePasskey(passkey) }
            }
        },
        .alone("account.passkeys.use", "reports the last use against the declaration") { faulty, context in
            faulty.onPasskeys = { base async throws(AuthError) in
                let use = context.behavior.passkeyUse == .told ? nil : context.environment.clock.now
                return try await base.passkeys().map {
                    Passkey(id: $0.id, name: $0.name, createdAt: $0.createdAt, lastUsedAt: use)
                }
            }
        },
        .alone("account.passkeys.own-only", "lists another user's passkey") { faulty, context in
            faulty.onPasskeys = { base async throws(AuthError) in
                let own = try await base.passkeys()
                if let first = own.first { context.notebook["passkey"] = Secret(first.id) }
                guard own.isEmpty, let foreign = context.notebook["passkey"] else { return own }
                return [Passkey(id: foreign.reveal())]
            }
        },
        .alone("account.passkeys.own-only", "reports the removal as done") { faulty, _ in
            faulty.onRemovePasskey = { base, passkey async throws(AuthError) in
                do throws(AuthError) { try await base.removePasskey(passkey) } catch {
                    guard error.code == .invalidInput else { throw error }
                }
            }
        },
        .alone("account.passkeys.renamed", "accepts a name for another user's passkey") { faulty, _ in
            faulty.onRenamePasskey = { base, passkey, name async throws(AuthError) in
                do throws(AuthError) { try await base.renamePasskey(passkey, to: name) } catch {
                    guard error.code == .invalidInput else { throw error }
                }
            }
        },
    ]
}
