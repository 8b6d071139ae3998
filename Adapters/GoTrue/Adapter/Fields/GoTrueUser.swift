public import Lockstep
public import LockstepPrimitives
internal import LockstepWire

/// The parts of GoTrue's user object that have no portable name.
///
/// ```swift
/// if let user = client.user { print(user.goTrue.lastSignInAt?.description ?? "never") }
/// ```
public struct GoTrueUser: Sendable, Hashable {
    /// `app_metadata`: values that only the server can change, such as `provider` and `providers`.
    public var appMetadata: JSONObject
    /// `user_metadata`: values that the user can change.
    ///
    /// Never use them for authorization.
    public var userMetadata: JSONObject
    /// The user's identities, with the providers' data.
    public var identities: [GoTrueIdentity]
    /// The second factors, including unverified ones.
    public var factors: [GoTrueFactor]
    /// The user's database role.
    public var role: String?
    /// The audience of the user's tokens.
    public var audience: String?
    /// The time when the email address was verified.
    public var emailConfirmedAt: Instant?
    /// The time when the phone number was verified.
    public var phoneConfirmedAt: Instant?
    /// A new email address that is not verified yet.
    public var newEmail: String?
    /// A new phone number in E.164 form that is not verified yet.
    public var newPhone: String?
    /// The time when an administrator invited the user.
    public var invitedAt: Instant?
    /// The time of the last sign-in.
    public var lastSignInAt: Instant?
    /// The time of the last change.
    public var updatedAt: Instant?
    /// The end of the ban.
    ///
    /// Sign-in is rejected until then.
    public var bannedUntil: Instant?
}

/// One of a user's identities, as GoTrue stores it.
public struct GoTrueIdentity: Sendable, Hashable, Identifiable {
    /// The id of the row, with which the identity is removed.
    public var id: String
    /// The name of the provider.
    public var provider: String
    /// The provider's id of the user.
    public var providerID: String?
    /// The provider's data about the user.
    public var data: JSONObject
    /// The time when it was added.
    public var createdAt: Instant?
    /// The time when it was last used.
    public var lastSignInAt: Instant?
}

/// One of a user's second factors, as GoTrue stores it.
public struct GoTrueFactor: Sendable, Hashable, Identifiable {
    /// The id.
    public var id: String
    /// The kind: `totp`, `phone`, `webauthn`.
    public var type: String
    /// Whether it is verified.
    public var isVerified: Bool
    /// The display name.
    public var friendlyName: String?
    /// The phone number in E.164 form, for a phone.
    public var phone: String?
    /// The time when it was added.
    public var createdAt: Instant?
    /// The time when its last challenge was created.
    public var lastChallengedAt: Instant?
}

extension User {
    /// The parts of GoTrue's user object that have no portable name.
    ///
    /// ``User/fields`` has the whole object.
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
    /// A time, as GoTrue writes it.
    var instant: Instant? { string.flatMap { Instant(rfc3339: $0) } }

    /// A number with the leading plus sign, which GoTrue leaves out.
    var phone: String? { filled.map { $0.hasPrefix("+") ? $0 : "+" + $0 } }
}
