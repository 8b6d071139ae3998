internal import Lockstep
internal import LockstepPrimitives

/// Changes of the password and of the email address.
extension AccountChange {
    static let password = AccountChange(
        id: "password", words: "a change of the password", claims: [.passwordChange],
        buildsOn: ["account.password.change", "account.password.others"]
    ) { change in
        var changed = change.person
        changed.password = change.world.stranger().password
        // On some backends a successful change ends the session that requested it.
        let (_, hasFailed) = try await change.first(
            ChangePassword(new: changed.password, current: change.person.password))
        try await change.world.heal()
        try await change.expectOnly(changed)
        return hasFailed
    }

    static let passwordBegin = AccountChange(
        id: "password-begin", words: "the setting of a password without the current one", claims: [.passwordChange],
        needs: [.mailbox], buildsOn: ["account.password.begin"]
    ) { change in
        let (world, person) = (change.world, change.person)
        var changed = person
        changed.password = world.stranger().password
        try await world.makeOld(change.client)
        var endings: Set<AuthError.Code> = []
        if world.behavior.passwordChangeOnOldSession == .asksAgain { endings.insert(.reauthenticationRequired) }
        if world.behavior.currentPassword == .required { endings.insert(.invalidInput) }
        let begun = try await change.first(BeginPasswordChange(new: changed.password), endings: endings)
        var hasFailed = begun.hasFailed
        guard let step = begun.value else {
            try await world.heal()
            // If the call was rejected because its work is done, the new password works. If it was rejected as declared, the old one works.
            if endings.isEmpty {
                try await change.expectOnly(changed)
            } else {
                try await world.enter(world.client(), person)
            }
            return hasFailed
        }
        if let challenge = step.challenge {
            let code = try await world.code(for: person.email)
            let given = try await change.next(Respond(flow: challenge.flow, response: .code(code)))
            hasFailed = hasFailed || given.hasFailed
        }
        try await world.heal()
        try await change.expectOnly(changed)
        return hasFailed
    }

    static let email = AccountChange(
        id: "email", words: "a change of the address", claims: [.emailChange], needs: [.mailbox],
        buildsOn: ["account.email.needs-proof", "account.email.taken"]
    ) { change in
        let (world, client, person) = (change.world, change.client, change.person)
        var moved = person
        moved.email = world.stranger().email
        var (step, hasFailed) = try await change.first(ChangeEmail(email: moved.email))
        // Some backends also require a verification of the old address.
        for address in [moved.email, person.email] {
            guard let challenge = step?.challenge else { break }
            let proof = try await world.proof(client, challenge, to: address)
            let endings: Set<AuthError.Code> = world.behavior.sessionAfterAddressChange == .revoked ? [.sessionRevoked] : []
            let proven = try await change.twice(refusals: Respond.refusalsIfDone, endings: endings, proof)
            hasFailed = hasFailed || proven.hasFailed
            step = proven.value
        }
        try await world.heal()
        if step?.session == nil { try await change.finish(moved) }
        try await world.enter(world.client(), moved)
        return hasFailed
    }
}

extension RepeatedCall {
    /// Checks that the new password signs in and the old password does not.
    fileprivate func expectOnly(_ changed: Person) async throws {
        try await world.enter(world.client(), changed)
        await world.refused(.invalidCredentials, of: "\(what) the old password") { () async throws(AuthError) in
            try await world.client().signIn(with: person.credential)
        }
    }

    /// Completes the change of address after the response to a verification was lost.
    ///
    /// If the new address does not work yet, the change is started again.
    fileprivate func finish(_ moved: Person) async throws {
        if await SignIn(credential: moved.credential).result(on: world.client()).refusal == nil { return }
        try await world.advance(by: .seconds(90))
        var step = try await client.changeEmail(to: moved.email)
        for address in [moved.email, person.email] {
            guard let challenge = step.challenge else { break }
            step = try await world.give(client, challenge, to: address)
        }
    }
}
