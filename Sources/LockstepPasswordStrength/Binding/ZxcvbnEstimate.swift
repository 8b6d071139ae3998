/// The estimate of a password by zxcvbn.
///
/// It contains nothing of the password except the lengths of its parts.
struct ZxcvbnEstimate: Hashable, Sendable {
    /// The logarithm to base 2 of the guesses that an attacker who knows such patterns needs; 0 for the empty password.
    let bits: Double
    /// The parts that add up to the fewest guesses, in their order.
    let parts: [Part]
    /// Whether all of it was looked at; of a very long password the two ends are (``Zxcvbn/reach``).
    let isComplete: Bool

    /// An estimate.
    init(bits: Double, parts: [Part], isComplete: Bool) {
        self.bits = bits
        self.parts = parts
        self.isComplete = isComplete
    }

    /// A part of the password, and how an attacker would come upon it.
    struct Part: Hashable, Sendable {
        /// The pattern.
        let pattern: Pattern
        /// Whether the pattern occurs several times in a row.
        let isRepeated: Bool
        /// The number of characters.
        let length: Int

        /// A part.
        init(_ pattern: Pattern, isRepeated: Bool = false, length: Int) {
            self.pattern = pattern
            self.isRepeated = isRepeated
            self.length = length
        }
    }

    /// The way in which an attacker would find a part.
    enum Pattern: String, Hashable, Sendable, CaseIterable {
        /// No pattern: the attacker must try every combination of characters.
        case bruteForce
        /// A word, a name or a frequent password, forwards or backwards.
        case word
        /// One of them with letters replaced by digits and signs that look like them.
        case disguisedWord
        /// A word that the caller named.
        case personalWord
        /// One of them with letters replaced.
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
