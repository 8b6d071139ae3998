internal import Lockstep
internal import LockstepPrimitives

/// A sign-in, or another flow of a user, together with the person who completes it.
///
/// A contract that applies to every flow runs each journey. So its code names neither the calls nor the sources of the responses.
struct Journey: Sendable {
    /// The kind of the flow.
    enum Kind: String, Sendable, CaseIterable {
        // The user needs a message to verify an address, a number or a device.
        case signUp, newDevice, emailCode, emailLink, phoneCode, reset, emailChange, renewal
        // The user needs no message.
        case idToken, ticket, oauth, passkey, secondFactor, demandedPassword, enrolment
        /// The project requires a field from every user after this point.
        case missingFields

        /// The flows that wait for a code or link from a message.
        static let messages: [Kind] = [.signUp, .newDevice, .reset, .emailCode, .emailLink, .phoneCode, .emailChange]

        /// The capabilities for flows that wait for a message.
        ///
        /// An adapter needs at least one of them.
        static let messageCapabilities: Set<Capability> = [.password, .emailCodeSignIn, .emailLinkSignIn, .phoneCode]
    }

    let world: World
    let kind: Kind
    let device: Device
    var client: any PortableClient
    var step: AuthStep
    var person: Person
    /// The backend's id of the user; `nil` for a user who did not exist before the flow.
    var userID: String?
    /// The recipients of the messages, in the order of the steps.
    var addresses: [String]
    var factor: EnrolledFactor?
    var subject: IdentitySubject?
    /// A ticket that no call has sent.
    var ticket: Secret?
    /// The secret in the user's authenticator app.
    var key: Secret?
    /// Whether the flow has ended the session, if the adapter declares that.
    var hasEnded = false

    /// Whether the flow begins with a signed-in user.
    var hasUser: Bool { [.emailChange, .enrolment, .renewal].contains(kind) }

    /// The recipient of the current step's message.
    var address: String { addresses.first ?? person.email }

    /// Returns the challenge of the current step.
    func challenge(line: Int = #line) throws -> Challenge {
        try world.require(step.challenge, "\(kind): the flow returned \(step.kind)", line: line)
    }

    /// Restarts the app, and checks that it finds the step again.
    mutating func relaunch(line: Int = #line) async throws {
        client = try device.relaunch()
        await client.restore()
        let kept = try world.require(
            client.pending, "\(kind): after a relaunch the step \(step.kind) is no longer pending", line: line)
        world.expect(kept == step, "\(kind): after a relaunch the step \(step.kind) is different", line: line)
        step = kept
    }

    /// Completes all remaining steps.
    ///
    /// - Parameters:
    ///   - way: The sign-in method.
    ///   - line: The line of the check in the source.
    ///   - before: A closure that runs before each response.
    /// - Throws: An error of the backend's controls; it ends the check.
    mutating func finish(
        by way: ChallengeResponse.Kind? = nil, line: Int = #line,
        before: (inout Journey) async throws -> Void = { _ in }
    ) async throws {
        for _ in 0..<6 where step.session == nil && !hasEnded {
            try await before(&self)
            try await answer(by: way, line: line)
        }
    }

    /// Responds to the current step like the person of this flow.
    mutating func answer(by way: ChallengeResponse.Kind? = nil, line: Int = #line) async throws {
        try go(on: try await response(by: way, line: line))
    }

    /// Stores the result of a response as the current step.
    mutating func go(on outcome: Result<AuthStep, AuthError>) throws {
        switch outcome {
        case .success(let next): step = next
        case .failure(let error):
            guard kind == .emailChange, error.code == .sessionRevoked, world.behavior.sessionAfterAddressChange == .revoked else {
                throw error
            }
            hasEnded = true
        }
        if kind == .emailChange, addresses.count > 1 { addresses.removeFirst() }
    }

    /// Returns the same flow in another process on the device.
    func twin() async -> Journey {
        var twin = self
        twin.client = device.launch()
        await twin.client.restore()
        return twin
    }

    private func response(by way: ChallengeResponse.Kind?, line: Int) async throws -> Result<AuthStep, AuthError> {
        switch step {
        case .complete: return .success(step)
        case .verify(let challenge) where challenge.accepts.contains(.passkey):
            return await respond(try await signed(challenge, line: line))
        case .verify(let challenge) where challenge.channel == .authenticatorApp:
            let apps = try world.need(world.environment.authenticators, "the harness has no authenticator apps")
            let code = try await apps.code(for: try world.require(key, "the enrollment has no key for the app", line: line))
            return await respond(.code(code))
        case .verify(let challenge):
            let ways = [way, .code, .link, .poll].compactMap(\.self)
            let way = try world.require(
                ways.first { challenge.accepts.contains($0) },
                "\(kind): the challenge accepts neither the code nor the link of its message", line: line)
            return try await prove(with: try await world.newestMessage(to: address, line: line), by: way, line: line)
        case .secondFactor(let second): return try await give(second, line: line)
        case .newPassword: return await respond(.newPassword(person.password))
        case .redirect(let redirect):
            let subject = try world.require(self.subject, "\(kind): the flow opened a page, which was not expected", line: line)
            return await open(try await world.consent(to: redirect.url, as: subject, line: line))
        case .moreInformation(let missing):
            return await respond(.fields(Dictionary(missing.fields.map { ($0, "Lovelace") }, uniquingKeysWith: { $1 })))
        case .identityConflict, .other: try world.end("\(kind): the flow returned \(step.kind)", line: line)
        }
    }

    /// Returns the answer of the user's passkey to a challenge.
    func signed(_ challenge: Challenge, line: Int) async throws -> ChallengeResponse {
        let sheet = try world.need(world.environment.passkeys, "the harness cannot use passkeys")
        let options = try world.require(
            challenge.passkeyOptions, "the challenge has no options for the passkey sheet", line: line)
        return .passkey(try await sheet.sign(options, as: userID ?? ""))
    }

    private func give(_ second: SecondFactorStep, line: Int) async throws -> Result<AuthStep, AuthError> {
        let factor = try world.require(
            self.factor, "\(kind): the flow required a second factor, which was not expected", line: line)
        guard let challenge = second.challenge else {
            let choice = try world.require(
                second.choices.first { $0.kind == factor.kind }, "\(kind): the step does not offer the user's own factor",
                line: line)
            return await respond(.factor(choice))
        }
        world.expect(challenge.accepts.contains(.code), "\(kind): the factor does not accept a code", line: line)
        return await respond(.code(try await world.code(of: factor, line: line)))
    }

    /// Sends a response to the current step without any change.
    func respond(_ response: ChallengeResponse) async -> Result<AuthStep, AuthError> {
        guard let flow = step.flow else { return .success(step) }
        return await result(of: { () async throws(AuthError) in try await client.respond(to: flow, with: response) })
    }

    /// Opens the app with a URL.
    func open(_ url: String) async -> Result<AuthStep, AuthError> {
        switch await client.handle(url) {
        case .step(let step): .success(step)
        case .refused(let error): .failure(error)
        case .notOurs: .failure(AuthError(.linkInvalid, "The client treated the app's own link as another app's."))
        }
    }

    /// Sends the code or link from a message.
    func prove(with message: SentMessage, by way: ChallengeResponse.Kind, line: Int = #line) async throws
        -> Result<AuthStep, AuthError>
    {
        switch way {
        case .code:
            return await respond(
                .code(Secret(try world.require(message.code, "\(kind): the message contains no code", line: line))))
        case .link: return await open(try await world.url(of: message, line: line))
        default:
            let link = try world.require(message.link, "\(kind): the message contains no link", line: line)
            try await world.need(world.environment.browser, "the harness cannot open links").confirm(link)
            return await respond(.poll)
        }
    }

    /// Completes a verification, so that the backend has accepted or rejected it.
    ///
    /// Some backends accept it only together with the new password.
    func settled(_ proof: Result<AuthStep, AuthError>) async -> Result<AuthStep, AuthError> {
        guard kind == .reset, case .success(.newPassword(let entry)) = proof else { return proof }
        let password = person.password
        return await result(of: { () async throws(AuthError) in
            try await client.respond(to: entry.flow, with: .newPassword(password))
        })
    }

    /// Checks that the flow has ended successfully for its person.
    func expectEnd(_ what: String = "the flow", line: Int = #line) async throws {
        if kind == .emailChange {
            var moved = person
            moved.email = newAddress
            let entered = try await world.enter(world.client(), moved, line: line)
            world.expect(entered.user.id == userID, "\(kind): after \(what), the new address signs in another user", line: line)
            return
        }
        let session = try world.require(step.session, "\(kind): \(what) returned \(step.kind)", line: line)
        let isOwn =
            if let userID { session.user.id == userID } else if kind == .phoneCode { session.user.phone == address } else {
                session.user.email == person.email
            }
        world.expect(isOwn, "\(kind): \(what) signs in another user", line: line)
        world.expect(
            client.state.session?.user.id == session.user.id && client.state.kind == "signedIn",
            "\(kind): after \(what) the state is \(client.state.kind)", line: line)
        guard kind == .reset else { return }
        let entered = await result(of: { () async throws(AuthError) in
            try await world.client().signIn(with: person.credential)
        })
        world.expect(entered.isSuccess, "\(kind): the sign-in with the new password failed with \(named(entered))", line: line)
    }

    /// The new address in an email change.
    var newAddress = ""

    /// Checks that the rejected response has not signed a user in.
    func expectNoEntry(_ when: String, line: Int = #line) {
        let isIn = hasUser ? client.state.session?.user.email == newAddress : client.state.kind == "signedIn"
        world.expect(!isIn, "\(kind): \(when) the state is \(client.state.kind)", line: line)
    }
}
