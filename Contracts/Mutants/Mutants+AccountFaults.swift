internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let accountFaults: [Mutant] = [
        .afterLoss("account.fault.name", "takes a lost answer for a lost user") { faulty, isLost in
            faulty.onUpdate = { base, name, photo async throws(AuthError) in
                guard !isLost.isUp, let user = base.state.session?.user else {
                    return try await base.update(displayName: name, photoURL: photo)
                }
                do throws(AuthError) {
                    return try await base.update(displayName: name, photoURL: photo)
                } catch {
                    guard error.code == .serverUnavailable else { throw error }
                    return user
                }
            }
        },
        .afterLoss("account.fault.password", "asks for the old password for ever") { faulty, isLost in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                try await isLost.once(then: .network) { () async throws(AuthError) in
                    try await base.changePassword(to: new, current: current)
                }
            }
        },
        .afterLoss("account.fault.password-begin", "takes a new password for set whose answer did not come") { faulty, isLost in
            faulty.onBeginPasswordChange = { base, new async throws(AuthError) in
                guard !isLost.isUp, let session = base.state.session else { return try await base.beginPasswordChange(to: new) }
                do throws(AuthError) {
                    return try await base.beginPasswordChange(to: new)
                } catch {
                    guard error.code == .serverUnavailable else { throw error }
                    isLost.raise()
                    return .complete(session)
                }
            }
        },
        .afterLoss("account.fault.email", "takes the user's own new address for another's") { faulty, isLost in
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                try await isLost.once(then: .emailAlreadyInUse) { () async throws(AuthError) in
                    try await base.changeEmail(to: email)
                }
            }
        },
        .afterLoss("account.fault.link", "takes the user's own identity for another's") { faulty, isLost in
            faulty.onLink = { base, credential async throws(AuthError) in
                try await isLost.once(then: .identityAlreadyInUse) { () async throws(AuthError) in
                    try await base.link(credential)
                }
            }
        },
        .afterLoss("account.fault.unlink", "does not send it again") { faulty, isLost in
            faulty.onUnlink = { base, identity async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.unlink(identity) }
            }
        },
        .afterLoss("account.fault.add-factor", "takes the user's own beginning for another factor") { faulty, isLost in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                try await isLost.once(then: .invalidInput) { () async throws(AuthError) in try await base.addFactor(factor) }
            }
        },
        .afterLoss("account.fault.remove-factor", "does not send it again") { faulty, isLost in
            faulty.onRemoveFactor = { base, factor async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.removeFactor(factor) }
            }
        },
    ]
}

extension Mutant {
    /// A mutant whose calls are others once one of them has failed on the way.
    fileprivate static func afterLoss(
        _ breaks: String, _ summary: String, _ build: @escaping @Sendable (inout FaultyClient, Flag) -> Void
    ) -> Mutant {
        .alone(breaks, summary) { faulty, _ in build(&faulty, Flag()) }
    }
}

extension Flag {
    /// Makes a call until one has failed on the way; from then on each is refused.
    fileprivate func once<Value>(
        then code: AuthError.Code, _ call: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        guard !isUp else { throw AuthError(code, "The mutant refuses.") }
        do throws(AuthError) {
            return try await call()
        } catch {
            if [.network, .timedOut, .serverUnavailable].contains(error.code) { raise() }
            throw error
        }
    }
}
