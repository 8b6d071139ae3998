@_exported public import LockstepPasswords
internal import LockstepPrimitives

/// Passwords.
public struct PasswordSettings: Sendable, Hashable {
    /// The fewest bytes, never under 6 (`GOTRUE_PASSWORD_MIN_LENGTH`).
    public var minimumLength = 6
    /// Sets of characters, one of each must occur (`GOTRUE_PASSWORD_REQUIRED_CHARACTERS`).
    public var requiredCharacters: [String] = []
    /// The cost of a hash: the real server's, or the minimum for tests (`LOCKSTEP_PASSWORD_COST`, `real` or `least`).
    public var cost = PasswordCost.real
    /// The setting `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`.
    public var requiresReauthentication = false
    /// The setting `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`.
    public var requiresCurrent = false

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.number("GOTRUE_PASSWORD_MIN_LENGTH", into: &minimumLength)
        minimumLength = max(6, minimumLength)
        if let text = environment.text("GOTRUE_PASSWORD_REQUIRED_CHARACTERS") {
            requiredCharacters = Self.sets(text)
        }
        if let text = environment.text("LOCKSTEP_PASSWORD_COST", default: cost.rawValue) {
            if let asked = PasswordCost(rawValue: text) {
                cost = asked
            } else {
                environment.problem("LOCKSTEP_PASSWORD_COST must be real or least.")
            }
        }
        environment.flag("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", into: &requiresReauthentication)
        environment.flag("GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", into: &requiresCurrent)
    }

    /// Splits at colons; a backslash before one makes it a colon of a set.
    private static func sets(_ text: String) -> [String] {
        var sets = [""]
        for part in text.pieces(at: ":", omittingEmptySubsequences: false) {
            sets[sets.count - 1] += part
            if part.last == "\\" {
                sets[sets.count - 1].removeLast()
                sets[sets.count - 1].append(":")
            } else {
                sets.append("")
            }
        }
        return sets.filter { !$0.isEmpty }
    }
}
