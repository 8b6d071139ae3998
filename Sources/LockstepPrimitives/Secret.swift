/// A text that must not be shown: a password, a token, a code, a key.
///
/// It prints as `<redacted>` in every form of Swift output: description, debug description, `dump` and mirrors. It also
/// encodes as `<redacted>`, unless the encoder sets ``CodingUserInfoKey/revealsSecrets``, which only session stores do.
/// Code that needs the text calls ``reveal()``, so every such place can be found.
///
/// ```swift
/// let password = Secret("correct horse battery staple")
/// print(password)                              // <redacted>
/// print(password.reveal().utf8.count >= 8)     // true
/// ```
public struct Secret: Sendable, Hashable {
    private let text: String

    /// Wraps a text.
    ///
    /// - Parameter text: The text.
    public init(_ text: String) {
        self.text = text
    }

    /// Returns the text itself.
    ///
    /// The caller must not print it, log it or put it into an error.
    public func reveal() -> String { text }

    /// Whether the text is empty.
    public var isEmpty: Bool { text.isEmpty }

    /// The text that is shown in place of every secret.
    public static let mask = "<redacted>"

    /// Compares two secrets in time that depends only on their lengths, so a secret cannot be guessed byte by byte.
    public static func == (left: Secret, right: Secret) -> Bool {
        let left = Array(left.text.utf8)
        let right = Array(right.text.utf8)
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}

extension Secret: ExpressibleByStringLiteral {
    /// Wraps a literal.
    ///
    /// Use it in tests and examples.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always ``mask``.
    public var description: String { Secret.mask }

    /// Always ``mask``.
    public var debugDescription: String { Secret.mask }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret: Codable {
    /// Decodes a secret that a store has saved.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text if the encoder reveals secrets, and ``mask`` otherwise.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let reveals = encoder.userInfo[.revealsSecrets] as? Bool ?? false
        try container.encode(reveals ? text : Secret.mask)
    }
}

extension CodingUserInfoKey {
    /// Set to `true` by a session store's encoder, and by nothing else.
    ///
    /// Then secrets are encoded in clear text.
    public static let revealsSecrets: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "lockstep.reveals-secrets") else {
            preconditionFailure("CodingUserInfoKey takes any text")
        }
        return key
    }()
}
