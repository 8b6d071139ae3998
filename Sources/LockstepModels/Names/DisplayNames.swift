public import Lockstep

/// Display names for users who have not entered one, such as `Quiet Willow`.
///
/// ```swift
/// let model = SignUpModel(auth, generateName: { DisplayNames(randomness: $0).next() })
/// ```
///
/// A name says nothing about its user. It is not an id: two users may have the same name.
public struct DisplayNames: Sendable {
    private let randomness: any Randomness

    /// Creates a source of names.
    ///
    /// The same random bytes produce the same names.
    ///
    /// - Parameter randomness: The source of randomness.
    public init(randomness: any Randomness) {
        self.randomness = randomness
    }

    /// The number of different names.
    ///
    /// All are equally likely.
    public static var count: Int { NameWords.adjectives.count * NameWords.nouns.count }

    /// Returns another name.
    public func next() -> String {
        let words = [pick(NameWords.adjectives), pick(NameWords.nouns)]
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    private func pick(_ words: [String]) -> String {
        // The bytes beyond the last multiple of the count would make the first words more likely.
        let limit = 256 - 256 % words.count
        while true {
            for byte in randomness.bytes(8) where Int(byte) < limit { return words[Int(byte) % words.count] }
        }
    }
}
