public import Lockstep
public import LockstepPrimitives
internal import LockstepWire

/// The members of GoTrue's user object that the portable API does not contain.
///
/// ```swift
/// if let user = client.user { print(user.goTrue.lastSignInAt?.description ?? "never") }
/// ```
public struct GoTrueUser: Sendable, Hashable {
    /// The values in `app_metadata`, such as `provider` and `providers`, which only the server can change.
    public var appMetadata: JSONObject
    /// The values in `user_metadata`, which the user can change.
    ///
    /// Never use these values for authorization.
    public var userMetadata: JSONObject
    /// The identities of the user, with the data that the identity providers returned.
    public var identities: [GoTrueIdentity]
    /// The second factors of the user, including unverified factors.
    public var factors: [GoTrueFactor]
    /// The role of the user in the database.
    public var role: String?
    /// The audience of the user's tokens.
    public var audience: String?
    /// The time when the email address was verified.
    public var emailConfirmedAt: Instant?
    /// The time when the phone number was verified.
    public var phoneConfirmedAt: Instant?
    /// The new email address that the user has not verified yet, or `nil`.
    public var newEmail: String?
    /// The new phone number in E.164 form that the user has not verified yet, or `nil`.
    public var newPhone: String?
    /// The time when an administrator invited the user; `nil` if the user was not invited.
    public var invitedAt: Instant?
    /// The time of the last sign-in.
    public var lastSignInAt: Instant?
    /// The time of the last change.
    public var updatedAt: Instant?
    /// The time when the user's ban ends; `nil` if the user is not banned.
    public var bannedUntil: Instant?
}

/// An identity of a user, as GoTrue stores it.
public struct GoTrueIdentity: Sendable, Hashable, Identifiable {
    /// The id of the row, for the request that removes the identity.
    public var id: String
    /// The name of the identity provider.
    public var provider: String
    /// The id that the identity provider uses for the user.
    public var providerID: String?
    /// The data about the user that the identity provider returned.
    public var data: JSONObject
    /// The time when the user added the identity.
    public var createdAt: Instant?
    /// The time of the last sign-in with the identity.
    public var lastSignInAt: Instant?
}

/// A second factor of a user, as GoTrue stores it.
public struct GoTrueFactor: Sendable, Hashable, Identifiable {
    /// The id of the factor.
    public var id: String
    /// The kind of the factor: `totp`, `phone` or `webauthn`.
    public var type: String
    /// Whether the user has verified the factor with a first code.
    public var isVerified: Bool
    /// The display name of the factor.
    public var friendlyName: String?
    /// The phone number in E.164 form; `nil` if the factor is not a phone.
    public var phone: String?
    /// The time when the user added the factor.
    public var createdAt: Instant?
    /// The time when the server created the last challenge for the factor.
    public var lastChallengedAt: Instant?
}

extension User {
    /// The members of GoTrue's user object that the portable API does not contain.
    ///
    /// ``User/fields`` contains the whole object.
    public var goTrue: GoTrueUser {
        GoTrueUser(
            appMetadata: fields["app_metadata"]?.object ?? [:], userMetadata: fields["user_metadata"]?.object ?? [:],
            identities: (fields["identities"]?.array ?? []).compactMap(GoTrueIdentity.init(goTrue:)),
            factors: (fields["factors"]?.array ?? []).compactMap(GoTrueFactor.init(goTrue:)),
            role: fields["role"]?.filled, audience: fields["aud"]?.filled,
            emailConfirmedAt: fields["email_confirmed_at"]?.instant, phoneConfirmedAt: fields["phone_confirmed_at"]?.instant,
            newEmail: fields["new_email"]?.filled, newPhone: fields["new_phone"]?.phone,
            invitedAt: fields["invited_at"]?.instant, lastSignInAt: fields["last_sign_in_at"]?.instant,
            updatedAt: fields["updated_at"]?.instant, bannedUntil: fields["banned_until"]?.instant)
    }
}

extension GoTrueIdentity {
    fileprivate init?(goTrue object: JSON) {
        guard let provider = object["provider"]?.filled, let id = object["identity_id"]?.filled ?? object["id"]?.filled else {
            return nil
        }
        self.init(
            id: id, provider: provider, providerID: object["id"]?.filled, data: object["identity_data"]?.object ?? [:],
            createdAt: object["created_at"]?.instant, lastSignInAt: object["last_sign_in_at"]?.instant)
    }
}

extension GoTrueFactor {
    fileprivate init?(goTrue object: JSON) {
        guard let id = object["id"]?.filled, let type = object["factor_type"]?.filled else { return nil }
        self.init(
            id: id, type: type, isVerified: object["status"]?.string == "verified", friendlyName: object["friendly_name"]?.filled,
            phone: object["phone"]?.phone, createdAt: object["created_at"]?.instant,
            lastChallengedAt: object["last_challenged_at"]?.instant)
    }
}

extension JSON {
    /// Reads a time, as GoTrue writes it.
    var instant: Instant? { string.flatMap { Instant(rfc3339: $0) } }

    /// Returns a number with the leading plus sign, which GoTrue leaves out.
    var phone: String? { filled.map { $0.hasPrefix("+") ? $0 : "+" + $0 } }
}
