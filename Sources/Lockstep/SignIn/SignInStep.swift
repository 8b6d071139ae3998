/// The result of every sign-up, sign-in and response: the session, or the next step.
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
public enum SignInStep: Sendable, Hashable {
    /// The user is signed in.
    case complete(Session)
    /// The email address or phone number must be verified with a link or a code.
    ///
    /// If the provider creates a limited session before, the client's state has it.
    case verify(Challenge)
    /// A second factor is required.
    ///
    /// The user enters a code (``SecondFactorStep/challenge``), or first chooses a factor.
    case secondFactor(SecondFactorStep)
    /// A new password is required.
    case newPassword(NewPasswordStep)
    /// The user continues on a web page in a browser, which returns to the app's callback URL.
    case redirect(RedirectStep)
    /// Further fields are required.
    case moreInformation(MissingFieldsStep)
    /// The identity belongs to another account.
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

    /// The challenge that the user can respond to now; `nil` if there is none.
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

    /// The accepted kinds of responses.
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

/// One of a user's second factors.
public struct FactorChoice: Sendable, Hashable, Codable {
    /// The kinds of second factor.
    public enum Kind: String, Sendable, Codable, CaseIterable { case authenticatorApp, phone, email, backupCode, passkey }

    /// The provider's id of the factor.
    public var id: String
    /// The kind of factor.
    public var kind: Kind
    /// The name, or the masked number, to show.
    public var label: String?

    /// Creates a choice.
    ///
    /// - Parameters:
    ///   - id: The provider's id of the factor.
    ///   - kind: The kind of factor.
    ///   - label: The name, or the masked number, to show.
    public init(id: String, kind: Kind, label: String? = nil) {
        self.id = id
        self.kind = kind
        self.label = label
    }
}

/// A flow that requires a new password.
public struct NewPasswordStep: Sendable, Hashable, Codable {
    /// The reason why a new password is required.
    public enum Reason: String, Sendable, Codable { case reset, required }

    /// The flow to continue.
    public var flow: Flow
    /// The reason why a new password is required.
    public var reason: Reason

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow to continue.
    ///   - reason: The reason why a new password is required.
    public init(flow: Flow, reason: Reason) {
        self.flow = flow
        self.reason = reason
    }
}

/// A flow that continues in a browser.
public struct RedirectStep: Sendable, Hashable, Codable {
    /// The flow to continue with the URL that returns to the app.
    public var flow: Flow
    /// The URL to open: https, or http on this machine, as for an emulator's pages.
    public var url: String

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow to continue.
    ///   - url: The URL to open.
    public init(flow: Flow, url: String) {
        self.flow = flow
        self.url = url
    }
}

/// A flow that requires further fields.
public struct MissingFieldsStep: Sendable, Hashable, Codable {
    /// A field, by the provider's name.
    public struct Field: RawRepresentable, Hashable, Sendable, Codable {
        /// The provider's name of the field.
        public let rawValue: String

        /// Creates a field.
        ///
        /// - Parameter rawValue: The provider's name of the field.
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

/// An identity could not be linked because it belongs to another account.
///
/// Nothing has changed: the current session still works. To switch to the other account, sign in there.
///
/// If the provider returned a verification with the conflict, the client keeps it, as it keeps a flow. Then a sign-in
/// with the same phone number sends no message and returns the session. The verification is discarded when the current
/// session ends, with ``AuthClient/cancel(_:)`` for the step's flow, and after 15 minutes.
public struct IdentityConflictStep: Sendable, Hashable, Codable {
    /// The flow.
    public var flow: Flow
    /// The id of the signed-in user.
    public var currentUserID: String
    /// The id of the user who has the identity, if the provider returns it.
    public var otherUserID: String?
    /// The ways to sign in to the other account.
    public var waysToSignIn: [Capability]

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - currentUserID: The id of the signed-in user.
    ///   - otherUserID: The id of the user who has the identity.
    ///   - waysToSignIn: The ways to sign in to the other account.
    public init(flow: Flow, currentUserID: String, otherUserID: String? = nil, waysToSignIn: [Capability]) {
        self.flow = flow
        self.currentUserID = currentUserID
        self.otherUserID = otherUserID
        self.waysToSignIn = waysToSignIn
    }
}

/// A step that the provider added after this version was released.
public struct OtherStep: Sendable, Hashable, Codable {
    /// The flow.
    public var flow: Flow
    /// The provider's own name of the step.
    public var status: String

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - status: The provider's own name of the step.
    public init(flow: Flow, status: String) {
        self.flow = flow
        self.status = status
    }
}
