public import LockstepPrimitives
public import LockstepUserFields

extension DirectoryFactor {
    static let body: BodySchema = ["id": .text, "kind": .text, "name": .text, "phone": .text, "secret": .text]

    /// Reads the values from ``body``.
    ///
    /// - Throws: ``UserValueError/invalid(_:expected:)`` for a kind without its value, or with the value of another kind.
    init(_ body: Body) throws(UserValueError) {
        do throws(UserFieldFault) {
            try self.init(body.members, at: "")
        } catch {
            switch error {
            case .invalid(_, let name, let expected): throw .invalid(name, expected: expected)
            case .missing(let name, _): throw .invalid(name, expected: "a value")
            }
        }
        guard kind.isEmulated else { throw .invalid("kind", expected: "totp or phone") }
    }
}

extension DirectoryFactor.Kind {
    /// The kind as a control route shows it; `nil` for a kind that no control route adds.
    public var controlled: ControlledUser.Factor.Kind? {
        switch self {
        case .authenticatorApp: .totp
        case .phone: .phone
        case .passkey, .backupCodes, .other: nil
        }
    }

    var isEmulated: Bool { controlled != nil }
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
