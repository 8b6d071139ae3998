public import LockstepPrimitives

/// A user in the provider-independent format of the control routes.
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
    /// The email address; `nil` if the user has no email address.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed = false
    /// The phone number in E.164 form; `nil` if the user has no phone number.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed = false
    /// The display name.
    public var displayName: String?
    /// The URL of the user's photo.
    public var photoURL: String?
    /// Whether the user is anonymous.
    public var isAnonymous = false
    /// Whether the user is disabled, so that sign-in is rejected.
    public var isDisabled = false
    /// Whether the user has a password.
    public var hasPassword = false
    /// The metadata that the user can change.
    public var userMetadata: JSONObject = [:]
    /// The metadata that only a server can change.
    public var appMetadata: JSONObject = [:]
    /// The metadata that only a server can read.
    public var privateMetadata: JSONObject = [:]
    /// The ways to sign in, oldest first.
    public var identities: [Identity] = []
    /// The second factors that the user has verified.
    public var factors: [Factor] = []
    /// The time when the user was created.
    public var createdAt: Instant?
    /// The time when the user last signed in.
    public var lastSignInAt: Instant?

    /// Creates a user with an id and no other values.
    public init(id: String) { self.id = id }

    var json: JSON {
        [
            "id": .string(id), "email": .text(email), "emailConfirmed": .bool(isEmailConfirmed), "phone": .text(phone),
            "phoneConfirmed": .bool(isPhoneConfirmed), "displayName": .text(displayName), "photoURL": .text(photoURL),
            "anonymous": .bool(isAnonymous), "disabled": .bool(isDisabled), "hasPassword": .bool(hasPassword),
            "userMetadata": .object(userMetadata), "appMetadata": .object(appMetadata),
            "privateMetadata": .object(privateMetadata),
            "identities": .array(identities.map { ["provider": .string($0.provider), "subject": .string($0.subject)] }),
            "factors": .array(factors.map(\.json)), "createdAt": .text(createdAt?.rfc3339),
            "lastSignInAt": .text(lastSignInAt?.rfc3339),
        ]
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
