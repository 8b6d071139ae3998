internal import LockstepPrimitives

/// The common form of hashes as text: `$name$a=1,b=2$salt$hash`, bytes in base64 without filling.
struct HashText {
    /// What stands between the dollar signs.
    let parts: [String]

    /// Takes a text apart that begins with a dollar sign.
    init?(_ text: String) {
        guard text.hasPrefix("$") else { return nil }
        parts = text.dropFirst().split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    }

    /// Puts a text together.
    static func join(_ parts: [String]) -> String { parts.map { "$" + $0 }.joined() }

    /// The settings `a=1,b=2` of a part, each name once; `nil` where it is broken.
    static func settings(_ part: String) -> [String: String]? {
        var settings: [String: String] = [:]
        for pair in part.split(separator: ",", omittingEmptySubsequences: false) {
            let pieces = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2, settings.updateValue(String(pieces[1]), forKey: String(pieces[0])) == nil else { return nil }
        }
        return settings
    }

    /// A number as these texts write it: digits only, no zero before others, none above 2^31 - 1.
    static func number(_ text: (some StringProtocol)?) -> Int? {
        guard let text, let number = Int32(text), String(number) == text, number >= 0 else { return nil }
        return Int(number)
    }

    /// Bytes as base64 without filling.
    static func write(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).prefix { $0 != "=" })
    }

    /// Bytes from base64, filled or not, in the standard or the URL alphabet.
    static func read(_ text: String?) -> [UInt8]? {
        guard let text else { return nil }
        return Base64.decode(text) ?? Base64.decode(text, .url)
    }
}
