internal import Lockstep
internal import LockstepPrimitives

extension World {
    /// Returns the kinds that are possible in this environment.
    func journeys(among kinds: [Journey.Kind] = Journey.Kind.messages) -> [Journey.Kind] { kinds.filter(isPossible) }

    /// Returns the first flow that waits for a code or link from a message.
    func firstMessageFlow() throws -> Journey.Kind {
        guard let kind = journeys().first else { throw NotApplicable("no flow of this backend waits for a message") }
        return kind
    }

    /// Returns the first flow that a user can abandon.
    ///
    /// A sign-up is excluded, because its address must still be verified later.
    func leavableFlow() throws -> Journey.Kind {
        guard let kind = journeys().first(where: { $0 != .signUp }) else {
            throw NotApplicable("no flow of this backend can be left")
        }
        return kind
    }

    private func isPossible(_ kind: Journey.Kind) -> Bool {
        let (isPassword, hasMail) = (can(.password), environment.outbox != nil)
        return switch kind {
        case .signUp: isPassword && hasMail && behavior.signUpProof == .required
        case .newDevice: isPassword && hasMail && behavior.newDevice == .asksForCode && behavior.signUpProof == .required
        case .emailCode: can(.emailCodeSignIn) && hasMail
        case .emailLink: can(.emailLinkSignIn) && hasMail && environment.browser != nil
        case .phoneCode: can(.phoneCode) && hasMail && environment.administrator != nil
        case .reset: isPassword && can(.passwordReset) && hasMail
        case .emailChange: isPassword && can(.emailChange) && hasMail
        case .renewal: isPassword && can(.reauthentication) && can(.emailCodeSignIn) && hasMail
        case .idToken: can(.idToken) && environment.issuer != nil
        case .ticket: can(.ticket) && environment.administrator != nil
        case .oauth: can(.oauth) && environment.identityPage != nil
        case .passkey: can(.passkey) && isPassword && environment.passkeys != nil && environment.administrator != nil
        case .secondFactor: can(.secondFactor) && isPassword && environment.administrator != nil && hasMail
        case .demandedPassword: can(.newPasswordStep) && isPassword && environment.administrator != nil && hasMail
        case .enrolment: can(.factorEnrolment) && can(.secondFactor) && isPassword && environment.authenticators != nil
        case .missingFields: can(.requirements) && isPassword && environment.administrator != nil && hasMail
        }
    }

    /// Runs each flow that waits for a message, once for each response of `ways` that the flow accepts.
    func forEachFlow(
        accepting ways: ChallengeResponse.Kind..., line: Int = #line,
        _ body: (inout Journey, ChallengeResponse.Kind) async throws -> Void
    ) async throws {
        var count = 0
        for kind in journeys() {
            var taken = Set(ways)
            for way in ways where taken.contains(way) && (way != .link || environment.browser != nil) {
                guard var journey = try await beginIfPossible(kind, line: line) else { break }
                taken = try journey.challenge(line: line).accepts
                guard taken.contains(way) else { continue }
                count += 1
                try await body(&journey, way)
            }
        }
        guard count > 0 else {
            throw NotApplicable("no flow of this backend accepts a \(ways.map(\.rawValue).joined(separator: " or "))")
        }
    }

    /// Begins a flow.
    ///
    /// Returns `nil` if the backend cannot create a user with a phone number, or cannot reauthenticate by a code.
    func beginIfPossible(_ kind: Journey.Kind, withFactor: Bool = false, line: Int = #line) async throws -> Journey? {
        do {
            return try await begin(kind, withFactor: withFactor, line: line)
        } catch is EnvironmentError where kind == .phoneCode {
            return nil
        } catch let error as AuthError where kind == .renewal && error.code == .unsupported {
            return nil
        }
    }

    /// Returns the current step of the first flow that waits for a message.
    func unfinishedStep(_ client: any PortableClient, line: Int = #line) async throws -> AuthStep {
        try await begin(try firstMessageFlow(), by: client, line: line).step
    }

    /// Returns a person who can sign in: the backend has an account, or creates it at the first sign-in.
    ///
    /// It does not matter which sign-in method the adapter has.
    func acquaintance() async throws -> Person {
        if can(.password) { return try await member() }
        let person = stranger()
        guard behavior.unknownAddressAtLink != .createsAccount else { return person }
        _ = try await administrator().create(
            email: person.email, password: person.password.reveal(), isEmailVerified: true, displayName: person.name)
        return person
    }

    /// Begins a flow, up to the first step that waits for a response.
    ///
    /// - Parameters:
    ///   - withFactor: Whether the user has a second factor.
    ///   - line: The line of the check in the source.
    /// - Returns: The result.
    /// - Throws: An error of the backend's controls; it ends the check.
    func begin(
        _ kind: Journey.Kind, withFactor: Bool = false, on device: Device? = nil, by client: (any PortableClient)? = nil,
        line: Int = #line
    ) async throws -> Journey {
        var journey = try await prepared(kind, on: device, by: client, line: line)
        if withFactor || kind == .secondFactor {
            let userID = try require(journey.userID, "\(kind): the user's id is unknown", line: line)
            journey.factor = try await administrator().addFactor(to: userID)
        }
        journey.step = try await firstStep(of: &journey, line: line)
        return journey
    }

    /// Creates the user of a flow that has not begun.
    func prepared(
        _ kind: Journey.Kind, on device: Device? = nil, by client: (any PortableClient)? = nil, line: Int = #line
    ) async throws -> Journey {
        let device = device ?? self.device()
        var journey = Journey(
            world: self, kind: kind, device: device, client: client ?? device.launch(),
            step: .other(OtherStep(flow: .none, status: "")), person: stranger(), addresses: [])
        try await prepare(&journey, line: line)
        return journey
    }

    /// Begins the flow of a journey again, for the same person on another device.
    func begin(like journey: Journey, line: Int = #line) async throws -> Journey {
        let device = device()
        var again = Journey(
            world: self, kind: journey.kind, device: device, client: device.launch(), step: journey.step, person: journey.person,
            userID: journey.userID, addresses: journey.addresses, factor: journey.factor, subject: journey.subject)
        again.step = try await firstStep(of: &again, line: line)
        return again
    }

    /// Creates the user of a flow.
    private func prepare(_ journey: inout Journey, line: Int) async throws {
        switch journey.kind {
        case .signUp, .missingFields: break
        case .phoneCode:
            let phone = number()
            journey.addresses = [phone]
            journey.userID = try await administrator().create(phone: phone)
        case .idToken, .oauth:
            let subject = subject()
            journey.subject = subject
            journey.person.email = subject.email ?? ""
            let client = client()
            let step =
                journey.kind == .idToken
                ? try await client.signIn(with: try await idToken(try issuer(), for: subject))
                : try await follow(client, try await consent(to: try await page(client), as: subject, line: line), line: line)
            journey.userID = try require(step.session, "\(journey.kind): no user was created", line: line).user.id
        default:
            journey.person = try await acquaintance()
            journey.userID = try await environment.administrator?.users().first { [email = journey.person.email] in
                $0.email == email
            }?.id
            if journey.kind == .ticket { journey.ticket = try await administrator().ticket(for: journey.userID ?? "") }
            if journey.kind == .passkey {
                try await addPasskey(of: journey.person, userID: journey.userID ?? "", line: line)
            }
        }
    }

    /// Makes the call with which a flow begins.
    func firstStep(of journey: inout Journey, line: Int) async throws -> AuthStep {
        let (client, person) = (journey.client, journey.person)
        switch journey.kind {
        case .signUp: return try await client.signUp(with: person.credential, displayName: person.name)
        case .newDevice: return try await client.signIn(with: person.credential)
        case .emailCode: return try await client.signIn(with: .emailCode(person.email))
        case .emailLink: return try await client.signIn(with: .emailLink(person.email))
        case .phoneCode: return try await client.signIn(with: .phoneCode(journey.address))
        case .reset:
            journey.person.password = stranger().password
            return try await client.requestPasswordReset(email: person.email)
        case .emailChange:
            try await enter(client, person, line: line)
            journey.newAddress = stranger().email
            // Some backends also require a verification of the old address.
            journey.addresses = [journey.newAddress, person.email]
            // Backends compare whole seconds.
            if environment.backendClock != nil { try await advance(by: .seconds(2)) }
            return try await client.changeEmail(to: journey.newAddress)
        case .renewal:
            try await enter(client, person, line: line)
            return try await client.reauthenticate(with: .emailCode(person.email))
        case .idToken:
            let subject = try require(journey.subject, "no subject", line: line)
            return try await client.signIn(with: try await idToken(try issuer(), for: subject))
        case .ticket:
            var ticket = journey.ticket
            if ticket == nil { ticket = try await administrator().ticket(for: journey.userID ?? "") }
            journey.ticket = nil
            return try await client.signIn(with: .ticket(ticket ?? ""))
        case .oauth: return try await client.signIn(with: .oauth(try identityPage().provider))
        case .passkey: return try await client.signIn(with: .passkey)
        case .secondFactor: return try await proveWhatIsMailed(client, client.signIn(with: person.credential), of: person)
        case .demandedPassword:
            try await administrator().demandNewPassword(of: journey.userID ?? "")
            journey.person.password = stranger().password
            let entered = await result(of: { () async throws(AuthError) in try await client.signIn(with: person.credential) })
            guard entered.failure?.code == .credentialChanged else { return try entered.get() }
            return try await client.requestPasswordReset(email: person.email)
        case .enrolment:
            try await enter(client, person, line: line)
            let enrolment = try await client.addFactor(NewFactor(.authenticatorApp))
            journey.key = enrolment.key
            return .verify(enrolment.challenge)
        case .missingFields:
            try await administrator().demand(.lastName)
            return try await client.signUp(with: person.credential, displayName: nil)
        }
    }

    private func addPasskey(of person: Person, userID: String, line: Int) async throws {
        let sheet = try need(environment.passkeys, "the harness cannot create passkeys")
        let client = client()
        try await enter(client, person, line: line)
        let step = try await client.link(.passkey)
        let challenge = try require(step.challenge, "adding a passkey returned \(step.kind)", line: line)
        let options = try require(challenge.passkeyOptions, "the challenge has no options for the passkey sheet", line: line)
        let signed = try await sheet.create(options, of: userID)
        _ = try await client.respond(to: challenge.flow, with: .passkey(signed))
    }
}

extension Flow {
    /// A placeholder for a flow that has not begun.
    fileprivate static let none = Flow(id: "", kind: .signIn, capability: .password, startedAt: Instant(milliseconds: 0))
}
