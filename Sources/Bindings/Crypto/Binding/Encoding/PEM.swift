internal import LockstepPrimitives

/// A key or certificate in text form (RFC 7468).
public struct PEM: Sendable {
    /// The kind of the content, such as `PRIVATE KEY`.
    public let label: String
    /// The content as DER bytes.
    public let bytes: [UInt8]

    /// Creates a text form.
    ///
    /// - Parameters:
    ///   - label: The kind of the content.
    ///   - bytes: The content as DER bytes.
    public init(label: String, bytes: [UInt8]) {
        self.label = label
        self.bytes = bytes
    }

    /// Reads the first PEM block in a text; `nil` if the text has no PEM block, or if its first block is invalid.
    public init?(_ text: some StringProtocol) {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("-----") }) else { return nil }
        let label = lines[first].dropFirst(11).dropLast(5)
        let rest = lines[(first + 1)...]
        guard let last = rest.firstIndex(where: { $0 == "-----END \(label)-----" }) else { return nil }
        guard let bytes = Base64.decode(rest[..<last].joined()) else { return nil }
        self.init(label: String(label), bytes: bytes)
    }

    /// The PEM block, with 64 characters per line.
    public var text: String {
        var rest = Substring(Base64.encode(bytes))
        var lines: [Substring] = []
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        return "-----BEGIN \(label)-----\n" + lines.map { $0 + "\n" }.joined() + "-----END \(label)-----\n"
    }
}

extension PEM {
    /// Returns the bytes of the first block in a text, which must have one of the labels.
    static func bytes(of text: String, _ labels: [String]) throws(CryptoError) -> [UInt8] {
        guard let block = PEM(text), labels.contains(block.label) else {
            throw CryptoError(.invalidKey, "The text is not a PEM block \(labels.joined(separator: " or ")).")
        }
        return block.bytes
    }
}
