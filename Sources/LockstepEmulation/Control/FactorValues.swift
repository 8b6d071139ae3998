public import LockstepPrimitives

/// The values of a second factor that a caller enrolls, without a challenge.
public struct FactorValues: Sendable, Hashable {
    /// The method of a factor, with its secret or number.
    public enum Method: Sendable, Hashable {
        /// An authenticator app with this secret in base 32; `nil` creates a new one.
        case totp(secret: Secret?)
        /// Codes to a number in E.164 form.
        case phone(String)

        /// The kind of the factor.
        public var kind: ControlledUser.Factor.Kind {
            switch self {
            case .totp: .totp
            case .phone: .phone
            }
        }
    }

    /// The method.
    public var method: Method
    /// The id, if the backend lets the caller choose it; `nil` creates a new one.
    public var id: String?
    /// The name that the user gave it.
    public var name: String?
    /// Whether the user has verified it; only a seed can contain an unverified factor.
    public var isVerified = true
    /// The time when the user added it; only a seed contains it.
    public var createdAt: Instant?

    /// Creates a factor.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - id: The id; `nil` creates a new one.
    ///   - name: The name that the user gave it.
    public init(_ method: Method, id: String? = nil, name: String? = nil) {
        self.method = method
        self.id = id
        self.name = name
    }

    static let body: BodySchema = ["id": .text, "kind": .text, "name": .text, "phone": .text, "secret": .text]

    /// Reads the members of ``body``.
    ///
    /// - Throws: ``UserValueError/invalid(_:expected:)`` for a kind without its value, or with the value of another kind.
    init(_ body: Body) throws(UserValueError) {
        let (phone, secret) = (body.text("phone"), body.text("secret"))
        switch body.text("kind") {
        case "totp":
            if phone != nil { throw .invalid("phone", expected: "no number for an authenticator app") }
            method = .totp(secret: secret.map { Secret($0) })
        case "phone":
            if secret != nil { throw .invalid("secret", expected: "no secret for a phone") }
            guard let phone else { throw .invalid("phone", expected: "a number such as +15550100") }
            method = .phone(phone)
        default: throw .invalid("kind", expected: "totp or phone")
        }
        id = body.text("id")
        name = body.text("name")
    }
}

extension TOTP {
    /// The secret of a new factor.
    ///
    /// - Parameters:
    ///   - given: The secret that the caller chose; `nil` creates a new one.
    ///   - randomness: The source of a new secret.
    /// - Returns: The secret in base 32.
    /// - Throws: ``UserValueError/invalid(_:expected:)`` for a string that is not base 32.
    public static func secret(_ given: Secret?, or randomness: any Randomness) throws(UserValueError) -> String {
        guard let given else { return newSecret(randomness) }
        let text = given.reveal()
        guard TOTP(secret: text).isReadable else { throw .invalid("secret", expected: "base32 letters and digits") }
        return text
    }
}

/// An enrolled second factor with its secret values, for tests.
public struct ControlledFactor: Sendable {
    /// The factor.
    public var factor: ControlledUser.Factor
    /// The secret of an authenticator app, in base 32; `nil` for a phone.
    public var secret: Secret?
    /// The name of the service that an authenticator app shows.
    public var issuer: String
    /// The name of the account that an authenticator app shows.
    public var account: String

    /// Creates an enrolled factor.
    public init(_ factor: ControlledUser.Factor, secret: Secret? = nil, issuer: String, account: String) {
        self.factor = factor
        self.secret = secret
        self.issuer = issuer
        self.account = account
    }

    /// The URI for the QR code of an authenticator app; `nil` for a phone.
    public var uri: Secret? {
        guard let secret else { return nil }
        let (issuer, account) = (Percent.encode(issuer), Percent.encode(account))
        return Secret(
            "otpauth://totp/\(issuer):\(account)?secret=\(secret.reveal())&issuer=\(issuer)&algorithm=SHA1"
                + "&digits=\(TOTP.digits)&period=\(TOTP.period)")
    }

    /// Returns the code that an authenticator app shows; `nil` for a phone.
    ///
    /// - Parameter now: The backend's time.
    /// - Returns: The code that an authenticator app shows.
    public func appCode(at now: Instant) -> FactorCode? {
        guard let secret, let code = TOTP(secret: secret.reveal()).code(at: now) else { return nil }
        let next = (now.seconds / TOTP.period + 1) * TOTP.period
        return FactorCode(code: Secret(code), expiresAt: Instant(seconds: next))
    }

    var json: JSON {
        var members = factor.json.object ?? [:]
        members["secret"] = .text(secret?.reveal())
        members["uri"] = .text(uri?.reveal())
        return .object(members)
    }
}

/// A code that a second factor accepts now.
public struct FactorCode: Sendable, Hashable {
    /// The code.
    public var code: Secret
    /// The time when the next code replaces it; `nil` if it does not expire.
    public var expiresAt: Instant?

    /// Creates a code.
    public init(code: Secret, expiresAt: Instant?) {
        self.code = code
        self.expiresAt = expiresAt
    }

    var json: JSON { ["code": .string(code.reveal()), "expiresAt": .text(expiresAt?.rfc3339)] }
}
