/// The result of every sign-up, sign-in and answer: the session, or the next step, as data.
public enum SignInStep: Sendable, Hashable {
    /// Done.
    case complete(Session)
    /// An address has to be proven, by a link or a code. Where the provider gives a limited session until then, the client's
    /// state has it.
    case verify(Challenge)
    /// A second factor has to be given: by a code right away (``SecondFactorStep/challenge``), or after a choice.
    case secondFactor(SecondFactorStep)
    /// A new password has to be set.
    case newPassword(NewPasswordStep)
    /// The user has to go through a page in a browser, which comes back to the app's callback address.
    case redirect(RedirectStep)
    /// Fields are missing.
    case moreInformation(MissingFieldsStep)
    /// The identity belongs to another account.
    case identityConflict(IdentityConflictStep)
    /// The provider asks for something that this version does not know.
    case other(OtherStep)

    /// The unfinished flow; `nil` when done.
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

    /// The challenge to answer now, where there is one.
    public var challenge: Challenge? {
        switch self {
        case .verify(let challenge): challenge
        case .secondFactor(let step): step.challenge
        default: nil
        }
    }

    /// The session, when done.
    public var session: Session? {
        if case .complete(let session) = self { session } else { nil }
    }

    /// The kinds of answers that it takes.
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

/// A sign-in that waits for a second factor.
public struct SecondFactorStep: Sendable, Hashable, Codable {
    /// The flow to continue.
    public var flow: Flow
    /// What to answer now; `nil` until a factor was chosen, where there is a choice.
    public var challenge: Challenge?
    /// The factors that the user has.
    public var choices: [FactorChoice]

    /// A step.
    public init(flow: Flow, challenge: Challenge?, choices: [FactorChoice]) {
        self.flow = flow
        self.challenge = challenge
        self.choices = choices
    }
}

/// One of the second factors that a user has.
public struct FactorChoice: Sendable, Hashable, Codable {
    /// The kinds of second factor.
    public enum Kind: String, Sendable, Codable, CaseIterable { case authenticatorApp, phone, email, backupCode, passkey }

    /// The provider's id of it.
    public var id: String
    /// Which kind it is.
    public var kind: Kind
    /// The name or masked number to show.
    public var label: String?

    /// A choice.
    public init(id: String, kind: Kind, label: String? = nil) {
        self.id = id
        self.kind = kind
        self.label = label
    }
}

/// A flow that waits for a new password.
public struct NewPasswordStep: Sendable, Hashable, Codable {
    /// Why it is asked for.
    public enum Reason: String, Sendable, Codable { case reset, required }

    /// The flow to continue.
    public var flow: Flow
    /// Why it is asked for.
    public var reason: Reason

    /// A step.
    public init(flow: Flow, reason: Reason) {
        self.flow = flow
        self.reason = reason
    }
}

/// A flow that goes on in a browser.
public struct RedirectStep: Sendable, Hashable, Codable {
    /// The flow to continue, by the link that comes back.
    public var flow: Flow
    /// The page to open: https only, or http on this machine, as an emulator's pages are.
    public var url: String

    /// A step.
    public init(flow: Flow, url: String) {
        self.flow = flow
        self.url = url
    }
}

/// A flow that waits for further fields of the user.
public struct MissingFieldsStep: Sendable, Hashable, Codable {
    /// A field, by the provider's name of it.
    public struct Field: RawRepresentable, Hashable, Sendable, Codable {
        /// The provider's name of it.
        public let rawValue: String

        /// A field by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user's first name.
        public static let firstName = Field(rawValue: "first_name")
        /// The user's last name.
        public static let lastName = Field(rawValue: "last_name")
        /// A user name.
        public static let username = Field(rawValue: "username")
        /// An e-mail address.
        public static let emailAddress = Field(rawValue: "email_address")
        /// A phone number.
        public static let phone = Field(rawValue: "phone_number")
    }

    /// The flow to continue.
    public var flow: Flow
    /// What is missing.
    public var fields: [Field]

    /// A step.
    public init(flow: Flow, fields: [Field]) {
        self.flow = flow
        self.fields = fields
    }
}

/// A link that failed because the identity is another account's.
///
/// Nothing has changed: the guest's or user's session still works. To switch to the other account, sign in there.
///
/// If the provider returned a proof with the conflict, the client keeps it as it keeps a flow. A sign-in with the same number then sends no
/// message and returns the session. The proof ends with the current user's session, by ``AuthClient/cancel(_:)`` with the step's flow, and
/// after 15 minutes at the latest.
public struct IdentityConflictStep: Sendable, Hashable, Codable {
    /// The flow.
    public var flow: Flow
    /// The user who is signed in.
    public var currentUserID: String
    /// The user who has the identity, where the provider names them.
    public var otherUserID: String?
    /// How to sign in there.
    public var waysToSignIn: [Capability]

    /// A step.
    public init(flow: Flow, currentUserID: String, otherUserID: String? = nil, waysToSignIn: [Capability]) {
        self.flow = flow
        self.currentUserID = currentUserID
        self.otherUserID = otherUserID
        self.waysToSignIn = waysToSignIn
    }
}

/// A step that the provider added after this version was made.
public struct OtherStep: Sendable, Hashable, Codable {
    /// The flow.
    public var flow: Flow
    /// The provider's own name of the step.
    public var status: String

    /// A step.
    public init(flow: Flow, status: String) {
        self.flow = flow
        self.status = status
    }
}
