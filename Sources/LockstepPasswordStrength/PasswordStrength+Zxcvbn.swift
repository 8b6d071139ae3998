#if os(Linux)
internal import LockstepModels

extension PasswordStrength {
    /// Turns zxcvbn's estimate into a score, a reason and a suggestion.
    ///
    /// A good password needs no reason and no suggestion. Neither does a password that is so long that its middle was
    /// not examined, because the estimate is then a lower bound.
    init(_ estimate: ZxcvbnEstimate) {
        let score = Score(bits: estimate.bits)
        guard score < .good, estimate.isComplete else {
            self.init(estimate.isComplete ? score : max(score, .fair))
            return
        }
        let reason = Reason(estimate.parts)
        self.init(score, reason: reason, suggestion: Suggestion(against: reason))
    }
}

extension PasswordStrength.Score {
    /// zxcvbn's own steps: 10³, 10⁶, 10⁸ and 10¹⁰ guesses (README of zxcvbn, `score`).
    fileprivate init(bits: Double) {
        let digits = bits * 0.301_029_995_663_981_2
        self =
            switch digits {
            case ..<3: .veryWeak
            case ..<6: .weak
            case ..<8: .fair
            case ..<10: .good
            default: .strong
            }
    }
}

extension PasswordStrength.Reason {
    /// Chooses the most important pattern: the user's own words first, then the pattern with the most characters.
    fileprivate init(_ parts: [ZxcvbnEstimate.Part]) {
        let telling = parts.filter { $0.pattern != .bruteForce && $0.length >= 3 }
        let longest = telling.enumerated().max { one, other in
            // If two have the same length, the first one wins.
            (one.element.weight, -one.offset) < (other.element.weight, -other.offset)
        }
        self = longest?.element.reason ?? .short
    }
}

extension ZxcvbnEstimate.Part {
    fileprivate var weight: Int {
        switch pattern {
        case .personalWord, .disguisedPersonalWord: 1000 + length
        default: length
        }
    }

    fileprivate var reason: PasswordStrength.Reason {
        switch pattern {
        case .personalWord, .disguisedPersonalWord: .personalWord
        case _ where isRepeated: .repeats
        case .repetition: .repeats
        case .word: .commonWord
        case .disguisedWord: .disguisedWord
        case .sequence: .sequence
        case .keyboard: .keyboardPattern
        case .date, .year: .date
        case .bruteForce: .short
        }
    }
}

extension PasswordStrength.Suggestion {
    fileprivate init(against reason: PasswordStrength.Reason) {
        switch reason {
        case .personalWord: self = .leaveOutPersonalWords
        case .repeats: self = .leaveOutRepeats
        case .sequence: self = .leaveOutSequences
        case .keyboardPattern: self = .leaveOutKeyboardPatterns
        case .date: self = .leaveOutDates
        case .commonWord: self = .addWords
        case .disguisedWord: self = .leaveOutSubstitutions
        default: self = .makeLonger
        }
    }
}
#endif
