internal import LockstepPrimitives

/// The rules for new passwords.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.passwordPolicy.isEnforced = true
/// settings.passwordPolicy.minimumLength = 12
/// ```
public struct PasswordPolicy: Sendable, Equatable {
    /// Whether the project enforces the policy.
    ///
    /// If the value is `false`, a password needs only six characters.
    public var isEnforced = false
    /// Whether the project enforces the policy at sign-in, too.
    public var isEnforcedAtSignIn = false
    /// The minimum length of a password, from 6 to 30.
    public var minimumLength = 6
    /// The maximum length of a password, up to 4096.
    public var maximumLength = 4096
    /// Whether a password must contain a letter from `a` to `z`.
    public var needsLowercase = false
    /// Whether a password must contain a letter from `A` to `Z`.
    public var needsUppercase = false
    /// Whether a password must contain a digit.
    public var needsDigit = false
    /// Whether a password must contain one of ``symbols``.
    public var needsSymbol = false

    /// Creates a policy that requires only six characters.
    public init() {}

    /// The characters that are symbols.
    static let symbols: [Unicode.Scalar] = Array(#"^$*.[]{}()?"!@#%&/\,><':;|_~`"#.unicodeScalars)
}

extension PasswordPolicy {
    /// A requirement that a password does not meet.
    struct Shortfall: Equatable {
        let code: String
        let sentence: String
    }

    /// Returns the requirements that `password` does not meet, in Firebase's order.
    func shortfalls(of password: String) -> [Shortfall] {
        var found: [Shortfall] = []
        func check(_ isGiven: Bool, _ code: String, _ sentence: String) {
            if !isGiven { found.append(Shortfall(code: code, sentence: sentence)) }
        }
        // As in JavaScript and Java, a length is counted in UTF-16.
        let (characters, length) = (password.unicodeScalars, password.utf16.count)
        check(
            length >= minimumLength, "MINIMUM_PASSWORD_LENGTH",
            "Password must contain at least \(minimumLength) characters")
        check(
            length <= maximumLength, "MAXIMUM_PASSWORD_LENGTH",
            "Password may contain at most \(maximumLength) characters")
        check(
            !needsLowercase || characters.contains { ("a"..."z").contains($0) }, "MISSING_LOWERCASE_CHARACTER",
            "Password must contain a lower case character")
        check(
            !needsUppercase || characters.contains { ("A"..."Z").contains($0) }, "MISSING_UPPERCASE_CHARACTER",
            "Password must contain an upper case character")
        check(
            !needsDigit || characters.contains { ("0"..."9").contains($0) }, "MISSING_NUMERIC_CHARACTER",
            "Password must contain a numeric character")
        check(
            !needsSymbol || characters.contains { Self.symbols.contains($0) }, "MISSING_NON_ALPHANUMERIC_CHARACTER",
            "Password must contain a non-alphanumeric character")
        return found
    }

    /// The response of `GET /v2/passwordPolicy`.
    var json: JSON {
        var options: JSONObject = [
            "minPasswordLength": .int(Int64(minimumLength)), "maxPasswordLength": .int(Int64(maximumLength)),
        ]
        if needsLowercase { options["containsLowercaseCharacter"] = true }
        if needsUppercase { options["containsUppercaseCharacter"] = true }
        if needsDigit { options["containsNumericCharacter"] = true }
        if needsSymbol { options["containsNonAlphanumericCharacter"] = true }
        return [
            "customStrengthOptions": .object(options),
            "allowedNonAlphanumericCharacters": .array(Self.symbols.map { .string(String($0)) }),
            "enforcementState": isEnforced ? "ENFORCE" : "OFF",
            "forceUpgradeOnSignin": .bool(isEnforcedAtSignIn),
            "schemaVersion": 1,
        ]
    }

    /// The policy as `passwordPolicyConfig`.
    var configuration: JSON {
        [
            "passwordPolicyEnforcementState": isEnforced ? "ENFORCE" : "OFF", "forceUpgradeOnSignin": .bool(isEnforcedAtSignIn),
            "passwordPolicyVersions": [
                [
                    "customStrengthOptions": [
                        "minPasswordLength": .int(Int64(minimumLength)), "maxPasswordLength": .int(Int64(maximumLength)),
                        "containsLowercaseCharacter": .bool(needsLowercase),
                        "containsUppercaseCharacter": .bool(needsUppercase), "containsNumericCharacter": .bool(needsDigit),
                        "containsNonAlphanumericCharacter": .bool(needsSymbol),
                    ],
                    "schemaVersion": 1,
                ]
            ],
        ]
    }

    /// Returns the policy with an administrator's `passwordPolicyConfig` applied.
    func changed(by config: JSONObject) -> PasswordPolicy {
        var policy = self
        if let state = config["passwordPolicyEnforcementState"]?.string { policy.isEnforced = state == "ENFORCE" }
        if let force = config["forceUpgradeOnSignin"]?.bool { policy.isEnforcedAtSignIn = force }
        guard let options = config["passwordPolicyVersions"]?[0]?["customStrengthOptions"]?.object else { return policy }
        policy.minimumLength = options["minPasswordLength"]?.int.map(Int.init) ?? 6
        policy.maximumLength = options["maxPasswordLength"]?.int.map(Int.init) ?? 4096
        policy.needsLowercase = options["containsLowercaseCharacter"]?.bool ?? false
        policy.needsUppercase = options["containsUppercaseCharacter"]?.bool ?? false
        policy.needsDigit = options["containsNumericCharacter"]?.bool ?? false
        policy.needsSymbol = options["containsNonAlphanumericCharacter"]?.bool ?? false
        return policy
    }
}
