/// An e-mail address that was checked, as it was written but in lower case.
struct EmailAddress: Hashable {
    let text: String

    /// Reads an address; spaces around it do not count.
    ///
    /// ASCII only, one `@`, a host with a dot: what Clerk's form takes, and no list, no display name, no quoted part.
    init?(_ raw: String) {
        let trimmed = raw.trimmed
        guard trimmed.utf8.count <= 254, let at = trimmed.firstIndex(of: "@") else { return nil }
        let local = trimmed[..<at]
        let host = trimmed[trimmed.index(after: at)...]
        guard (1...64).contains(local.utf8.count), local.utf8.allSatisfy(Self.isLocal), !local.hasPrefix("."),
            !local.hasSuffix("."),
            !local.contains(".."), Self.isHost(host)
        else { return nil }
        text = trimmed.lowercased()
    }

    /// Whether it is a test address: its sub-address begins with `clerk_test`, nothing is sent to it, and its code is 424242.
    var isTest: Bool {
        guard let plus = text.firstIndex(of: "+"), let at = text.firstIndex(of: "@"), plus < at else { return false }
        return text[text.index(after: plus)..<at].hasPrefix("clerk_test")
    }

    private static let localSigns = Set("!#$%&'*+/=?^_`{|}~-.".utf8)

    private static func isLocal(_ unit: UInt8) -> Bool { unit.isLetterOrDigit || localSigns.contains(unit) }

    private static func isHost(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
                    && !label.hasPrefix("-") && !label.hasSuffix("-")
            }
    }
}

extension UInt8 {
    /// Whether it is one of `A-Z a-z 0-9`.
    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        let kept = drop { $0.isWhitespace }
        return String(kept.reversed().drop { $0.isWhitespace }.reversed())
    }
}
