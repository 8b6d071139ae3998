/// A string that is equal only to a string with the same bytes in UTF-8.
///
/// `String` compares by Unicode's canonical equivalence: a composed letter is equal to its decomposed form. Backends and
/// databases compare bytes, so to them these are two users. Wherever identifiers are compared or collected, they are compared
/// as exact strings (`user.id.exact`).
package struct ExactString: Sendable, Hashable {
    /// The string itself.
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactString, right: ExactString) -> Bool {
        // The strings' own comparison is the fastest for ASCII. For other strings it can be true for different bytes.
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && (left.isASCII || left.text.utf8.elementsEqual(right.text.utf8))
    }

    /// Hashes the bytes.
    ///
    /// `String` gives all equivalent spellings of a text the same hash, and a long text can have very many spellings.
    package func hash(into hasher: inout Hasher) {
        if isASCII { return hasher.combine(text) }
        var word: UInt64 = 0
        var count = 0
        for unit in text.utf8 {
            word = word << 8 | UInt64(unit)
            count += 1
            if count & 7 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }

    /// Whether all characters are ASCII, which Swift knows without reading them.
    private var isASCII: Bool { text.utf16.count == text.utf8.count }
}

extension ExactString: Comparable {
    /// Compares the bytes, as databases do.
    package static func < (left: ExactString, right: ExactString) -> Bool {
        if left.isASCII, right.isASCII { return left.text < right.text }
        return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension ExactString: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) { self.init(value) }

    package var description: String { text }
}

extension String {
    /// The string for comparisons by bytes.
    package var exact: ExactString { ExactString(self) }
}
