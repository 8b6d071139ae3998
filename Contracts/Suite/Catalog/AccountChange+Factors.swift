internal import Lockstep
internal import LockstepPrimitives

/// Changes of a user's second factors.
extension AccountChange {
    static let addFactor = AccountChange(
        id: "add-factor", words: "the addition of a second factor", claims: [.secondFactor, .factorEnrolment],
        needs: [.authenticators, .administrator, .mailbox], buildsOn: ["account.factor.enrol-and-remove"],
        sendsAgain: "the same enrollment is sent again when the unfinished one is removed"
    ) { change in
        let (world, client, what) = (change.world, change.client, change.what)
        let adding = AddFactor(factor: .authenticatorApp(label: "My phone"))
        let begun = try await change.first(adding)
        let (end, hasFailed) = try await change.give(
            try world.require(begun.value, "\(what) the enrollment does not start"))
        try await world.heal()
        if end == nil, try await client.factors().isEmpty { _ = try await change.give(try await client.perform(adding)) }
        let step = try await world.secondFactor(world.client(), of: change.person)
        world.expect(step.choices.contains { $0.kind == .authenticatorApp }, "\(what) the factor is not required")
        return begun.hasFailed || hasFailed
    }

    static let removeFactor = AccountChange(
        id: "remove-factor", words: "the removal of a second factor", claims: [.secondFactor, .factorEnrolment],
        needs: [.authenticators, .administrator, .mailbox], buildsOn: ["account.factor.enrol-and-remove"]
    ) { change in
        let (world, client) = (change.world, change.client)
        try await world.addApp(client, try change.apps())
        let factor = try world.require(try await client.factors().first, "the added factor is not listed")
        let (_, hasFailed) = try await change.first(RemoveFactor(factor: factor))
        try await world.heal()
        world.expect(try await client.factors().isEmpty, "\(change.what) the factor is still listed")
        try await world.enter(world.client(), change.person)
        return hasFailed
    }

    static let addPhone = AccountChange(
        id: "add-phone", words: "the addition of a phone as a second factor", claims: [.secondFactor, .factorEnrolment],
        needs: [.administrator, .mailbox], buildsOn: ["account.factor.phone"]
    ) { change in
        let (world, client, what) = (change.world, change.client, change.what)
        guard try await world.administrator().allowPhones(), client.factorKinds.contains(.phone) else {
            throw NotApplicable("a phone cannot be a second factor on this backend")
        }
        let number = world.number()
        let adding = AddFactor(factor: .phone(number))
        let begun = try await change.first(adding)
        let enrolment = try world.require(begun.value, "\(what) the enrollment does not start")
        let code = try await world.code(for: number)
        let (end, hasFailed) = try await change.next(Respond(flow: enrolment.challenge.flow, response: .code(code)))
        try await world.heal()
        // A backend limits how often it sends messages to one number.
        try await world.advance(by: .seconds(90))
        if end == nil, try await client.factors().isEmpty {
            let again = try await client.perform(adding)
            _ = try await client.respond(to: again.challenge.flow, with: .code(try await world.code(for: number)))
            try await world.advance(by: .seconds(90))
        }
        world.expect(
            try await client.factors().map(\.kind) == [.phone], "\(what) the list does not contain the phone exactly once")
        let other = world.client()
        let flow = try await world.choose(other, .phone, of: try await world.secondFactor(other, of: change.person))
        let entered = try await other.respond(to: flow, with: .code(try await world.code(for: number)))
        try await world.expectGenuine(entered, of: change.userID, other, "\(what) the phone")
        return begun.hasFailed || hasFailed
    }

    static let backupCodes = AccountChange(
        id: "backup-codes", words: "the creation of new backup codes",
        claims: [.backupCode, .factorEnrolment, .backupCodeRenewal], needs: [.authenticators, .administrator, .mailbox],
        buildsOn: ["account.factor.backup-codes"]
    ) { change in
        let (world, what) = (change.world, change.what)
        try await world.addApp(change.client, try change.apps())
        let (codes, hasFailed) = try await change.first(RenewBackupCodes())
        try await world.heal()
        let code = try world.require(codes?.first, "\(what) the backend returned no backup codes")
        let other = world.client()
        let flow = try await world.choose(other, .backupCode, of: try await world.secondFactor(other, of: change.person))
        let end = try await other.respond(to: flow, with: .code(code))
        try await world.expectGenuine(end, of: change.userID, other, "\(what) a backup code")
        return hasFailed
    }
}

extension RepeatedCall {
    /// Completes the enrollment of an authenticator app.
    fileprivate func give(_ enrolment: FactorEnrolment) async throws -> (value: AuthStep?, hasFailed: Bool) {
        let key = try world.require(enrolment.key, "the enrollment has no key for the app")
        let code = try await apps().code(for: key)
        return try await next(Respond(flow: enrolment.challenge.flow, response: .code(code)))
    }
}
