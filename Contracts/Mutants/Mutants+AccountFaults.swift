internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let accountFaults: [Mutant<World>] = [
        .afterLoss("account.fault.name", "treats a lost response as a completed change") { faulty, isLost in
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
        .afterLoss("account.fault.password", "always asks for the old password after a fault") { faulty, isLost in
            faulty.onChangePassword = { base, new, current async throws(AuthError) in
                try await isLost.once(then: .network) { () async throws(AuthError) in
                    try await base.changePassword(to: new, current: current)
                }
            }
        },
        .afterLoss("account.fault.password-begin", "treats a new password as set although the response was lost") {
            faulty, isLost in
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
        .afterLoss("account.fault.email", "reports the user's own new address as another user's") { faulty, isLost in
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                try await isLost.once(then: .emailAlreadyInUse) { () async throws(AuthError) in
                    try await base.changeEmail(to: email)
                }
            }
        },
        .afterLoss("account.fault.link", "reports the user's own identity as another user's") { faulty, isLost in
            faulty.onLink = { base, credential async throws(AuthError) in
                try await isLost.once(then: .identityAlreadyInUse) { () async throws(AuthError) in
                    try await base.link(credential)
                }
            }
        },
        .afterLoss("account.fault.unlink", "does not repeat the removal") { faulty, isLost in
            faulty.onUnlink = { base, identity async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.unlink(identity) }
            }
        },
        .afterLoss("account.fault.link-page", "rejects the repeated call") { faulty, isLost in
            faulty.onLink = { base, credential async throws(AuthError) in
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.link(credential) }
            }
        },
        .afterLoss("account.fault.unlink-page", "does not repeat the removal") { faulty, isLost in
            faulty.onUnlink = { base, identity async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.unlink(identity) }
            }
        },
        .afterLoss("account.fault.add-factor", "reports the user's own unfinished enrollment as another factor") {
            faulty, isLost in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                try await isLost.once(then: .invalidInput) { () async throws(AuthError) in try await base.addFactor(factor) }
            }
        },
        .afterLoss("account.fault.remove-factor", "does not repeat the removal") { faulty, isLost in
            faulty.onRemoveFactor = { base, factor async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.removeFactor(factor) }
            }
        },
        Mutant(
            "account.fault.name", "simulates no fault",
            Mutation(controls: { environment, notebook in
                // Every contract about faults needs this control.
                if notebook.contract == "account.fault.name" { environment.faults = NoFaults() }
            })),
        .alone("account.fault.password-begin", "rejects every new password", matters: [.currentPasswordIsOptional]) { faulty, _ in
            faulty.onBeginPasswordChange = { _, _ throws(AuthError) in
                throw AuthError(.invalidInput, "The mutant rejects the call.")
            }
        },
        .afterLoss("account.fault.photo", "returns the user from before the upload") { faulty, isLost in
            faulty.onSetPhoto = { base, photo async throws(AuthError) in
                guard !isLost.isUp, let user = base.state.session?.user else { return try await base.setPhoto(photo) }
                do throws(AuthError) { return try await base.setPhoto(photo) } catch {
                    guard error.code == .serverUnavailable else { throw error }
                    return user
                }
            }
        },
        .afterLoss("account.fault.organization", "does not repeat the switch") { faulty, isLost in
            faulty.onActivate = { base, organization async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.activate(organization) }
            }
        },
        .afterLoss("account.fault.add-phone", "reports the user's own unfinished enrollment as another factor") {
            faulty, isLost in
            faulty.onAddFactor = { base, factor async throws(AuthError) in
                guard factor.kind == .phone else { return try await base.addFactor(factor) }
                return try await isLost.once(then: .invalidInput) { () async throws(AuthError) in
                    try await base.addFactor(factor)
                }
            }
        },
        .afterLoss("account.fault.backup-codes", "invents codes after a lost response") { faulty, isLost in
            faulty.onRenewBackupCodes = { base async throws(AuthError) in
                guard !isLost.isUp else { return ["1111-1111", "2222-2222"] }
                return try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.renewBackupCodes() }
            }
        },
        .afterLoss("account.fault.rename-passkey", "does not repeat the renaming") { faulty, isLost in
            faulty.onRenamePasskey = { base, passkey, name async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in
                    try await base.renamePasskey(passkey, to: name)
                }
            }
        },
        .afterLoss("account.fault.remove-passkey", "does not repeat the removal") { faulty, isLost in
            faulty.onRemovePasskey = { base, passkey async throws(AuthError) in
                guard !isLost.isUp else { return }
                try await isLost.once(then: .unknown) { () async throws(AuthError) in try await base.removePasskey(passkey) }
            }
        },
    ]
}

extension Mutants {
    static let signInFaults: [Mutant<World>] = [
        .afterLoss("sign-in.fault.email-code", "rejects every new start") { faulty, isLost in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard credential is EmailCodeCredential else { return try await base.signIn(with: credential) }
                return try await isLost.once(then: .unknown) { () async throws(AuthError) in
                    try await base.signIn(with: credential)
                }
            }
        },
        .afterLoss("sign-in.fault.email-link", "rejects every link after a fault") { faulty, isLost in
            faulty.onHandle = { base, url in await isLost.once(base, url) }
        },
        .afterLoss("sign-in.fault.phone-code", "rejects every code after a fault") { faulty, isLost in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                try await isLost.once(then: .invalidCode) { () async throws(AuthError) in
                    try await base.respond(to: flow, with: response)
                }
            }
        },
        .afterLoss("sign-in.fault.page", "rejects every callback after a fault") { faulty, isLost in
            faulty.onHandle = { base, url in await isLost.once(base, url) }
        },
        .afterLoss("sign-in.fault.id-token", "rejects every token after a fault") { faulty, isLost in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                try await isLost.once(then: .invalidIDToken) { () async throws(AuthError) in
                    try await base.signIn(with: credential)
                }
            }
        },
        .afterLoss("sign-in.fault.ticket", "rejects every ticket after a fault") { faulty, isLost in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard credential is TicketCredential else { return try await base.signIn(with: credential) }
                return try await isLost.once(then: .invalidCredentials) { () async throws(AuthError) in
                    try await base.signIn(with: credential)
                }
            }
        },
        .afterLoss("sign-in.fault.passkey", "rejects every passkey after a fault") { faulty, isLost in
            faulty.onRespond = { base, flow, response async throws(AuthError) in
                try await isLost.once(then: .invalidCredentials) { () async throws(AuthError) in
                    try await base.respond(to: flow, with: response)
                }
            }
        },
    ]
}

extension Mutant<World> {
    /// Creates a mutant whose calls change after one of them has failed because of the network or the server.
    fileprivate static func afterLoss(
        _ breaks: String, _ summary: String, _ build: @escaping @Sendable (inout FaultyClient, Flag) -> Void
    ) -> Mutant<World> {
        .alone(breaks, summary) { faulty, _ in build(&faulty, Flag()) }
    }
}

extension Flag {
    /// Opens URLs until one fails because of the network or the server.
    ///
    /// After that, rejects every URL.
    fileprivate func once(_ base: any PortableClient, _ url: String) async -> CallbackOutcome {
        guard !isUp else { return .refused(AuthError(.linkInvalid, "The mutant rejects the link.")) }
        let outcome = await base.handle(url)
        if case .refused(let error) = outcome, [.network, .timedOut, .serverUnavailable].contains(error.code) { raise() }
        return outcome
    }

    /// Makes a call until one call fails because of the network or the server.
    ///
    /// After that, rejects every call.
    fileprivate func once<Value>(
        then code: AuthError.Code, _ call: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        guard !isUp else { throw AuthError(code, "The mutant rejects the call.") }
        do throws(AuthError) {
            return try await call()
        } catch {
            if [.network, .timedOut, .serverUnavailable].contains(error.code) { raise() }
            throw error
        }
    }
}

/// Faults that affect no request.
private struct NoFaults: Faults {
    func inject(_ fault: Fault, on requests: FaultTarget, skipping skip: Int, times: Int?) {}
    func clear() {}
    func untilHanging(_ count: Int) {}
    func release() {}
}

extension Condition {
    /// The condition that a user can set a new password without the current one.
    fileprivate static let currentPasswordIsOptional = Condition("the current password is optional for a new password") {
        $0.currentPassword == .optional
    }
}
