internal import LockstepEmulation
internal import LockstepPrimitives

/// An enrolled second factor: one entry of `mfaInfo`.
struct Factor: Sendable, Equatable, DocumentValue {
    /// The member that transfers the secret of a time-based factor from one emulator to another, as in Firebase's
    /// versions after 15.30.
    static let secretName = "emulatorTotpSecret"

    var id: String
    var displayName: String?
    /// The time of enrollment in RFC 3339, from the request or generated.
    var enrolledAt: String?
    /// The number of an SMS factor.
    var phone: String?
    /// The secret of a factor with time-based codes, in base 32.
    var secret: String?

    init(id: String, displayName: String? = nil, enrolledAt: String? = nil, phone: String? = nil, secret: String? = nil) {
        self.id = id
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        self.phone = phone
        self.secret = secret
    }

    /// The entry for the user and for administrators.
    var json: JSON { common.adding(JSONObject(given: ["phoneInfo": phone, "unobfuscatedPhoneInfo": phone])).json }

    /// The entry that an import can read again.
    var jsonWithSecret: JSON { (json.object ?? [:]).adding(JSONObject(given: [Self.secretName: secret])).json }

    /// The entry that is shown before the user completes the second factor, with only the last four digits of the
    /// number.
    var maskedJSON: JSON { common.adding(JSONObject(given: ["phoneInfo": maskedPhone])).json }

    var maskedPhone: String? { phone.map(Self.masked) }

    private var common: JSONObject {
        JSONObject(given: [
            "displayName": displayName, "enrolledAt": enrolledAt, "mfaEnrollmentId": id,
            "totpInfo": secret == nil ? nil : JSONObject(),
        ])
    }

    /// `+15555550100` as `+*******0100`.
    static func masked(_ number: String) -> String {
        var digits = 0
        let masked: [Character] = number.reversed().map { character in
            guard ("0"..."9").contains(character) else { return character }
            digits += 1
            return digits > 4 ? "*" : character
        }
        return String(masked.reversed())
    }
}

extension Factor {
    /// The factor as it is stored in the row of its user.
    var stored: JSON {
        JSONObject(given: ["id": id, "name": displayName, "at": enrolledAt, "phone": phone, "secret": secret]).json
    }

    /// Reads ``stored``.
    init?(stored: Body) {
        guard let id = stored.text("id") else { return nil }
        self.init(
            id: id, displayName: stored.text("name"), enrolledAt: stored.text("at"), phone: stored.text("phone"),
            secret: stored.text("secret"))
    }
}

/// A sign-in that waits for its second factor.
struct PendingSignIn: Record {
    var credential = ""
    var space: Int64 = 0
    var localID = ""
    var provider = ""
    var createdAt = Instant(seconds: 0)

    static let table = Table<PendingSignIn>(
        "pending_sign_ins",
        [
            Column("credential", \.credential, .key), Column("space", \.space, .belongs(to: "spaces (id)")),
            Column("local_id", \.localID), Column("provider", \.provider), Column("created_at", \.createdAt),
        ], isKeyed: true)
}

/// The secret of a factor with time-based codes, until its first code arrives.
struct TimeFactorEnrolment: Record {
    var session = ""
    var space: Int64 = 0
    var localID = ""
    var secret = ""
    var createdAt = Instant(seconds: 0)

    static let table = Table<TimeFactorEnrolment>(
        "totp_enrolments",
        [
            Column("session", \.session, .key), Column("space", \.space, .belongs(to: "spaces (id)")),
            Column("local_id", \.localID), Column("secret", \.secret), Column("created_at", \.createdAt),
        ], isKeyed: true)
}
