@_exported public import LockstepPrimitives

/// A second factor of a user.
public struct DirectoryFactor: Sendable, Hashable {
    /// The kinds of second factors.
    public enum Kind: Sendable, Hashable {
        /// Codes from an authenticator app.
        ///
        /// The secret is in base32 (SHA-1, six digits, 30 seconds). It is `nil` if the backend does not return it.
        case authenticatorApp(secret: Secret?)
        /// Codes by SMS to a phone number in E.164 form.
        case phone(String)
        /// A passkey.
        ///
        /// A passkey works only on the site where it was made. It cannot be moved to another backend.
        case passkey
        /// Backup codes, with the number of unused codes.
        ///
        /// The number is `nil` if the backend does not return it.
        case backupCodes(count: Int?)
        /// Any other kind, with the backend's name for it.
        case other(String)
    }

    /// The kind of this factor.
    public var kind: Kind
    /// The name that the user sees for this factor.
    public var friendlyName: String?
    /// Whether the user has verified this factor.
    public var isVerified: Bool
    /// The time when the user added this factor.
    public var createdAt: Instant?
    /// The id of the factor at an emulator; `nil` to create a new id.
    ///
    /// Directories neither read nor write the id.
    public var id: String?
    /// The unused backup codes; empty for any other kind.
    ///
    /// No backend's API returns the codes. Only files contain them.
    public var codes: [Secret] = []

    /// Creates a factor.
    ///
    /// - Parameters:
    ///   - kind: The kind of the factor.
    ///   - friendlyName: The name that the user sees for the factor.
    ///   - isVerified: Whether the user has verified the factor. Default: `true`.
    ///   - createdAt: The time when the user added the factor.
    public init(_ kind: Kind, friendlyName: String? = nil, isVerified: Bool = true, createdAt: Instant? = nil) {
        self.kind = kind
        self.friendlyName = friendlyName
        self.isVerified = isVerified
        self.createdAt = createdAt
    }
}

extension DirectoryFactor {
    /// Reads a factor, whose members depend on its kind.
    package init(_ object: JSONObject, at place: String) throws(UserFieldFault) {
        let members = try FactorMembers(object, at: place)
        func refuse(_ name: String, _ expected: String) -> UserFieldFault {
            .invalid(nil, at: place.isEmpty ? name : "\(place).\(name)", expected: expected)
        }
        switch members.kind {
        case "totp": self.init(.authenticatorApp(secret: members.secret))
        case "phone":
            guard let phone = members.phone else { throw refuse("phone", "a number such as +15550100") }
            self.init(.phone(phone))
        case "passkey": self.init(.passkey)
        case "backupCodes":
            if let count = members.count, count < 0 { throw refuse("count", "0 or more") }
            self.init(.backupCodes(count: members.count ?? (members.codes.isEmpty ? nil : members.codes.count)))
        case "other":
            guard let type = members.type else { throw refuse("type", "the backend's name for the factor") }
            self.init(.other(type))
        default: throw refuse("kind", "totp or phone, or one of passkey, backupCodes, other")
        }
        let own = Self.ownMembers[members.kind ?? ""] ?? []
        for name in ["phone", "secret", "id", "type", "count", "codes"] where object[name] != nil && !own.contains(name) {
            throw refuse(name, "no value for \(members.kind ?? "")")
        }
        (id, friendlyName, codes) = (members.id, members.name, members.codes)
        (isVerified, createdAt) = (members.isVerified, members.createdAt)
    }

    private static let ownMembers = [
        "totp": ["id", "secret"], "phone": ["id", "phone"], "backupCodes": ["count", "codes"], "other": ["type"],
    ]

    /// The members of a factor in JSON.
    package var object: JSONObject {
        var members = FactorMembers()
        switch kind {
        case .authenticatorApp(let secret): (members.kind, members.secret) = ("totp", secret)
        case .phone(let number): (members.kind, members.phone) = ("phone", number)
        case .passkey: members.kind = "passkey"
        case .backupCodes(let count): (members.kind, members.count) = ("backupCodes", codes.isEmpty ? count : nil)
        case .other(let type): (members.kind, members.type) = ("other", type)
        }
        (members.id, members.name, members.codes) = (id, friendlyName, codes)
        (members.isVerified, members.createdAt) = (isVerified, createdAt)
        return members.object
    }
}

/// The members of a second factor of any kind.
private struct FactorMembers: UserFieldOwner {
    var id: String?
    var kind: String?
    var name: String?
    var phone: String?
    var secret: Secret?
    var type: String?
    var count: Int?
    var codes: [Secret] = []
    var isVerified = true
    var createdAt: Instant?

    static let fields: [UserField<FactorMembers>] = [
        .text("id", \.id, keepsEmpty: true), .text("kind", \.kind), .text("name", \.name), .text("phone", \.phone),
        .secret("secret", \.secret, keepsEmpty: true),
        .text("type", \.type),
        UserField(
            "count", .whole, \.count, absent: nil, from: { count, _ in count.int.flatMap { Int(exactly: $0) } },
            to: { .int(Int64($0 ?? 0)) }),
        UserField(
            "codes", .texts(among: nil), \.codes, absent: [],
            from: { codes, _ in (codes.array ?? []).compactMap(\.string).map { Secret($0) } },
            to: { .array($0.map { .string($0.reveal()) }) }),
        UserField("verified", .flag, \.isVerified, absent: true, from: { flag, _ in flag.bool ?? true }, to: { .bool($0) }),
        .time("createdAt", \.createdAt),
    ]
}

extension UserField {
    /// A list of second factors.
    package static func factors(_ name: String, _ path: Place<[DirectoryFactor]>, _ use: UserFieldUse = []) -> Self {
        Self(
            name, .list(FactorMembers.fields.map { ($0.name, $0.kind) }), path, use, absent: [],
            from: { (member, place) throws(UserFieldFault) in
                var factors: [DirectoryFactor] = []
                for (index, object) in (member.array ?? []).compactMap(\.object).enumerated() {
                    factors.append(try DirectoryFactor(object, at: "\(place)[\(index)]"))
                }
                return factors
            },
            to: { .array($0.map { .object($0.object) }) })
    }
}
