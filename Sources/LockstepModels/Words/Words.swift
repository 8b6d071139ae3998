/// All sentences for screens, by stable keys, in English or in the app's own words.
///
/// ```swift
/// let german = Words(["error.invalidCode": "Das ist nicht der Code."])
/// let localized = Words { key in catalog[key.rawValue] }  // an app's own catalogue of strings
/// let label = german.label(of: .email)  // "E-mail": what is missing is English
/// ```
///
/// Keys without an app's own sentence are in English. Sentences contain neither a provider's own text nor a secret.
public struct Words: Sendable {
    /// The key of a sentence.
    ///
    /// The raw values never change.
    public struct Key: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The stable name, such as `error.invalidCode`.
        public let rawValue: String

        /// Creates a key from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a key from its name.
        public init(stringLiteral name: String) { rawValue = name }

        init(_ name: String) { rawValue = name }

        /// The stable name.
        public var description: String { rawValue }

        /// Compares in alphabetical order.
        public static func < (left: Key, right: Key) -> Bool { left.rawValue < right.rawValue }
    }

    private let lookUp: @Sendable (Key) -> String?

    /// Creates the words of an app.
    ///
    /// - Parameter lookUp: Returns the app's sentence for a key. `nil`, an empty string, or the key itself (Foundation's result
    ///   for a missing entry) means English.
    public init(_ lookUp: @escaping @Sendable (Key) -> String?) { self.lookUp = lookUp }

    /// Creates the words of an app from sentences by key.
    ///
    /// Missing keys are in English.
    public init(_ sentences: [String: String]) {
        self.init { sentences[$0.rawValue] }
    }

    /// The English words.
    public static let english = Words { _ in nil }

    /// Every key with its English sentence, for translators.
    ///
    /// Placeholders in braces are replaced: `{seconds}`, `{destination}`.
    public static let catalog: [Key: String] = Dictionary(
        uniqueKeysWithValues: (EnglishWords.errors + EnglishWords.screens + EnglishWords.forms).map { (Key($0.0), $0.1) })

    /// Returns the sentence of a key, with values in place of the placeholders; empty if there is no such key.
    public func callAsFunction(_ key: Key, _ values: [String: String] = [:]) -> String {
        text(key, values) ?? ""
    }

    /// The sentence of a key; `nil` if there is no such key.
    func text(_ key: Key, _ values: [String: String] = [:]) -> String? {
        let own = lookUp(key).flatMap { $0.isEmpty || $0 == key.rawValue ? nil : $0 }
        guard let sentence = own ?? Self.catalog[key] else { return nil }
        return values.reduce(sentence) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
