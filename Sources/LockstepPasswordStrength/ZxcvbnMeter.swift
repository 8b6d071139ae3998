#if os(Linux)
@_exported public import LockstepModels
@_exported public import LockstepPrimitives

/// A meter that estimates passwords with the library zxcvbn.
///
/// The estimate is the number of guesses that an attacker needs. The attacker knows words, names, dates and keyboard patterns.
///
/// ```swift
/// let app = AuthModel(client, passwordAdvice: PasswordAdvice(ZxcvbnMeter()))
/// ```
///
/// The meter knows English words, and the passwords, names and keyboards that are common in English-speaking countries.
/// The meter treats a word of another language as random letters. The meter itself never rejects a password.
/// ``PasswordAdvice/minimum`` decides whether an app rejects weak passwords, and a backend has its own rule.
public struct ZxcvbnMeter: PasswordStrengthMeter {
    private let words: [String]

    /// Creates a meter.
    ///
    /// - Parameter words: Words that are easy to guess in this app, such as the names of the app and the company.
    ///   Default: none.
    public init(words: [String] = []) {
        self.words = words
    }

    /// Estimates a password.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - weakWords: Words about the user that are easy to guess, such as the user's name.
    /// - Returns: The estimate.
    public func strength(of password: Secret, weakWords: [String]) -> PasswordStrength {
        PasswordStrength(Zxcvbn.estimate(password, words: Self.parts(of: weakWords + words)))
    }

    /// Returns each text and all its parts, because a password often consists of a part of an address, not of the whole address.
    private static func parts(of texts: [String]) -> [String] {
        var seen: Set<String> = []
        let parts = texts.flatMap { text in
            // The address, its two parts, and all words of both.
            ([text[...]] + text.split(separator: "@") + text.split { !$0.isLetter && !$0.isNumber }).map(String.init)
        }
        return parts.filter { seen.insert($0.lowercased()).inserted }
    }
}
#endif
