public import Lockstep
public import LockstepPrimitives
internal import LockstepWire

/// The parts of GoTrue's user object that have no portable name.
public struct GoTrueUser: Sendable, Hashable {
    /// `app_metadata`: values that only the server may change, such as `provider` and `providers`.
    public var appMetadata: JSONObject
    /// `user_metadata`: values that the user may change; never authorize by it.
    public var userMetadata: JSONObject
    /// The user's identities, with the providers' data.
    public var identities: [GoTrueIdentity]
    /// The second factors, including unverified ones.
    public var factors: [GoTrueFactor]
    /// The user's database role.
    public var role: String?
    /// The audience.
    public var audience: String?
    /// When the address was proven.
    public var emailConfirmedAt: Instant?
    /// When the number was proven.
    public var phoneConfirmedAt: Instant?
    /// An address that is not proven yet.
    public var newEmail: String?
    /// A number that is not proven yet, in E.164 form.
    public var newPhone: String?
    /// When an administrator invited the user.
    public var invitedAt: Instant?
    /// The last sign-in.
    public var lastSignInAt: Instant?
    /// When the user was changed last.
    public var updatedAt: Instant?
    /// The end of the ban; sign-in is refused until then.
    public var bannedUntil: Instant?
}

/// One of a user's identities, as GoTrue stores it.
public struct GoTrueIdentity: Sendable, Hashable, Identifiable {
    /// The id of the row; unlinking takes it.
    public var id: String
    /// The user's id.
    public var provider: String
    /// The provider's id of the user.
    public var providerID: String?
    /// The provider's data about the user.
    public var data: JSONObject
    /// When it was added.
    public var createdAt: Instant?
    /// When it was used last.
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
    /// The name to show.
    public var friendlyName: String?
    /// The number of a phone, in E.164 form.
    public var phone: String?
    /// When it was added.
    public var createdAt: Instant?
    /// When its last challenge was created.
    public var lastChallengedAt: Instant?
}

extension User {
    /// The parts of GoTrue's user object that have no portable name; ``User/fields`` holds the whole object.
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
