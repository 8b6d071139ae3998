public import LockstepPrimitives

/// A user as the control routes show it, in the same form for every provider.
public struct ControlledUser: Sendable, Hashable, Identifiable {
    /// A sign-in method.
    public struct Identity: Sendable, Hashable {
        /// The provider's name: `email`, `google.com`, `oauth_google`.
        public var provider: String
        /// The provider's own id of the person.
        public var subject: String

        /// Creates an identity.
        public init(provider: String, subject: String) {
            self.provider = provider
            self.subject = subject
        }
    }

    /// A second factor.
    public struct Factor: Sendable, Hashable {
        /// The backend's id.
        public var id: String
        /// The kind.
        public var kind: Kind
        /// The number of a phone; `nil` for an authenticator app.
        public var phone: String?
        /// The name that the user gave it, if any.
        public var name: String?

        /// The kind of a second factor.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// An authenticator app.
            case totp
            /// A phone.
            case phone
        }

        /// Creates a factor.
        public init(id: String, kind: Kind, phone: String? = nil, name: String? = nil) {
            self.id = id
            self.kind = kind
            self.phone = phone
            self.name = name
        }
    }

    /// The backend's id of the user.
    public var id: String
    /// The email address, if any.
    public var email: String?
    /// Whether the address is verified.
    public var isEmailConfirmed = false
    /// The phone number in E.164 form, if any.
    public var phone: String?
    /// Whether the number is verified.
    public var isPhoneConfirmed = false
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Whether the user is a guest.
    public var isAnonymous = false
    /// Whether sign-in is rejected.
    public var isDisabled = false
    /// Whether the user has a password.
    public var hasPassword = false
    /// The metadata that the user may change.
    public var userMetadata: JSONObject = [:]
    /// The metadata that only a server may change.
    public var appMetadata: JSONObject = [:]
    /// The metadata that only a server may see.
    public var privateMetadata: JSONObject = [:]
    /// The sign-in methods, oldest first.
    public var identities: [Identity] = []
    /// The verified second factors.
    public var factors: [Factor] = []
    /// The creation time of the account.
    public var createdAt: Instant?
    /// The last sign-in.
    public var lastSignInAt: Instant?

    /// Creates a user of whom only the id is known.
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
    /// The backend's id.
    public var id: String
    /// When the user signed in.
    public var createdAt: Instant
    /// The last renewal or use that the backend has recorded.
    public var lastUsedAt: Instant?
    /// The `User-Agent` of the program that signed in.
    public var userAgent: String?
    /// The IP address of the sign-in.
    public var address: String?
    /// Whether the user has passed a second factor.
    public var hasSecondFactor: Bool

    /// Creates a session.
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

/// A session that a control route has opened, with the values that a test needs.
public struct OpenedSession: Sendable {
    /// The access token.
    public var accessToken: Secret
    /// The refresh token; `nil` if the backend renews sessions in another way.
    public var refreshToken: Secret?
    /// The expiry of the access token.
    public var expiresAt: Instant
    /// The values for the provider's own SDK, by name: a storage entry, a custom token, a ticket.
    public var handover: JSONObject

    /// Creates a session.
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
    /// Returns the text as JSON; `null` for `nil`.
    public static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
