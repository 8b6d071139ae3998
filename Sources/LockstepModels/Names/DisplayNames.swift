public import Lockstep

/// A source of random display names, such as `Quiet Willow`.
///
/// ```swift
/// let model = SignUpModel(auth, generateName: { DisplayNames(randomness: $0).next() })
/// ```
///
/// A form suggests such a name to a user who has not entered a name. A name contains no information about the user. Two
/// users may get the same name.
public struct DisplayNames: Sendable {
    private let randomness: any Randomness

    /// Creates a source of names.
    ///
    /// If the source of randomness returns the same bytes, the names are the same.
    ///
    /// - Parameter randomness: The source of randomness.
    public init(randomness: any Randomness) {
        self.randomness = randomness
    }

    /// The number of possible names, which are all equally likely.
    public static var count: Int { NameWords.adjectives.count * NameWords.nouns.count }

    /// Returns a new random name.
    ///
    /// - Returns: The name.
    public func next() -> String {
        let words = [pick(NameWords.adjectives), pick(NameWords.nouns)]
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    private func pick(_ words: [String]) -> String {
        // Bytes beyond the last multiple of the count would make the first words more likely.
        let limit = 256 - 256 % words.count
        while true {
            for byte in randomness.bytes(8) where Int(byte) < limit { return words[Int(byte) % words.count] }
        }
    }
}
