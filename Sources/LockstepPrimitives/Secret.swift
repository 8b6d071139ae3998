/// A text that must not be shown, such as a password, a token, a code or a key.
///
/// Swift prints a secret as `<redacted>` in its description, in its debug description, in `dump` and in mirrors. An
/// encoder also writes `<redacted>` unless it sets ``CodingUserInfoKey/revealsSecrets``. Only session stores set it.
/// Code that needs the text calls ``reveal()`` or ``bearer``, so a search for these names finds all such code. A secret in
/// a text such as `"Bearer \(token)"` does not compile, because it would only contain `<redacted>`.
///
/// ```swift
/// let password = Secret("correct horse battery staple")
/// print(password)                              // <redacted>
/// print(password.reveal().utf8.count >= 8)     // true
/// ```
public struct Secret: Sendable, Hashable {
    private let text: String

    /// Creates a secret from a text.
    ///
    /// - Parameter text: The text.
    public init(_ text: String) {
        self.text = text
    }

    /// Returns the text itself.
    ///
    /// The caller must not print the text, log it, or put it into an error.
    ///
    /// - Returns: The secret text.
    public func reveal() -> String { text }

    /// The value of the header `Authorization` with this token: `Bearer` and the text.
    ///
    /// Like ``reveal()``, it must not be printed or logged.
    public var bearer: String { "Bearer " + text }

    /// Whether the text is empty.
    public var isEmpty: Bool { text.isEmpty }

    /// The text that is shown in place of every secret.
    public static let mask = "<redacted>"

    /// Compares two secrets.
    ///
    /// The time of a comparison depends only on the lengths. So an attacker cannot use the time to guess a secret byte by byte.
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
    /// Creates a secret from a string literal, for tests and examples.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text ``mask``, never the secret.
    public var description: String { Secret.mask }

    /// The text ``mask``, never the secret.
    public var debugDescription: String { Secret.mask }

    /// A mirror without children, so that `dump` does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

// Two equal choices are an error, and the compiler shows both, so that their names say what to write instead. An unavailable
// method would not be an error, because the compiler would choose the one for any type.
extension DefaultStringInterpolation {
    /// Not available: use ``Secret/bearer`` for a header, or ``Secret/reveal()``.
    ///
    /// - Parameters:
    ///   - secretIsNoText: A secret.
    ///   - useBearer: Nothing.
    public mutating func appendInterpolation(_ secretIsNoText: Secret, useBearer: Never? = nil) {
        appendLiteral(Secret.mask)
    }

    /// Not available: use ``Secret/reveal()``, or ``Secret/bearer`` for a header.
    ///
    /// - Parameters:
    ///   - secretIsNoText: A secret.
    ///   - orReveal: Nothing.
    public mutating func appendInterpolation(_ secretIsNoText: Secret, orReveal: Never? = nil) {
        appendLiteral(Secret.mask)
    }
}

extension Secret: Codable {
    /// Decodes a secret that a store has saved.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: The errors of the decoder.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text if the encoder sets ``CodingUserInfoKey/revealsSecrets``; otherwise encodes ``mask``.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let reveals = encoder.userInfo[.revealsSecrets] as? Bool ?? false
        try container.encode(reveals ? text : Secret.mask)
    }
}

extension CodingUserInfoKey {
    /// The key that makes an encoder write secrets in plain text.
    ///
    /// Only the encoder of a session store sets it to `true`.
    public static let revealsSecrets: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "lockstep.reveals-secrets") else {
            preconditionFailure("CodingUserInfoKey accepts any text")
        }
        return key
    }()
}
