internal import Lockstep
internal import LockstepPrimitives

/// A change of a user's account in which one request fails and the call is repeated.
struct RepeatedCall: Sendable {
    let world: World
    let fault: Fault
    let skipped: Int

    var what: String { "after \(fault) at request \(skipped + 1)" }

    /// - Returns: Whether a request has failed.
    func fails(_ call: AccountCall) async throws -> Bool {
        let person = try await world.member()
        let client = world.client()
        let session = try await world.enter(client, person)
        // Backends compare times in whole seconds, so the change must come in a later second than the sign-in.
        try await world.advance(by: .seconds(2))
        switch call {
        case .name: return try await name(client)
        case .photo: return try await photo(client)
        case .password: return try await password(client, person)
        case .passwordBegin: return try await passwordBegin(client, person)
        case .email: return try await email(client, person)
        case .link: return try await link(client, session.user.id)
        case .unlink: return try await unlink(client, person)
        case .addFactor: return try await addFactor(client, person)
        case .organization: return try await organization(client, session)
        case .removeFactor: return try await removeFactor(client, person)
        case .addPhone: return try await addPhone(client, person, session.user.id)
        case .backupCodes: return try await backupCodes(client, person, session.user.id)
        case .renamePasskey: return try await renamePasskey(client, session.user.id)
        case .removePasskey: return try await removePasskey(client, session.user.id)
        }
    }

    /// Makes the call, and repeats it if it fails.
    ///
    /// - Parameters:
    ///   - refusals: The allowed error codes of the repetition if the first call has already done its work.
    ///   - endings: Error codes that are expected results and not failures, for example because the call ends the session.
    ///   - line: The line of the check in the source.
    ///   - call: The call.
    /// - Returns: The response (`nil` after an allowed error), and whether the fault made the first call fail.
    /// - Throws: An error of the backend's controls; it ends the check.
    func twice<Value: Sendable>(
        refusals: Set<AuthError.Code>, endings: Set<AuthError.Code> = [], line: Int = #line,
        _ call: @Sendable () async throws(AuthError) -> Value
    ) async throws -> (value: Value?, hasFailed: Bool) {
        switch await result(of: call) {
        case .success(let value): return (value, false)
        case .failure(let error):
            if endings.contains(error.code) { return (nil, false) }
            let codes: Set<AuthError.Code> = fault == .answerLost ? [.network, .timedOut] : [.serverUnavailable]
            world.expect(codes.contains(error.code), "\(what) the call failed with \(error)", line: line)
        }
        // A backend limits how often it sends messages to one address.
        try await world.advance(by: .seconds(90))
        switch await result(of: call) {
        case .success(let value): return (value, true)
        case .failure(let error):
            if endings.contains(error.code) { return (nil, true) }
            // An earlier request of the call may already have done the work.
            let mayBeDone = fault == .answerLost || skipped > 0
            world.expect(
                mayBeDone && refusals.contains(error.code), "\(what) the repeated call failed with \(error)", line: line)
            return (nil, true)
        }
    }

    /// Injects the fault into a request of the next call.
    func begin() async throws { try await world.fail(with: fault, skipping: skipped, times: 1) }

    private func name(_ client: any PortableClient) async throws -> Bool {
        try await begin()
        let (user, hasFailed) = try await twice(refusals: []) { () async throws(AuthError) in
            try await client.update(displayName: "Grace", photoURL: nil)
        }
        try await world.heal()
        world.expect(user?.displayName == "Grace", "\(what) the user does not have the name")
        world.expect(try await client.refreshUser().displayName == "Grace", "\(what) the backend does not have the name")
        return hasFailed
    }

    private func password(_ client: any PortableClient, _ person: Person) async throws -> Bool {
        var changed = person
        changed.password = world.stranger().password
        try await begin()
        // On some backends a successful change ends the session that requested it.
        let (_, hasFailed) = try await twice(refusals: [.invalidCredentials, .samePassword, .sessionRevoked]) {
            [new = changed.password] () async throws(AuthError) in
            try await client.changePassword(to: new, current: person.password)
        }
        try await world.heal()
        try await expectOnly(changed, instead: person)
        return hasFailed
    }

    private func passwordBegin(_ client: any PortableClient, _ person: Person) async throws -> Bool {
        var changed = person
        changed.password = world.stranger().password
        try await world.makeOld(client)
        try await begin()
        var endings: Set<AuthError.Code> = []
        if world.behavior.passwordChangeOnOldSession == .asksAgain { endings.insert(.reauthenticationRequired) }
        if world.behavior.currentPassword == .required { endings.insert(.invalidInput) }
        let begun = try await twice(refusals: [.samePassword, .sessionRevoked], endings: endings) {
            [new = changed.password] () async throws(AuthError) in
            try await client.beginPasswordChange(to: new)
        }
        var hasFailed = begun.hasFailed
        guard let step = begun.value else {
            try await world.heal()
            // If the call was rejected because its work is done, the new password works. If it was rejected as declared, the old one works.
            if endings.isEmpty {
                try await expectOnly(changed, instead: person)
            } else {
                try await world.enter(world.client(), person)
            }
            return hasFailed
        }
        if let challenge = step.challenge {
            let code = try await world.code(for: person.email)
            let given = try await twice(refusals: AuthError.Code.refusingDone) { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .code(code))
            }
            hasFailed = hasFailed || given.hasFailed
        }
        try await world.heal()
        try await expectOnly(changed, instead: person)
        return hasFailed
    }

    /// Checks that the new password signs in and the old password does not.
    private func expectOnly(_ changed: Person, instead person: Person) async throws {
        try await world.enter(world.client(), changed)
        await world.refused(.invalidCredentials, of: "\(what) the old password") { () async throws(AuthError) in
            try await world.client().signIn(with: person.credential)
        }
    }

    private func email(_ client: any PortableClient, _ person: Person) async throws -> Bool {
        var moved = person
        moved.email = world.stranger().email
        try await begin()
        var (step, hasFailed) = try await twice(refusals: []) { [email = moved.email] () async throws(AuthError) in
            try await client.changeEmail(to: email)
        }
        // Some backends also require a verification of the old address.
        for address in [moved.email, person.email] {
            guard let challenge = step?.challenge else { break }
            let proof = try await world.proof(client, challenge, to: address)
            let endings: Set<AuthError.Code> = world.behavior.sessionAfterAddressChange == .revoked ? [.sessionRevoked] : []
            let proven = try await twice(refusals: AuthError.Code.refusingDone, endings: endings, proof)
            hasFailed = hasFailed || proven.hasFailed
            step = proven.value
        }
        try await world.heal()
        if step?.session == nil { try await finish(moved, client, person) }
        try await world.enter(world.client(), moved)
        return hasFailed
    }

    /// Completes the change of address after the response to a verification was lost.
    ///
    /// If the new address does not work yet, the change is started again.
    private func finish(_ moved: Person, _ client: any PortableClient, _ person: Person) async throws {
        if await result(of: { () async throws(AuthError) in try await world.client().signIn(with: moved.credential) }).isSuccess {
            return
        }
        try await world.advance(by: .seconds(90))
        var step = try await client.changeEmail(to: moved.email)
        for address in [moved.email, person.email] {
            guard let challenge = step.challenge else { break }
            step = try await world.give(client, challenge, to: address)
        }
    }

    private func photo(_ client: any PortableClient) async throws -> Bool {
        try await begin()
        let (user, hasFailed) = try await twice(refusals: []) { () async throws(AuthError) in
            try await client.setPhoto(.pixel)
        }
        try await world.heal()
        let url = try world.require(user?.photoURL, "\(what) the user has no photo")
        world.expect(try await client.refreshUser().photoURL == url, "\(what) the backend has a different photo")
        return hasFailed
    }

    private func organization(_ client: any PortableClient, _ session: Session) async throws -> Bool {
        let id = try await world.administrator().createOrganization(named: "Analytical Engines", members: [session.user.id])
        let organization = try world.require(try await client.organizations().first, "the list does not contain the organization")
        try await begin()
        let (_, hasFailed) = try await twice(refusals: []) { () async throws(AuthError) in
            try await client.activate(organization)
        }
        try await world.heal()
        for when in ["the switch", "a refresh"] {
            let token = try await client.accessToken()
            world.expect(client.state.session?.organizationID == id, "\(what), after \(when) another organization is active")
            world.expect(
                try await world.administrator().accepts(accessToken: token), "\(what), after \(when) the token is not accepted")
            try await world.outliveToken(of: session)
        }
        return hasFailed
    }
}

extension AuthError.Code {
    /// The error codes that are allowed when a code or link is sent again after its first response was lost.
    static let refusingDone: Set<AuthError.Code> = [
        .invalidCode, .codeExpired, .codeUsed, .linkUsed, .linkExpired, .linkInvalid, .invalidInput, .flowNotFound,
        .sessionRevoked,
    ]
}
