/// Every sentence that a screen shows, by a stable key: in English, or as the app has it.
///
/// ```swift
/// let german = AuthStrings(["error.invalidCode": "Das ist nicht der Code."])
/// let localized = AuthStrings { key in catalog[key.rawValue] }  // an app's own catalogue of strings
/// let label = german.label(of: .email)  // "E-mail": what is missing is English
/// ```
///
/// A key that the app does not have is English. No sentence holds a provider's own text, and none a secret.
public struct AuthStrings: Sendable {
    /// Names a sentence; the raw values never change.
    public struct Key: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The stable name, such as `error.invalidCode`.
        public let rawValue: String

        /// A key by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A key by its name.
        public init(stringLiteral name: String) { rawValue = name }

        init(_ name: String) { rawValue = name }

        /// The stable name.
        public var description: String { rawValue }

        /// In alphabetical order.
        public static func < (left: Key, right: Key) -> Bool { left.rawValue < right.rawValue }
    }

    private let lookUp: @Sendable (Key) -> String?

    /// The words of an app.
    ///
    /// - Parameter lookUp: The app's sentence for a key; `nil`, the empty text and the key itself (what Foundation gives for a
    ///   missing entry) mean English.
    public init(_ lookUp: @escaping @Sendable (Key) -> String?) { self.lookUp = lookUp }

    /// The words of an app, by key; keys that are missing are English.
    public init(_ sentences: [String: String]) {
        self.init { sentences[$0.rawValue] }
    }

    /// English.
    public static let english = AuthStrings { _ in nil }

    /// Every key with its English sentence, for translators.
    ///
    /// What stands in braces is filled in: `{seconds}`, `{destination}`.
    public static let catalog: [Key: String] = Dictionary(
        uniqueKeysWithValues: (EnglishWords.errors + EnglishWords.screens + EnglishWords.forms).map { (Key($0.0), $0.1) })

    /// The sentence of a key, with values in the place of their names in braces; empty where there is no such key.
    public func callAsFunction(_ key: Key, _ values: [String: String] = [:]) -> String {
        text(key, values) ?? ""
    }

    /// The sentence of a key; `nil` where there is no such key.
    func text(_ key: Key, _ values: [String: String] = [:]) -> String? {
        let own = lookUp(key).flatMap { $0.isEmpty || $0 == key.rawValue ? nil : $0 }
        guard let sentence = own ?? Self.catalog[key] else { return nil }
        return values.reduce(sentence) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
