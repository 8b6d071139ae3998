#if os(Linux)
import LockstepModels
import LockstepPasswordStrength
import LockstepPrimitives
import Testing

@Suite("Password strength") struct ZxcvbnMeterTests {
    private static func strength(_ password: String, _ words: String...) -> PasswordStrength {
        ZxcvbnMeter().strength(of: Secret(password), weakWords: words)
    }

    @Test(arguments: [
        ("password", PasswordStrength(.veryWeak, reason: .commonWord, suggestion: .addWords)),
        ("drowssap", PasswordStrength(.veryWeak, reason: .commonWord, suggestion: .addWords)),
        ("P@ssw0rd", PasswordStrength(.veryWeak, reason: .disguisedWord, suggestion: .leaveOutSubstitutions)),
        ("abcdefgh", PasswordStrength(.veryWeak, reason: .sequence, suggestion: .leaveOutSequences)),
        ("aaaaaaaaa", PasswordStrength(.veryWeak, reason: .repeats, suggestion: .leaveOutRepeats)),
        ("asdfghjkl;'", PasswordStrength(.weak, reason: .keyboardPattern, suggestion: .leaveOutKeyboardPatterns)),
        ("13.05.1982", PasswordStrength(.weak, reason: .date, suggestion: .leaveOutDates)),
        ("xq", PasswordStrength(.veryWeak, reason: .short, suggestion: .makeLonger)),
        ("correct horse battery staple", PasswordStrength(.strong)), ("jX7!p0Zq$2Lm", PasswordStrength(.strong)),
    ])
    func reportsReasonAndSuggestion(_ password: String, _ strength: PasswordStrength) {
        #expect(Self.strength(password) == strength, "\(password)")
    }

    /// Name and address as a whole, and each of their parts.
    @Test(arguments: [
        "annegret", "Annegret1", "bauernfeind", "4nnegret", "annegretannegret", "bauernfeind!", "firma-ulm.example",
    ])
    func personalWordsAreWeak(_ password: String) {
        let words = ["Annegret Bauernfeind", "a.bauernfeind@firma-ulm.example"]
        let strength = ZxcvbnMeter().strength(of: Secret(password), weakWords: words)
        #expect(strength.score <= .weak && strength.reason == .personalWord, "\(password): \(strength)")
        #expect(strength.suggestion == .leaveOutPersonalWords)
        let stranger = Self.strength(password)
        #expect(stranger.score > strength.score || stranger.reason != .personalWord)
    }

    @Test func appWordsAreWeak() {
        let meter = ZxcvbnMeter(words: ["Blitzrakete"])
        #expect(meter.strength(of: "blitzrakete", weakWords: []).reason == .personalWord)
        #expect(Self.strength("blitzrakete").score > .weak)
    }

    /// The levels are those of zxcvbn: factors of 1,000, 1,000, 100 and 100 in guesses.
    @Test func theScoreGrowsWithTheGuesses() {
        let text = "kqxjvwzpbmfgh"
        let scores = (1...text.count).map { Self.strength(String(text.prefix($0))).score }
        #expect(scores == scores.sorted() && Set(scores).count == 5, "\(scores)")
        // Good and strong ones need no advice.
        #expect(text.indices.map { Self.strength(String(text[...$0])) }.allSatisfy { ($0.reason == nil) == ($0.score >= .good) })
    }

    @Test func veryLongPasswordIsNotWeak() {
        let long = String(repeating: "a", count: 300)
        #expect(Self.strength(long) == PasswordStrength(.fair))
        #expect(Self.strength(String(long.prefix(200))).score < .fair)
    }
}
#endif
