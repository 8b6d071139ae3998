/// The rules for new passwords (`user_settings.password_settings`).
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.passwordPolicy.minimumLength = 12
/// ```
public struct PasswordPolicy: Sendable, Hashable {
    /// The minimum length of a password.
    public var minimumLength = 8
    /// The maximum length of a password in characters.
    ///
    /// Clerk's limit of 72 bytes also applies.
    public var maximumLength = 72
    /// Whether a password must contain a symbol.
    public var requiresSign = false
    /// Whether a password must contain a digit.
    public var requiresDigit = false
    /// Whether a password must contain a letter in upper case.
    public var requiresUpperCase = false
    /// Whether a password must contain a letter in lower case.
    public var requiresLowerCase = false
    /// Whether the instance rejects leaked passwords.
    ///
    /// The emulator uses a short list of such passwords, and calls no service.
    public var refusesKnownLeaks = true

    /// Creates Clerk's default policy, which requires eight characters and rejects leaked passwords.
    public init() {}

    /// Returns every rule that `password` breaks, in Clerk's order; the password must differ from all `identifiers`.
    func refusals(of password: String, identifiers: [String], parameter: String = "password") -> [ClerkError] {
        var refusals: [ClerkError] = []
        if password.count < minimumLength { refusals.append(.shortPassword(parameter, minimumLength)) }
        if password.count > maximumLength { refusals.append(.longPassword(parameter, maximumLength)) }
        if password.count <= maximumLength, password.utf8.count > 72 { refusals.append(.bigPassword(parameter)) }
        if requiresLowerCase, !password.contains(where: \.isLowercase) {
            refusals.append(.passwordWithout("lowercase", "lowercase character", parameter))
        }
        if requiresUpperCase, !password.contains(where: \.isUppercase) {
            refusals.append(.passwordWithout("uppercase", "uppercase character", parameter))
        }
        if requiresDigit, !password.contains(where: \.isNumber) {
            refusals.append(.passwordWithout("number", "number", parameter))
        }
        if requiresSign, !password.contains(where: { !$0.isLetter && !$0.isNumber && !$0.isWhitespace }) {
            refusals.append(.passwordWithout("special_char", "special character", parameter))
        }
        if identifiers.contains(password.lowercased()) { refusals.append(.passwordIsIdentifier(parameter)) }
        if refusals.isEmpty, refusesKnownLeaks, Self.leaked.contains(password.lowercased()) {
            refusals.append(.knownPassword(parameter))
        }
        return refusals
    }

    /// The most frequent entries of published lists of leaked passwords that are long enough for the minimum.
    private static let leaked: Set<String> = [
        "password", "password1", "password123", "passw0rd", "12345678", "123456789", "1234567890", "qwertyuiop", "qwerty123",
        "qwertyui", "iloveyou", "princess", "football", "baseball", "sunshine", "superman", "trustno1", "11111111", "00000000",
        "1q2w3e4r", "1qaz2wsx", "letmein1", "abc12345", "abcd1234", "welcome1", "asdfghjkl", "changeme", "whatever", "starwars",
        "computer",
    ]
}
