/// The result of a sign-up, a sign-in or a response: the session, or the next step for the user.
///
/// ```swift
/// switch try await client.signIn(with: .emailCode("ada@example.com")) {
/// case .complete(let session): print("signed in as \(session.user.id)")
/// case .verify(let challenge): print("sent to \(challenge.destination ?? "the address")")
/// case .secondFactor(let step): print(step.choices.map(\.kind))
/// case .redirect(let step): print("open \(step.url)")
/// case .newPassword, .moreInformation, .identityConflict, .other: print("show the screen for this step")
/// }
/// ```
public enum AuthStep: Sendable, Hashable {
    /// The user is signed in.
    case complete(Session)
    /// The user must verify the email address or phone number with a link or a code.
    ///
    /// Some providers create a session with limited rights before the verification. In that case the client's state
    /// contains it.
    case verify(Challenge)
    /// The user must complete a second factor.
    ///
    /// The user enters a code (``SecondFactorStep/challenge``), or first chooses one of several factors.
    case secondFactor(SecondFactorStep)
    /// The user must set a new password.
    case newPassword(NewPasswordStep)
    /// The user must continue on a web page in a browser.
    ///
    /// The page finally opens the app's callback URL.
    case redirect(RedirectStep)
    /// The user must enter further fields.
    case moreInformation(MissingFieldsStep)
    /// The client could not add the identity, because it belongs to another account.
    case identityConflict(IdentityConflictStep)
    /// The provider requires a step that this version does not support.
    case other(OtherStep)

    /// The unfinished flow; `nil` when the sign-in is complete.
    public var flow: Flow? {
        switch self {
        case .complete: nil
        case .verify(let challenge): challenge.flow
        case .secondFactor(let step): step.flow
        case .newPassword(let step): step.flow
        case .redirect(let step): step.flow
        case .moreInformation(let step): step.flow
        case .identityConflict(let step): step.flow
        case .other(let step): step.flow
        }
    }

    /// The challenge that the user can respond to now; `nil` if the step has no challenge.
    public var challenge: Challenge? {
        switch self {
        case .verify(let challenge): challenge
        case .secondFactor(let step): step.challenge
        default: nil
        }
    }

    /// The session; `nil` until the sign-in is complete.
    public var session: Session? {
        if case .complete(let session) = self { session } else { nil }
    }

    /// The kinds of responses that the step accepts.
    public var accepts: Set<ChallengeResponse.Kind> {
        switch self {
        case .complete, .other: []
        case .verify(let challenge): challenge.accepts
        case .secondFactor(let step): (step.challenge?.accepts ?? []).union(step.choices.isEmpty ? [] : [.factor])
        case .newPassword: [.newPassword]
        case .redirect: [.link]
        case .moreInformation: [.fields]
        case .identityConflict: []
        }
    }
}

/// A sign-in that requires a second factor.
///
/// ```swift
/// if case .secondFactor(let step) = client.pending {
///     let response: ChallengeResponse = step.challenge == nil ? .factor(step.choices[0]) : .code("123456")
///     _ = try await client.respond(to: step.flow, with: response)
/// }
/// ```
public struct SecondFactorStep: Sendable, Hashable, Codable {
    /// The flow to continue.
    public var flow: Flow
    /// The current challenge; `nil` if the user must choose a factor first.
    public var challenge: Challenge?
    /// The user's second factors.
    public var choices: [FactorChoice]

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow to continue.
    ///   - challenge: The current challenge.
    ///   - choices: The user's second factors.
    public init(flow: Flow, challenge: Challenge?, choices: [FactorChoice]) {
        self.flow = flow
        self.challenge = challenge
        self.choices = choices
    }
}

/// A second factor of a user.
///
/// ```swift
/// if case .secondFactor(let step) = client.pending, let phone = step.choices.first(where: { $0.kind == .phone }) {
///     _ = try await client.respond(to: step.flow, with: .factor(phone))
/// }
/// ```
public struct FactorChoice: Sendable, Hashable, Codable {
    /// The kind of a second factor.
    public enum Kind: String, Sendable, Codable, CaseIterable { case authenticatorApp, phone, email, backupCode, passkey }

    /// The provider's id for the factor.
    public var id: String
    /// The kind of the factor.
    public var kind: Kind
    /// The label to show: the name of the factor, or the masked phone number.
    public var label: String?

    /// Creates a choice.
    ///
    /// - Parameters:
    ///   - id: The provider's id for the factor.
    ///   - kind: The kind of the factor.
    ///   - label: The label to show: the name of the factor, or the masked phone number.
    public init(id: String, kind: Kind, label: String? = nil) {
        self.id = id
        self.kind = kind
        self.label = label
    }
}

/// A step in which the user must set a new password.
///
/// ```swift
/// if case .newPassword(let step) = client.pending {
///     _ = try await client.respond(to: step.flow, with: .newPassword("a better password"))
/// }
/// ```
public struct NewPasswordStep: Sendable, Hashable, Codable {
    /// The reason why the user must set a new password.
    public enum Reason: String, Sendable, Codable { case reset, required }

    /// The flow to continue.
    public var flow: Flow
    /// The reason why the user must set a new password.
    public var reason: Reason

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow to continue.
    ///   - reason: The reason why the user must set a new password.
    public init(flow: Flow, reason: Reason) {
        self.flow = flow
        self.reason = reason
    }
}

/// A step in which the user continues in a browser.
///
/// ```swift
/// if case .redirect(let step) = try await client.signIn(with: .oauth(.google)) {
///     print("open \(step.url)")                // the page opens the app again: `client.handle(url)`
/// }
/// ```
public struct RedirectStep: Sendable, Hashable, Codable {
    /// The flow that continues when the browser returns to the app.
    public var flow: Flow
    /// The URL to open.
    ///
    /// The URL uses https. Plain http is allowed only for a page on this machine, such as an emulator's page.
    public var url: String

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow that continues when the browser returns to the app.
    ///   - url: The URL to open.
    public init(flow: Flow, url: String) {
        self.flow = flow
        self.url = url
    }
}

/// A step in which the user must enter further fields.
///
/// ```swift
/// if case .moreInformation(let step) = client.pending, step.fields.contains(.firstName) {
///     _ = try await client.respond(to: step.flow, with: .fields([.firstName: "Ada"]))
/// }
/// ```
public struct MissingFieldsStep: Sendable, Hashable, Codable {
    /// The provider's name for a field.
    public struct Field: RawRepresentable, Hashable, Sendable, Codable {
        /// The provider's name for the field.
        public let rawValue: String

        /// Creates a field.
        ///
        /// - Parameter rawValue: The provider's name for the field.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user's first name.
        public static let firstName = Field(rawValue: "first_name")
        /// The user's last name.
        public static let lastName = Field(rawValue: "last_name")
        /// A user name.
        public static let username = Field(rawValue: "username")
        /// An email address.
        public static let emailAddress = Field(rawValue: "email_address")
        /// A phone number.
        public static let phone = Field(rawValue: "phone_number")
    }

    /// The flow to continue.
    public var flow: Flow
    /// The missing fields.
    public var fields: [Field]

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow to continue.
    ///   - fields: The missing fields.
    public init(flow: Flow, fields: [Field]) {
        self.flow = flow
        self.fields = fields
    }
}

/// The result if an identity cannot be added, because it belongs to another account.
///
/// Nothing has changed, and the current session still works. To use the other account, the user must sign in to it.
///
/// Some providers return a verification together with the conflict. In that case the client keeps the verification, and
/// a sign-in with the same phone number returns the session without another message. The client discards the
/// verification after 15 minutes, when the current session ends, or after ``AuthClient/cancel(_:)`` for the flow of
/// this step.
///
/// ```swift
/// if case .identityConflict(let step) = try await client.signIn(with: .oauth(.google)) {
///     print("this account belongs to another user: \(step.signInMethods)")
/// }
/// ```
public struct IdentityConflictStep: Sendable, Hashable, Codable {
    /// The flow in which the conflict occurred.
    public var flow: Flow
    /// The id of the signed-in user.
    public var currentUserID: String
    /// The id of the user who has the identity; `nil` if the provider does not return it.
    public var otherUserID: String?
    /// The methods for a sign-in to the other account.
    public var signInMethods: [Capability]

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow in which the conflict occurred.
    ///   - currentUserID: The id of the signed-in user.
    ///   - otherUserID: The id of the user who has the identity.
    ///   - signInMethods: The methods for a sign-in to the other account.
    public init(flow: Flow, currentUserID: String, otherUserID: String? = nil, signInMethods: [Capability]) {
        self.flow = flow
        self.currentUserID = currentUserID
        self.otherUserID = otherUserID
        self.signInMethods = signInMethods
    }

    /// The stored name is the one of earlier versions.
    private enum CodingKeys: String, CodingKey {
        case flow, currentUserID, otherUserID
        case signInMethods = "waysToSignIn"
    }
}

/// A step that this version does not know, because the provider added it later.
public struct OtherStep: Sendable, Hashable, Codable {
    /// The flow that requires the step.
    public var flow: Flow
    /// The provider's own name for the step.
    public var status: String

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow that requires the step.
    ///   - status: The provider's own name for the step.
    public init(flow: Flow, status: String) {
        self.flow = flow
        self.status = status
    }
}
