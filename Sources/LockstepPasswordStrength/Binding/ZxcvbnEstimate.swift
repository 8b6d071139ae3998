/// The estimate of a password by zxcvbn.
///
/// It contains nothing from the password except the lengths of its parts.
struct ZxcvbnEstimate: Hashable, Sendable {
    /// The base-2 logarithm of the guesses of an attacker who knows such patterns; 0 for the empty password.
    let bits: Double
    /// The parts with the fewest guesses in total, in order.
    let parts: [Part]
    /// Whether the whole password was examined.
    ///
    /// In a very long password, only both ends are examined (``Zxcvbn/reach``).
    let isComplete: Bool

    /// Creates an estimate.
    init(bits: Double, parts: [Part], isComplete: Bool) {
        self.bits = bits
        self.parts = parts
        self.isComplete = isComplete
    }

    /// A part of the password, and the pattern with which an attacker would find it.
    struct Part: Hashable, Sendable {
        /// The pattern.
        let pattern: Pattern
        /// Whether the pattern occurs several times in a row.
        let isRepeated: Bool
        /// The number of characters.
        let length: Int

        /// Creates a part.
        init(_ pattern: Pattern, isRepeated: Bool = false, length: Int) {
            self.pattern = pattern
            self.isRepeated = isRepeated
            self.length = length
        }
    }

    /// The pattern with which an attacker would find a part.
    enum Pattern: String, Hashable, Sendable, CaseIterable {
        /// No pattern: the attacker must try every combination of characters.
        case bruteForce
        /// A word, a name or a frequent password, forwards or backwards.
        case word
        /// A word, a name or a frequent password, with similar digits and signs in place of letters.
        case disguisedWord
        /// One of the caller's words.
        case personalWord
        /// One of the caller's words, with similar digits and signs in place of letters.
        case disguisedPersonalWord
        /// The same characters as before.
        case repetition
        /// Characters in the order of the alphabet or of the digits.
        case sequence
        /// Keys that are next to each other.
        case keyboard
        /// A day.
        case date
        /// A year.
        case year
    }
}
