public import LockstepPrimitives

/// A user as the control routes show them, in the same form for every provider.
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
        /// What it is.
        public var kind: Kind
        /// The number of a phone; `nil` for an app.
        public var phone: String?
        /// The name that the user gave it, if there is one.
        public var name: String?

        /// What a second factor is.
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
    /// The address, if any.
    public var email: String?
    /// Whether the address is verified.
    public var isEmailConfirmed = false
    /// The number in E.164 form, if any.
    public var phone: String?
    /// Whether the number is verified.
    public var isPhoneConfirmed = false
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Whether it is a guest.
    public var isAnonymous = false
    /// Whether sign-in is rejected.
    public var isDisabled = false
    /// Whether there is a password.
    public var hasPassword = false
    /// What the user may change of their own data.
    public var userMetadata: JSONObject = [:]
    /// What only a server may change.
    public var appMetadata: JSONObject = [:]
    /// What only a server may see.
    public var privateMetadata: JSONObject = [:]
    /// The sign-in methods, oldest first.
    public var identities: [Identity] = []
    /// The second factors that count.
    public var factors: [Factor] = []
    /// When the account was made.
    public var createdAt: Instant?
    /// The last sign-in.
    public var lastSignInAt: Instant?

    /// A user of whom nothing but the id is known.
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
    /// The last renewal or use that the backend keeps.
    public var lastUsedAt: Instant?
    /// The program that signed in, by its `User-Agent`.
    public var userAgent: String?
    /// The address that it signed in from.
    public var address: String?
    /// Whether a second factor was given.
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

/// A session that the control routes have opened, with what a test needs to continue with it.
public struct OpenedSession: Sendable {
    /// The access token.
    public var accessToken: Secret
    /// The refresh token; `nil` if the backend has another way to renew a session.
    public var refreshToken: Secret?
    /// When the access token ends.
    public var expiresAt: Instant
    /// What the provider's own SDK is given, by name: a storage entry, a custom token, a ticket.
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
    /// A text; `null` for `nil`.
    public static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
