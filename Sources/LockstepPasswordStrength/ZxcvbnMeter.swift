#if os(Linux)
@_exported public import LockstepModels
@_exported public import LockstepPrimitives
internal import LockstepZxcvbn

/// Estimates passwords by zxcvbn: by the guesses that an attacker needs who knows words, names, dates and keyboards.
///
/// ```swift
/// let app = AuthModel(client, passwordAdvice: PasswordAdvice(ZxcvbnMeter()))
/// ```
///
/// It knows English words and the passwords, names and keyboards that are frequent in the English-speaking world; a common word of
/// another language counts as letters. It informs, and a backend's own rule is another thing: ``PasswordAdvice/minimum`` decides whether an
/// app refuses what is weak.
public struct ZxcvbnMeter: PasswordStrengthMeter {
    private let words: [String]

    /// A meter.
    ///
    /// - Parameter words: What else is easy to guess in this app: its own name, the company's.
    public init(words: [String] = []) {
        self.words = words
    }

    /// The estimate of a password.
    public func strength(of password: Secret, weakWords: [String]) -> PasswordStrength {
        PasswordStrength(Zxcvbn.estimate(password, words: Self.parts(of: weakWords + words)))
    }

    /// Each text, and each of its parts: a password is made of one part of an address rather than of the whole.
    private static func parts(of texts: [String]) -> [String] {
        var seen: Set<String> = []
        let parts = texts.flatMap { text in
            // An address, the two parts of it, and all the words of both.
            ([text[...]] + text.split(separator: "@") + text.split { !$0.isLetter && !$0.isNumber }).map(String.init)
        }
        return parts.filter { seen.insert($0.lowercased()).inserted }
    }
}
#endif
