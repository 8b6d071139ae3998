public import Lockstep

/// A meter that estimates how hard it is to guess a password.
///
/// If an app has no meter, its forms show no estimate. A form calls the meter on the main actor for each keystroke, so
/// the meter must be fast.
///
/// ```swift
/// struct LengthMeter: PasswordStrengthMeter {
///     func strength(of password: Secret, weakWords: [String]) -> PasswordStrength {
///         PasswordStrength(password.reveal().count < 12 ? .weak : .good)
///     }
/// }
/// let auth = AuthModel(client, passwordAdvice: PasswordAdvice(LengthMeter()))
/// ```
public protocol PasswordStrengthMeter: Sendable {
    /// Estimates a password.
    ///
    /// - Parameters:
    ///   - password: The characters that the user has typed so far, at least one.
    ///   - weakWords: Words that an attacker tries first: the user's name and email address. A password that consists
    ///     of such words is weak.
    /// - Returns: The estimate.
    func strength(of password: Secret, weakWords: [String]) -> PasswordStrength
}

/// The estimated strength of a password.
///
/// ``AuthStrings`` contains the sentences for the user.
///
/// ```swift
/// let strength = ZxcvbnMeter().strength(of: "correct horse", weakWords: ["ada"])
/// print(AuthStrings.english.label(of: strength.score), AuthStrings.english.sentence(for: strength))
/// ```
public struct PasswordStrength: Sendable, Hashable {
    /// The score of a password, in the levels of zxcvbn.
    ///
    /// A level depends on the number of guesses that an attacker needs.
    public enum Score: Int, Sendable, Comparable, CaseIterable {
        /// An attacker needs fewer than 10³ guesses.
        case veryWeak = 0
        /// An attacker needs fewer than 10⁶ guesses.
        case weak = 1
        /// An attacker needs fewer than 10⁸ guesses.
        case fair = 2
        /// An attacker needs fewer than 10¹⁰ guesses.
        case good = 3
        /// An attacker needs 10¹⁰ guesses or more.
        case strong = 4

        /// Returns whether the score `left` is lower than the score `right`.
        public static func < (left: Score, right: Score) -> Bool { left.rawValue < right.rawValue }
    }

    /// The reason why a password is weak.
    ///
    /// An app's own meter may return other reasons.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// Creates a reason.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The password is short.
        public static let short = Reason(rawValue: "short")
        /// The password is a common word or a common password.
        public static let commonWord = Reason(rawValue: "commonWord")
        /// The password is a common word with digits or symbols in place of letters.
        public static let disguisedWord = Reason(rawValue: "disguisedWord")
        /// The password is the user's own name or email address.
        public static let personalWord = Reason(rawValue: "personalWord")
        /// The password repeats a character or a group of characters.
        public static let repeats = Reason(rawValue: "repeats")
        /// The password is a sequence, such as `abcd` or `6543`.
        public static let sequence = Reason(rawValue: "sequence")
        /// The characters of the password are next to each other on a keyboard.
        public static let keyboardPattern = Reason(rawValue: "keyboardPattern")
        /// The password contains a date or a year.
        public static let date = Reason(rawValue: "date")

        /// All reasons that this version defines.
        public static let all: [Reason] = [
            .short, .commonWord, .disguisedWord, .personalWord, .repeats, .sequence, .keyboardPattern, .date,
        ]
    }

    /// A suggestion to make a password stronger.
    ///
    /// An app's own meter may return other suggestions.
    public struct Suggestion: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// Creates a suggestion.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Add one or two uncommon words.
        public static let addWords = Suggestion(rawValue: "addWords")
        /// Add more characters.
        public static let makeLonger = Suggestion(rawValue: "makeLonger")
        /// Avoid the name and the email address.
        public static let leaveOutPersonalWords = Suggestion(rawValue: "leaveOutPersonalWords")
        /// Avoid symbols in place of letters, because attackers also try such words.
        public static let leaveOutSubstitutions = Suggestion(rawValue: "leaveOutSubstitutions")
        /// Avoid repeated parts.
        public static let leaveOutRepeats = Suggestion(rawValue: "leaveOutRepeats")
        /// Avoid sequences.
        public static let leaveOutSequences = Suggestion(rawValue: "leaveOutSequences")
        /// Avoid neighboring keys.
        public static let leaveOutKeyboardPatterns = Suggestion(rawValue: "leaveOutKeyboardPatterns")
        /// Avoid dates and years.
        public static let leaveOutDates = Suggestion(rawValue: "leaveOutDates")

        /// All suggestions that this version defines.
        public static let all: [Suggestion] = [
            .addWords, .makeLonger, .leaveOutPersonalWords, .leaveOutSubstitutions, .leaveOutRepeats, .leaveOutSequences,
            .leaveOutKeyboardPatterns,
            .leaveOutDates,
        ]
    }

    /// The score of the password.
    public var score: Score
    /// The reason why the password is weak; `nil` if it is not weak.
    public var reason: Reason?
    /// The suggestion to make the password stronger; `nil` if there is no suggestion.
    public var suggestion: Suggestion?

    /// Creates an estimate.
    ///
    /// - Parameters:
    ///   - score: The score of the password.
    ///   - reason: The reason why the password is weak. Default: none.
    ///   - suggestion: The suggestion to make the password stronger. Default: none.
    public init(_ score: Score, reason: Reason? = nil, suggestion: Suggestion? = nil) {
        self.score = score
        self.reason = reason
        self.suggestion = suggestion
    }
}

/// The meter for new passwords, and the minimum strength that forms accept.
///
/// ```swift
/// let advice = PasswordAdvice(ZxcvbnMeter(), minimum: .fair)
/// let auth = AuthModel(client, passwordAdvice: advice)
/// ```
public struct PasswordAdvice: Sendable {
    /// The meter that estimates new passwords.
    public var meter: any PasswordStrengthMeter
    /// The lowest score that a form accepts; `nil` if a form accepts every password and only shows the estimate.
    public var minimum: PasswordStrength.Score?

    /// Creates advice from a meter.
    ///
    /// - Parameters:
    ///   - meter: The meter that estimates new passwords.
    ///   - minimum: The lowest score that a form accepts. Default: a form accepts every score.
    public init(_ meter: any PasswordStrengthMeter, minimum: PasswordStrength.Score? = nil) {
        self.meter = meter
        self.minimum = minimum
    }
}

extension PasswordAdvice? {
    /// Returns the estimate for the typed characters; `nil` if there is no meter, or if nothing is typed.
    func strength(of password: Secret, weakWords: [String?]) -> PasswordStrength? {
        guard let self, !password.isEmpty else { return nil }
        return self.meter.strength(of: password, weakWords: weakWords.compactMap { $0 }.filter { !$0.isEmpty })
    }

    /// Whether a password of this strength may be sent.
    func allows(_ strength: PasswordStrength?) -> Bool {
        guard let minimum = self?.minimum, let strength else { return true }
        return strength.score >= minimum
    }
}
