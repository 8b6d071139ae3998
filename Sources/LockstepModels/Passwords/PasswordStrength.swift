public import Lockstep

/// Estimates how hard a password is to guess.
///
/// An app without one shows no estimate. It must be quick: it is asked at every key that the user presses, on the main actor.
public protocol PasswordStrengthMeter: Sendable {
    /// Estimates a password.
    ///
    /// - Parameters:
    ///   - password: The password, as far as it is typed; never empty.
    ///   - weakWords: What an attacker tries first: the user's name and address. A password made of them is weak.
    func strength(of password: Secret, weakWords: [String]) -> PasswordStrength
}

/// How hard a password is to guess, as data: the sentences are in ``AuthStrings``.
public struct PasswordStrength: Sendable, Hashable {
    /// The score: zxcvbn's steps, by the number of guesses.
    public enum Score: Int, Sendable, Comparable, CaseIterable {
        /// Fewer than 10³ guesses.
        case veryWeak = 0
        /// Fewer than 10⁶ guesses.
        case weak = 1
        /// Fewer than 10⁸ guesses.
        case fair = 2
        /// Fewer than 10¹⁰ guesses.
        case good = 3
        /// More.
        case strong = 4

        /// By the number of guesses.
        public static func < (left: Score, right: Score) -> Bool { left.rawValue < right.rawValue }
    }

    /// Why a password is weak; an app's own meter may name others.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// A reason by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is short.
        public static let short = Reason(rawValue: "short")
        /// It is made of a common word or password.
        public static let commonWord = Reason(rawValue: "commonWord")
        /// It is made of a common word with digits or signs in the place of letters.
        public static let disguisedWord = Reason(rawValue: "disguisedWord")
        /// It is made of the user's own name or address.
        public static let personalWord = Reason(rawValue: "personalWord")
        /// It repeats a character or a part.
        public static let repeats = Reason(rawValue: "repeats")
        /// It is a sequence: `abcd`, `6543`.
        public static let sequence = Reason(rawValue: "sequence")
        /// Its keys lie side by side on a keyboard.
        public static let keyboardPattern = Reason(rawValue: "keyboardPattern")
        /// It holds a date or a year.
        public static let date = Reason(rawValue: "date")

        /// Every reason that this version names.
        public static let all: [Reason] = [
            .short, .commonWord, .disguisedWord, .personalWord, .repeats, .sequence, .keyboardPattern, .date,
        ]
    }

    /// What would make it stronger; an app's own meter may name others.
    public struct Suggestion: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// A suggestion by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another word or two, uncommon ones.
        public static let addWords = Suggestion(rawValue: "addWords")
        /// More characters.
        public static let makeLonger = Suggestion(rawValue: "makeLonger")
        /// Nothing of the name or the address.
        public static let leaveOutPersonalWords = Suggestion(rawValue: "leaveOutPersonalWords")
        /// No signs in the place of letters, which are tried as well.
        public static let leaveOutSubstitutions = Suggestion(rawValue: "leaveOutSubstitutions")
        /// No repeated parts.
        public static let leaveOutRepeats = Suggestion(rawValue: "leaveOutRepeats")
        /// No sequences.
        public static let leaveOutSequences = Suggestion(rawValue: "leaveOutSequences")
        /// No neighbouring keys.
        public static let leaveOutKeyboardPatterns = Suggestion(rawValue: "leaveOutKeyboardPatterns")
        /// No dates and years.
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
    /// Why it is weak; `nil` where it is not.
    public var reason: Reason?
    /// What would make it stronger; `nil` where nothing needs to.
    public var suggestion: Suggestion?

    /// An estimate.
    public init(_ score: Score, reason: Reason? = nil, suggestion: Suggestion? = nil) {
        self.score = score
        self.reason = reason
        self.suggestion = suggestion
    }
}

/// How a form for a new password estimates it.
public struct PasswordAdvice: Sendable {
    /// The meter.
    public var meter: any PasswordStrengthMeter
    /// The lowest score that may be sent; `nil` where the estimate informs and blocks nothing.
    public var minimum: PasswordStrength.Score?

    /// Advice by a meter.
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
