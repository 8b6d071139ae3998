/// All sentences of the screens, in English or in the app's own words.
///
/// Each sentence has a stable key.
///
/// ```swift
/// let german = AuthStrings(["error.invalidCode": "Das ist nicht der Code."])
/// let localized = AuthStrings { key in catalog[key.rawValue] }  // an app's own catalogue of strings
/// let label = german.label(of: .email)  // "E-mail": what is missing is English
/// ```
///
/// If the app has no text for a key, the English text is used. No sentence contains a provider's own text or a secret.
public struct AuthStrings: Sendable {
    /// The key of a sentence.
    ///
    /// The raw values never change.
    public struct Key: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The stable name, such as `error.invalidCode`.
        public let rawValue: String

        /// Creates a key.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a key from a string literal.
        ///
        /// - Parameter name: The stable name.
        public init(stringLiteral name: String) { rawValue = name }

        init(_ name: String) { rawValue = name }

        /// The stable name.
        public var description: String { rawValue }

        /// Returns whether `left` comes before `right` in alphabetical order.
        public static func < (left: Key, right: Key) -> Bool { left.rawValue < right.rawValue }
    }

    private let lookUp: @Sendable (Key) -> String?

    /// Creates the sentences of an app from a function.
    ///
    /// - Parameter lookUp: A function that returns the app's sentence for a key. If the function returns `nil`, an
    ///   empty text, or the key itself, the English sentence is used. (Foundation returns the key itself if an entry is
    ///   missing.)
    public init(_ lookUp: @escaping @Sendable (Key) -> String?) { self.lookUp = lookUp }

    /// Creates the sentences of an app from a dictionary.
    ///
    /// If a key is missing, the English sentence is used.
    ///
    /// - Parameter sentences: The sentences by key.
    public init(_ sentences: [String: String]) {
        self.init { sentences[$0.rawValue] }
    }

    /// The English sentences.
    public static let english = AuthStrings { _ in nil }

    /// All keys with their English sentences, for translators.
    ///
    /// A name in braces is a placeholder, such as `{seconds}` or `{destination}`.
    public static let catalog: [Key: String] = Dictionary(
        uniqueKeysWithValues: (EnglishWords.errors + EnglishWords.screens + EnglishWords.forms).map { (Key($0.0), $0.1) })

    /// Returns the sentence of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - values: The values of the placeholders, by their names.
    /// - Returns: The sentence; empty if the key is unknown.
    public func callAsFunction(_ key: Key, _ values: [String: String] = [:]) -> String {
        text(key, values) ?? ""
    }

    /// Returns the sentence of a key; `nil` if the key is unknown.
    func text(_ key: Key, _ values: [String: String] = [:]) -> String? {
        let own = lookUp(key).flatMap { $0.isEmpty || $0 == key.rawValue ? nil : $0 }
        guard let sentence = own ?? Self.catalog[key] else { return nil }
        return values.reduce(sentence) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
