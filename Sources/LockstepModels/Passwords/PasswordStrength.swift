public import Lockstep

/// Estimates how hard a password is to guess.
///
/// Without a meter, an app shows no estimate. It must be fast: it is called at every keystroke on the main actor.
public protocol PasswordStrengthMeter: Sendable {
    /// Estimates a password.
    ///
    /// - Parameters:
    ///   - password: The password, as far as it is typed. It is never empty.
    ///   - weakWords: Words that an attacker tries first: the user's name and email address. A password made of them is
    ///     weak.
    /// - Returns: The estimate.
    func strength(of password: Secret, weakWords: [String]) -> PasswordStrength
}

/// The strength of a password as data.
///
/// ``AuthStrings`` has the sentences.
public struct PasswordStrength: Sendable, Hashable {
    /// The score, in zxcvbn's levels by the number of guesses.
    public enum Score: Int, Sendable, Comparable, CaseIterable {
        /// Fewer than 10³ guesses.
        case veryWeak = 0
        /// Fewer than 10⁶ guesses.
        case weak = 1
        /// Fewer than 10⁸ guesses.
        case fair = 2
        /// Fewer than 10¹⁰ guesses.
        case good = 3
        /// 10¹⁰ guesses or more.
        case strong = 4

        /// Returns whether `left` needs fewer guesses than `right`.
        public static func < (left: Score, right: Score) -> Bool { left.rawValue < right.rawValue }
    }

    /// The reason why a password is weak.
    ///
    /// An app's own meter may add others.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// Creates a reason.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is short.
        public static let short = Reason(rawValue: "short")
        /// It consists of a common word or password.
        public static let commonWord = Reason(rawValue: "commonWord")
        /// It consists of a common word with digits or symbols in place of letters.
        public static let disguisedWord = Reason(rawValue: "disguisedWord")
        /// It consists of the user's own name or email address.
        public static let personalWord = Reason(rawValue: "personalWord")
        /// It repeats a character or a group of characters.
        public static let repeats = Reason(rawValue: "repeats")
        /// It is a sequence, such as `abcd` or `6543`.
        public static let sequence = Reason(rawValue: "sequence")
        /// Its keys are next to each other on a keyboard.
        public static let keyboardPattern = Reason(rawValue: "keyboardPattern")
        /// It contains a date or a year.
        public static let date = Reason(rawValue: "date")

        /// Every reason that this version names.
        public static let all: [Reason] = [
            .short, .commonWord, .disguisedWord, .personalWord, .repeats, .sequence, .keyboardPattern, .date,
        ]
    }

    /// A suggestion to make a password stronger.
    ///
    /// An app's own meter may add others.
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
        /// Avoid symbols in place of letters, because attackers try them, too.
        public static let leaveOutSubstitutions = Suggestion(rawValue: "leaveOutSubstitutions")
        /// Avoid repeated parts.
        public static let leaveOutRepeats = Suggestion(rawValue: "leaveOutRepeats")
        /// Avoid sequences.
        public static let leaveOutSequences = Suggestion(rawValue: "leaveOutSequences")
        /// Avoid neighboring keys.
        public static let leaveOutKeyboardPatterns = Suggestion(rawValue: "leaveOutKeyboardPatterns")
        /// Avoid dates and years.
        public static let leaveOutDates = Suggestion(rawValue: "leaveOutDates")

        /// Every suggestion that this version names.
        public static let all: [Suggestion] = [
            .addWords, .makeLonger, .leaveOutPersonalWords, .leaveOutSubstitutions, .leaveOutRepeats, .leaveOutSequences,
            .leaveOutKeyboardPatterns,
            .leaveOutDates,
        ]
    }

    /// The score.
    public var score: Score
    /// The reason why it is weak; `nil` if it is not weak.
    public var reason: Reason?
    /// The suggestion to make it stronger; `nil` if none is needed.
    public var suggestion: Suggestion?

    /// Creates an estimate.
    ///
    /// - Parameters:
    ///   - score: The score.
    ///   - reason: The reason why the password is weak.
    ///   - suggestion: The suggestion to make it stronger.
    public init(_ score: Score, reason: Reason? = nil, suggestion: Suggestion? = nil) {
        self.score = score
        self.reason = reason
        self.suggestion = suggestion
    }
}

/// The password estimate in forms for new passwords.
///
/// ```swift
/// let advice = PasswordAdvice(ZxcvbnMeter(), minimum: .fair)
/// let auth = AuthModel(client, passwordAdvice: advice)
/// ```
public struct PasswordAdvice: Sendable {
    /// The meter.
    public var meter: any PasswordStrengthMeter
    /// The lowest score that a form accepts; `nil` if the estimate is only shown.
    public var minimum: PasswordStrength.Score?

    /// Creates advice from a meter.
    ///
    /// - Parameters:
    ///   - meter: The meter.
    ///   - minimum: The lowest score that a form accepts. Default: every score is accepted.
    public init(_ meter: any PasswordStrengthMeter, minimum: PasswordStrength.Score? = nil) {
        self.meter = meter
        self.minimum = minimum
    }
}

extension PasswordAdvice? {
    /// The estimate of what is typed; `nil` without a meter, and where nothing is typed.
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
