public import LockstepPrimitives
public import LockstepUserFields

/// A user in the provider-independent format of the control routes.
///
/// The values of ``UserFields`` are members of a user, as in `user.email`.
@dynamicMemberLookup
public struct ControlledUser: Sendable, Hashable, Identifiable {
    /// A way to sign in: an email address, or an account at an identity provider.
    public struct Identity: Sendable, Hashable {
        /// The provider's name for the way to sign in: `email`, `google.com`, `oauth_google`.
        public var provider: String
        /// The id that the identity provider gave to the person.
        public var subject: String

        /// Creates a way to sign in.
        ///
        /// - Parameters:
        ///   - provider: The provider's name for the way to sign in.
        ///   - subject: The id that the identity provider gave to the person.
        public init(provider: String, subject: String) {
            self.provider = provider
            self.subject = subject
        }
    }

    /// A second factor of a user.
    public struct Factor: Sendable, Hashable {
        /// The id of the factor.
        public var id: String
        /// The kind of the factor.
        public var kind: Kind
        /// The phone number; `nil` for an authenticator app.
        public var phone: String?
        /// The name that the user gave to the factor; `nil` if the factor has no name.
        public var name: String?

        /// The kind of a second factor.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// An authenticator app.
            case totp
            /// A phone that receives codes.
            case phone
        }

        /// Creates a second factor.
        ///
        /// - Parameters:
        ///   - phone: The phone number; `nil` for an authenticator app.
        ///   - name: The name that the user gave to the factor.
        public init(id: String, kind: Kind, phone: String? = nil, name: String? = nil) {
            self.id = id
            self.kind = kind
            self.phone = phone
            self.name = name
        }
    }

    /// The id of the user.
    public var id: String
    /// The values that users of every form have.
    public var values = UserFields()
    /// Whether the user has a password.
    public var hasPassword = false
    /// The ways to sign in, oldest first.
    public var identities: [Identity] = []
    /// The second factors that the user has verified.
    public var factors: [Factor] = []

    /// Creates a user with an id and no other values.
    public init(id: String) { self.id = id }

    /// Reads or sets one of the ``values``.
    public subscript<Value>(dynamicMember path: WritableKeyPath<UserFields, Value>) -> Value {
        get { values[keyPath: path] }
        _modify { yield &values[keyPath: path] }
    }

    /// The members of the user; those without a value are there, too.
    var json: JSON {
        var members: JSONObject = ["id": .string(id), "hasPassword": .bool(hasPassword)]
        for field in UserFields.fields where field.use.contains(.writable) || Self.shown.contains(field.name) {
            members[field.name] = field.json(values) ?? field.kind.absent
        }
        members["identities"] = .array(
            identities.map { ["provider": .string($0.provider), "subject": .string($0.subject)] })
        members["factors"] = .array(factors.map(\.json))
        return .object(members)
    }

    /// The values that a control route shows and does not change.
    private static let shown = ["anonymous", "createdAt", "lastSignInAt"]
}

extension UserFieldKind {
    /// The member of a value that is absent.
    fileprivate var absent: JSON {
        switch self {
        case .flag: false
        case .object: [:]
        case .texts, .list: []
        case .text, .time, .whole: .null
        }
    }
}

extension ControlledUser.Factor {
    var json: JSON { ["id": .string(id), "kind": .string(kind.rawValue), "name": .text(name), "phone": .text(phone)] }
}

/// A session as the control routes show it.
public struct ControlledSession: Sendable, Hashable, Identifiable {
    /// The id of the session.
    public var id: String
    /// The time when the user signed in.
    public var createdAt: Instant
    /// The time when the session was last renewed or used, if the backend records it.
    public var lastUsedAt: Instant?
    /// The `User-Agent` of the program with which the user signed in.
    public var userAgent: String?
    /// The IP address from which the user signed in.
    public var address: String?
    /// Whether the user has passed a second factor in this session.
    public var hasSecondFactor: Bool

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - createdAt: The time when the user signed in.
    ///   - lastUsedAt: The time when the session was last renewed or used.
    ///   - userAgent: The `User-Agent` of the program with which the user signed in.
    ///   - address: The IP address from which the user signed in.
    ///   - hasSecondFactor: Whether the user has passed a second factor in this session.
    public init(
        id: String, createdAt: Instant, lastUsedAt: Instant? = nil, userAgent: String? = nil, address: String? = nil,
        hasSecondFactor: Bool = false
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.userAgent = userAgent
        self.address = address
        self.hasSecondFactor = hasSecondFactor
    }

    var json: JSON {
        [
            "id": .string(id), "createdAt": .string(createdAt.rfc3339), "lastUsedAt": .text(lastUsedAt?.rfc3339),
            "userAgent": .text(userAgent), "address": .text(address), "secondFactor": .bool(hasSecondFactor),
        ]
    }
}

/// A session that a control route has opened, with its tokens.
public struct OpenedSession: Sendable {
    /// The access token of the session.
    public var accessToken: Secret
    /// The refresh token; `nil` if the backend renews sessions in another way.
    public var refreshToken: Secret?
    /// The time when the access token expires.
    public var expiresAt: Instant
    /// The values, by name, that the provider's own SDK needs to use the session.
    ///
    /// Examples are an entry in the SDK's storage, a custom token, or a ticket.
    public var handover: JSONObject

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - refreshToken: The refresh token; `nil` if the backend renews sessions in another way.
    ///   - expiresAt: The time when the access token expires.
    ///   - handover: The values, by name, that the provider's own SDK needs to use the session.
    public init(accessToken: Secret, refreshToken: Secret?, expiresAt: Instant, handover: JSONObject) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.handover = handover
    }

    var json: JSON {
        [
            "accessToken": .string(accessToken.reveal()), "refreshToken": .text(refreshToken?.reveal()),
            "expiresAt": .string(expiresAt.rfc3339), "handover": .object(handover),
        ]
    }
}

extension JSON {
    /// Converts a text to a JSON string; `null` for `nil`.
    public static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
