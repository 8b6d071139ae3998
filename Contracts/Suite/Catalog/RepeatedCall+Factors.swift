internal import Lockstep
internal import LockstepPrimitives

/// Repeated calls that change a user's second factors.
extension RepeatedCall {
    private func apps() throws -> any AuthenticatorApps {
        try world.need(world.environment.authenticators, "the harness has no authenticator apps")
    }

    func addFactor(_ client: any PortableClient, _ person: Person) async throws -> Bool {
        try await begin()
        let begun = try await twice(refusals: []) { () async throws(AuthError) in
            try await client.addFactor(.authenticatorApp(label: "My phone"))
        }
        let enrolment = try world.require(begun.value, "\(what) the enrollment does not start")
        let key = try world.require(enrolment.key, "the enrollment has no key for the app")
        let (end, hasFailed) = try await give(enrolment, key, client)
        try await world.heal()
        if end == nil, try await client.factors().isEmpty {
            let again = try await client.addFactor(.authenticatorApp(label: "My phone"))
            _ = try await give(again, try world.require(again.key, "the enrollment has no key for the app"), client)
        }
        let other = world.client()
        let step = try await world.secondFactor(other, of: person)
        world.expect(step.choices.contains { $0.kind == .authenticatorApp }, "\(what) the factor is not required")
        return begun.hasFailed || hasFailed
    }

    private func give(
        _ enrolment: FactorEnrolment, _ key: Secret, _ client: any PortableClient
    ) async throws -> (value: SignInStep?, hasFailed: Bool) {
        let apps = try apps()
        let code = try await apps.code(for: key)
        return try await twice(refusals: AuthError.Code.refusingDone) { () async throws(AuthError) in
            try await client.respond(to: enrolment.challenge.flow, with: .code(code))
        }
    }

    func removeFactor(_ client: any PortableClient, _ person: Person) async throws -> Bool {
        try await world.addApp(client, try apps())
        let factor = try world.require(try await client.factors().first, "the added factor is not listed")
        try await begin()
        let (_, hasFailed) = try await twice(refusals: [.invalidInput]) { () async throws(AuthError) in
            try await client.removeFactor(factor)
        }
        try await world.heal()
        world.expect(try await client.factors().isEmpty, "\(what) the factor is still listed")
        try await world.enter(world.client(), person)
        return hasFailed
    }

    func addPhone(_ client: any PortableClient, _ person: Person, _ userID: String) async throws -> Bool {
        guard try await world.administrator().allowPhones(), client.factorKinds.contains(.phone) else {
            throw NotApplicable("a phone cannot be a second factor on this backend")
        }
        let number = world.number()
        try await begin()
        let begun = try await twice(refusals: []) { () async throws(AuthError) in try await client.addFactor(.phone(number)) }
        let enrolment = try world.require(begun.value, "\(what) the enrollment does not start")
        let code = try await world.code(for: number)
        let (end, hasFailed) = try await twice(refusals: AuthError.Code.refusingDone) { () async throws(AuthError) in
            try await client.respond(to: enrolment.challenge.flow, with: .code(code))
        }
        try await world.heal()
        // A backend limits how often it sends messages to one number.
        try await world.advance(by: .seconds(90))
        if end == nil, try await client.factors().isEmpty {
            let again = try await client.addFactor(.phone(number))
            _ = try await client.respond(to: again.challenge.flow, with: .code(try await world.code(for: number)))
            try await world.advance(by: .seconds(90))
        }
        world.expect(
            try await client.factors().map(\.kind) == [.phone], "\(what) the list does not contain the phone exactly once")
        let other = world.client()
        let flow = try await world.choose(other, .phone, of: try await world.secondFactor(other, of: person))
        let entered = try await other.respond(to: flow, with: .code(try await world.code(for: number)))
        try await world.expectGenuine(entered, of: userID, other, "\(what) the phone")
        return begun.hasFailed || hasFailed
    }

    func backupCodes(_ client: any PortableClient, _ person: Person, _ userID: String) async throws -> Bool {
        try await world.addApp(client, try apps())
        try await begin()
        let (codes, hasFailed) = try await twice(refusals: []) { () async throws(AuthError) in
            try await client.renewBackupCodes()
        }
        try await world.heal()
        let code = try world.require(codes?.first, "\(what) the backend returned no backup codes")
        let other = world.client()
        let flow = try await world.choose(other, .backupCode, of: try await world.secondFactor(other, of: person))
        let end = try await other.respond(to: flow, with: .code(code))
        try await world.expectGenuine(end, of: userID, other, "\(what) a backup code")
        return hasFailed
    }
}
