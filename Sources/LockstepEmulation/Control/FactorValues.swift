public import LockstepPrimitives

/// The values of a second factor that a control route or a seed adds to a user.
public struct FactorValues: Sendable, Hashable {
    /// The source of a factor's codes: an app or a phone.
    public enum Method: Sendable, Hashable {
        /// An authenticator app with this secret in base 32; `nil` to create a new secret.
        case totp(secret: Secret?)
        /// Codes that are sent to this phone number in E.164 form.
        case phone(String)

        /// The kind of the factor.
        public var kind: ControlledUser.Factor.Kind {
            switch self {
            case .totp: .totp
            case .phone: .phone
            }
        }
    }

    /// The source of the factor's codes.
    public var method: Method
    /// The id of the factor; `nil` to create a new id.
    ///
    /// Only some backends let the caller choose the id.
    public var id: String?
    /// The name that the user gave to the factor.
    public var name: String?
    /// Whether the user has verified the factor.
    ///
    /// Only a seed can contain an unverified factor.
    public var isVerified = true
    /// The time when the user added the factor.
    ///
    /// Only a seed contains this time.
    public var createdAt: Instant?

    /// Creates the values of a factor.
    ///
    /// - Parameters:
    ///   - method: The source of the factor's codes.
    ///   - id: The id of the factor; `nil` to create a new id.
    ///   - name: The name that the user gave to the factor.
    public init(_ method: Method, id: String? = nil, name: String? = nil) {
        self.method = method
        self.id = id
        self.name = name
    }

    static let body: BodySchema = ["id": .text, "kind": .text, "name": .text, "phone": .text, "secret": .text]

    /// Reads the values from ``body``.
    ///
    /// - Throws: ``UserValueError/invalid(_:expected:)`` for a kind without its value, or with the value of another kind.
    init(_ body: Body) throws(UserValueError) {
        let (phone, secret) = (body.text("phone"), body.text("secret"))
        switch body.text("kind") {
        case "totp":
            if phone != nil { throw .invalid("phone", expected: "no value, because an authenticator app has no number") }
            method = .totp(secret: secret.map { Secret($0) })
        case "phone":
            if secret != nil { throw .invalid("secret", expected: "no value, because a phone has no secret") }
            guard let phone else { throw .invalid("phone", expected: "a number such as +15550100") }
            method = .phone(phone)
        default: throw .invalid("kind", expected: "totp or phone")
        }
        id = body.text("id")
        name = body.text("name")
    }
}

extension TOTP {
    /// Returns the secret for a new factor, and creates it if none is given.
    ///
    /// - Parameters:
    ///   - given: The secret that the caller chose; `nil` to create a new secret.
    ///   - randomness: The source of a new secret.
    /// - Returns: The secret in base 32.
    /// - Throws: ``UserValueError/invalid(_:expected:)`` if the given secret is not base 32.
    public static func secret(_ given: Secret?, or randomness: any Randomness) throws(UserValueError) -> String {
        guard let given else { return newSecret(randomness) }
        let text = given.reveal()
        guard TOTP(secret: text).isReadable else { throw .invalid("secret", expected: "base32 letters and digits") }
        return text
    }
}

/// A second factor of a user with its secret, for tests.
public struct ControlledFactor: Sendable {
    /// The factor without its secret.
    public var factor: ControlledUser.Factor
    /// The secret of an authenticator app, in base 32; `nil` for a phone.
    public var secret: Secret?
    /// The name of the service, as an authenticator app shows it.
    public var issuer: String
    /// The name of the account, as an authenticator app shows it.
    public var account: String

    /// Creates a second factor with its secret.
    ///
    /// - Parameters:
    ///   - factor: The factor without its secret.
    ///   - secret: The secret of an authenticator app, in base 32; `nil` for a phone.
    ///   - issuer: The name of the service, as an authenticator app shows it.
    ///   - account: The name of the account, as an authenticator app shows it.
    public init(_ factor: ControlledUser.Factor, secret: Secret? = nil, issuer: String, account: String) {
        self.factor = factor
        self.secret = secret
        self.issuer = issuer
        self.account = account
    }

    /// The URI in the QR code for an authenticator app; `nil` for a phone.
    public var uri: Secret? {
        guard let secret else { return nil }
        let (issuer, account) = (Percent.encode(issuer), Percent.encode(account))
        return Secret(
            "otpauth://totp/\(issuer):\(account)?secret=\(secret.reveal())&issuer=\(issuer)&algorithm=SHA1"
                + "&digits=\(TOTP.digits)&period=\(TOTP.period)")
    }

    /// Returns the code that an authenticator app shows now.
    ///
    /// - Parameter now: The time on the backend's clock.
    /// - Returns: The code; `nil` if the factor is a phone.
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
    /// The code itself.
    public var code: Secret
    /// The time when the next code replaces this one; `nil` if this code does not expire.
    public var expiresAt: Instant?

    /// Creates a code.
    ///
    /// - Parameters:
    ///   - code: The code itself.
    ///   - expiresAt: The time when the next code replaces this one; `nil` if this code does not expire.
    public init(code: Secret, expiresAt: Instant?) {
        self.code = code
        self.expiresAt = expiresAt
    }

    var json: JSON { ["code": .string(code.reveal()), "expiresAt": .text(expiresAt?.rfc3339)] }
}
