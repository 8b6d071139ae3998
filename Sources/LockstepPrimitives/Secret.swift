/// A text that must not be seen: a password, a token, a code, a key.
///
/// It prints as `<redacted>` in every form of output Swift has (description, debug description, `dump`, mirrors), and encodes as
/// `<redacted>` too, unless the encoder is configured otherwise by ``CodingUserInfoKey/revealsSecrets``, which only the session
/// stores do. Code that needs the text calls ``reveal()``, so that every such place can be found.
public struct Secret: Sendable, Hashable {
    private let text: String

    /// Wraps a text.
    public init(_ text: String) {
        self.text = text
    }

    /// The text itself.
    ///
    /// The caller must not print it, log it or put it into an error.
    public func reveal() -> String { text }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { text.isEmpty }

    /// The mask that is shown in place of every secret.
    public static let mask = "<redacted>"

    /// Compares in time that depends on the lengths only, so that a secret cannot be guessed byte by byte.
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
    /// Wraps a literal, for tests and examples.
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
    /// Decodes a secret that a store has written.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text where the encoder asks for it, and ``mask`` anywhere else.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let reveals = encoder.userInfo[.revealsSecrets] as? Bool ?? false
        try container.encode(reveals ? text : Secret.mask)
    }
}

extension CodingUserInfoKey {
    /// Set to `true` by a session store's encoder, and by nothing else: secrets are then written as they are.
    public static let revealsSecrets: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "lockstep.reveals-secrets") else {
            preconditionFailure("CodingUserInfoKey takes any text")
        }
        return key
    }()
}
