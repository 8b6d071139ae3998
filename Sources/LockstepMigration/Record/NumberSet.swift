/// Numbers of users in a journal, with a bit for each: 125 kB for a million users.
struct NumberSet: Sendable {
    private var words: [UInt64] = []

    /// Adds a number, which is not negative.
    mutating func insert(_ number: Int) {
        let word = number >> 6
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: max(word + 1 - words.count, words.count))) }
        words[word] |= 1 << UInt64(number & 63)
    }

    /// Returns whether the set has a number.
    func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] & 1 << UInt64(number & 63) != 0
    }
}
