public import Lockstep
public import LockstepPrimitives

/// A person with an email address and a password.
public struct Person: Sendable, Hashable {
    /// The email address.
    public var email: String
    /// The password.
    public var password: Secret
    /// The name.
    public var name: String

    /// The email address and the password as a credential.
    public var credential: PasswordCredential { .password(email: email, password: password) }

    /// A person whom no backend knows.
    static let nobody = Person(email: "nobody@example.com", password: "Long-enough-9", name: "Ada")
}

extension World {
    /// Returns a new person with a strong password.
    ///
    /// The backend does not know this person.
    ///
    /// The email address contains a tag that marks the accounts of these checks. The password and the name contain symbols, an
    /// emoji and a combining mark.
    public func stranger() -> Person {
        let tag = environment.randomness.text(10, of: "abcdefghijkmnpqrstuvwxyz23456789")
        // Characters that forms, JSON and URLs encode, and letters that have one or two code points.
        let person = Person(
            email: "lockstep+\(tag)@example.com", password: Secret("Cr\(tag) +&%;=\"9!\u{e9}🔑e\u{301}"),
            name: "Ada + \(tag) & 100%; \"👩‍🔬\u{e9}\"")
        watch.keep(person.password, "a password")
        // The part of the password that is the same in every encoding.
        watch.keep(Secret("Cr\(tag)"), "a password")
        return person
    }

    /// Returns a person who has an account with a verified email address.
    ///
    /// The person is not signed in.
    ///
    /// If the backend has no passwords, the account has no password.
    ///
    /// - Throws: ``EnvironmentError`` if no account can be created, or another error that ends the check.
    public func member() async throws -> Person {
        let person = stranger()
        if let administrator = environment.administrator {
            do {
                _ = try await administrator.create(
                    email: person.email, password: person.password.reveal(), isEmailVerified: true, displayName: person.name)
                return person
            } catch is EnvironmentError {}
        }
        let client = AuthClient(
            adapter: environment.adapter, store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: environment.randomness, events: events.sink(and: environment.events))
        )
        if isWithoutPasswords {
            guard behavior.unknownAddressAtLink == .createsAccount else {
                throw EnvironmentError("the harness cannot create a user")
            }
            try await enter(client, person)
        } else {
            _ = try await prove(client, client.signUp(with: person.credential, displayName: person.name), of: person)
        }
        try await client.signOut()
        return person
    }

    /// Signs a person in, and completes the steps that the backend requires.
    ///
    /// The person uses the password, or a code from an email if the backend has no passwords.
    ///
    /// - Parameters:
    ///   - line: The line of the check in the source.
    /// - Throws: The error that the client throws, or another error that ends the check.
    @discardableResult
    public func enter(_ client: any PortableClient, _ person: Person, line: Int = #line) async throws -> Session {
        guard isWithoutPasswords else {
            return try await prove(client, client.signIn(with: person.credential), of: person, line: line)
        }
        do {
            return try await prove(client, client.signIn(with: .emailCode(person.email)), of: person, line: line)
        } catch let error as AuthError where error.code == .tooManyRequests && environment.backendClock != nil {
            // A backend may send only one email a minute to an address.
            guard case .after(let wait) = error.retry else { throw error }
            try await advance(by: wait + .seconds(1))
            return try await prove(client, client.signIn(with: .emailCode(person.email)), of: person, line: line)
        }
    }

    /// Whether users sign in only by emailed codes, without passwords.
    private var isWithoutPasswords: Bool { !can(.password) && can(.emailCodeSignIn) }

    /// Returns a client with a signed-in user.
    ///
    /// The user signs in with any sign-in method of the adapter.
    ///
    /// - Parameters:
    ///   - device: The device; `nil` for a new device.
    ///   - line: The line of the check in the source.
    /// - Throws: The error that the client throws, or another error that ends the check.
    public func signedIn(on device: Device? = nil, line: Int = #line) async throws -> (any PortableClient, Session) {
        let client = (device ?? self.device()).launch()
        return (client, try await signIn(client, line: line))
    }

    /// Signs in a new user with any sign-in method of the adapter.
    ///
    /// - Parameters:
    ///   - line: The line of the check in the source.
    /// - Throws: The error that the client throws, or another error that ends the check.
    @discardableResult
    public func signIn(_ client: any PortableClient, line: Int = #line) async throws -> Session {
        if can(.password) { return try await enter(client, member(), line: line) }
        if can(.idToken), let issuer = environment.issuer {
            let step = try await client.signIn(
                with: try await idToken(issuer, for: IdentitySubject(id: environment.randomness.text(8))))
            return try require(step.session, "the sign-in with an ID token did not complete", line: line)
        }
        if can(.emailCodeSignIn), environment.outbox != nil {
            let person = stranger()
            if behavior.unknownAddressAtLink != .createsAccount {
                _ = try await administrator().create(
                    email: person.email, password: person.password.reveal(), isEmailVerified: true, displayName: person.name)
            }
            return try await prove(client, client.signIn(with: .emailCode(person.email)), of: person, line: line)
        }
        if can(.anonymous) {
            let step = try await client.signIn(with: .anonymous)
            return try require(step.session, "the anonymous sign-in did not complete", line: line)
        }
        throw EnvironmentError("the suite cannot use any sign-in method of the adapter")
    }

    /// Completes the steps of a flow until there is a session.
    ///
    /// - Parameters:
    ///   - step: The first step.
    ///   - person: The person who completes the steps.
    ///   - line: The line of the check in the source.
    /// - Throws: The error that the client throws, or another error that ends the check.
    @discardableResult
    public func prove(
        _ client: any PortableClient, _ step: AuthStep, of person: Person, line: Int = #line
    ) async throws -> Session {
        var step = step
        for _ in 0..<3 {
            if step.session != nil { break }
            guard let challenge = step.challenge else { break }
            step = try await give(client, challenge, to: person.email, line: line)
        }
        let session = try require(step.session, "the flow ended with \(step.kind), expected a session", line: line)
        // The session that this one replaces ends after the response.
        await client.settle()
        return session
    }

    /// Returns a credential with an ID token, and with the nonce of that token.
    ///
    /// - Parameters:
    ///   - issuer: The identity provider that issues the token.
    ///   - subject: The person that the token describes.
    ///   - name: The name that the app sends with the token; `nil` for none.
    ///   - flaw: The fault in the token; `nil` for a valid token.
    /// - Throws: An error that ends the check.
    public func idToken(
        _ issuer: any IdentityIssuer, for subject: IdentitySubject, name: String? = nil, flaw: IDTokenFlaw? = nil
    ) async throws -> IDTokenCredential {
        let nonce = IDTokenNonce(randomness: environment.randomness)
        var subject = subject
        subject.nonce = nonce.hashed
        let token = try await issuer.idToken(for: subject, flaw: flaw)
        return IDTokenCredential(provider: issuer.provider, token: token, nonce: nonce.raw, name: name)
    }
}

extension AuthStep {
    /// The name of the step's enum case, for reports.
    ///
    /// It contains no secrets.
    public var kind: String {
        switch self {
        case .complete: "complete"
        case .verify: "verify"
        case .secondFactor: "secondFactor"
        case .newPassword: "newPassword"
        case .redirect: "redirect"
        case .moreInformation: "moreInformation"
        case .identityConflict: "identityConflict"
        case .other: "other"
        }
    }
}

extension AuthState {
    /// The name of the state's enum case, for reports.
    ///
    /// It contains no secrets.
    public var kind: String {
        switch self {
        case .restoring: "restoring"
        case .signedOut(let reason): "signedOut(\(reason.rawValue))"
        case .anonymous: "anonymous"
        case .unverified: "unverified"
        case .signedIn: "signedIn"
        case .unavailable: "unavailable"
        }
    }
}
