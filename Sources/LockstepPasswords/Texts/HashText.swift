internal import LockstepPrimitives

/// The common text form of hashes: `$name$a=1,b=2$salt$hash`, with bytes in base64 without padding.
struct HashText {
    /// The texts between the dollar signs.
    let parts: [String]

    /// Splits a text that begins with a dollar sign.
    init?(_ text: String) {
        // By bytes, which is faster: a move reads one text per user.
        guard text.utf8.first == UInt8(ascii: "$") else { return nil }
        parts = text.utf8.dropFirst().split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }

    /// Joins the parts of a text.
    static func join(_ parts: [String]) -> String { parts.map { "$" + $0 }.joined() }

    /// Reads the settings `a=1,b=2` of a part.
    ///
    /// The result is `nil` if the part is invalid or repeats a name.
    static func settings(_ part: String) -> [String: String]? {
        var settings: [String: String] = [:]
        for pair in part.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let mark = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let (name, value) = (Substring(pair[..<mark]), Substring(pair[pair.index(after: mark)...]))
            guard settings.updateValue(String(value), forKey: String(name)) == nil else { return nil }
        }
        return settings
    }

    /// Reads a number in the form of these texts: only digits, no leading zeros, at most 2^31 - 1.
    static func number(_ text: (some StringProtocol)?) -> Int? {
        guard let text, let number = Int32(text), String(number) == text, number >= 0 else { return nil }
        return Int(number)
    }

    /// Encodes bytes in base64 without padding.
    static func write(_ bytes: [UInt8]) -> String {
        String(Substring(Base64.encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }))
    }

    /// Decodes base64, with or without padding, in the standard or the URL alphabet.
    static func read(_ text: String?) -> [UInt8]? {
        guard let text else { return nil }
        return Base64.decode(text) ?? Base64.decode(text, .url)
    }
}
