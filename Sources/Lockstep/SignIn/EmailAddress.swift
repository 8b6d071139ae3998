internal import LockstepPrimitives

/// A checked email address, without white space at its start or end.
///
/// The check rejects a text if two systems could read it as two different addresses. The client sends every other
/// address to the backend, which decides. So an address may contain letters of any script, an international domain, a
/// quoted name or a tag. Only a message to the address shows whether the address exists.
///
/// If the domain has letters outside ASCII, it is converted to its ASCII form, the name in the DNS (RFC 5891):
/// `bücher.example` becomes `xn--bcher-kva.example`. Both spellings stand for the same address and the same account.
///
/// ```swift
/// let address = try EmailAddress(" ada@bücher.example ").text  // "ada@xn--bcher-kva.example"
/// ```
public struct EmailAddress: Hashable, Sendable {
    /// The email address.
    public let text: String

    /// Reads an email address that a person typed.
    ///
    /// Spaces, tabs and line breaks at the start and the end are removed.
    ///
    /// - Parameter typed: The text that the person typed.
    /// - Throws: `invalidEmail` if the text is not exactly one address, for example a list of addresses, or an address
    ///   with a display name. Also `invalidEmail` if a system could mistake the text for another address. Examples are
    ///   control characters, white space, zero-width characters, and combining accents in the domain (not in NFC).
    ///   Another example is a character that some systems convert to an ASCII letter, such as the Kelvin sign.
    public init(_ typed: String) throws(AuthError) {
        let trimmed = typed.trimmingPlainSpace()
        guard !trimmed.isEmpty else {
            throw AuthError(.invalidEmail, "The e-mail address is empty. Ask the user for an address before the call.")
        }
        if let stranger = trimmed.unicodeScalars.first(where: { !$0.isPlainInAddress }) {
            throw AuthError(
                .invalidEmail,
                "The e-mail address contains \(stranger.codePoint): white space, a control character, a zero-width character, "
                    + "or a character that looks like another. Ask the user to type it again.")
        }
        guard trimmed.utf8.count <= Self.limit, let domain = trimmed.domainOfOneAddress, domain.hasLabels else {
            throw AuthError(
                .invalidEmail, "This is not one e-mail address in the format name@domain. Ask the user to correct it.")
        }
        guard let ascii = InternationalDomain.ascii(domain) else {
            throw AuthError(
                .invalidEmail,
                "The domain of the e-mail address contains an accent without a letter. Ask the user to type it again.")
        }
        text = ascii == domain ? trimmed : String(trimmed[..<domain.startIndex]) + ascii
    }

    /// The maximum length of a mail address in bytes: 64 for the name, 255 for the domain (RFC 5321, section 4.5.3.1).
    private static let limit = 320

    /// Returns an email address with most of its name hidden, for screens and messages.
    ///
    /// - Parameter address: The email address.
    /// - Returns: The masked address.
    public static func masked(_ address: String) -> String {
        let parts = address.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].first else { return "•••" }
        return "\(first)•••@\(parts[1])"
    }
}

extension Unicode.Scalar {
    /// The character's number in the usual form with at least four digits, such as `U+0020`.
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
    }

    fileprivate var isPlainInAddress: Bool {
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
        default: break
        }
        // U+2800, the empty Braille pattern, is a letter in Unicode but looks blank.
        return !properties.isDefaultIgnorableCodePoint && value != 0x2800 && !LookAlikes.contains(self)
    }
}

extension String {
    /// The text after the `@` of a single address.
    ///
    /// It is `nil` if the text is a list, contains a display name, or lacks a name or a domain. Inside a quoted name
    /// (`"a,b"@example.com`), characters have no special meaning.
    fileprivate var domainOfOneAddress: Substring? {
        var rest = unicodeScalars[...]
        if rest.first == "\"" {
            rest.removeFirst()
            guard let end = rest.indexOfClosingQuote else { return nil }
            rest = rest[rest.index(after: end)...]
        } else {
            guard let end = rest.firstIndex(where: { "@,;<>\"".unicodeScalars.contains($0) }), end != rest.startIndex else {
                return nil
            }
            rest = rest[end...]
        }
        guard rest.popFirst() == "@", !rest.contains(where: { "@,;<>\"".unicodeScalars.contains($0) }) else { return nil }
        return Substring(rest)
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var indexOfClosingQuote: Index? {
        var isEscaped = false
        for place in indices {
            if isEscaped {
                isEscaped = false
            } else if self[place] == "\\" {
                isEscaped = true
            } else if self[place] == "\"" {
                return place
            }
        }
        return nil
    }
}

extension StringProtocol {
    /// Returns the text without spaces, tabs and line ends at its start and end.
    func trimmingPlainSpace() -> String {
        let plain: Set<Unicode.Scalar> = [" ", "\t", "\r", "\n"]
        var rest = Substring(self).unicodeScalars
        while let first = rest.first, plain.contains(first) { rest.removeFirst() }
        while let last = rest.last, plain.contains(last) { rest.removeLast() }
        return String(rest)
    }

    /// Whether no label between the dots is empty.
    fileprivate var hasLabels: Bool { split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty } }
}

/// Converts a domain to ASCII.
///
/// Each label with other letters becomes `xn--` and its Punycode (RFC 3492).
///
/// The only mapping here is that of capital letters. ``EmailAddress`` has already rejected the other characters that
/// the DNS maps (UTS 46): full-width letters, ideographic full stops, and zero-width characters.
enum InternationalDomain {
    /// Returns the domain in ASCII; a domain that is already in ASCII stays unchanged.
    ///
    /// - Returns: `nil` if the domain contains a separate accent (U+0300 to U+036F), which should be part of the letter
    ///   before it.
    static func ascii(_ domain: Substring) -> String? {
        guard !domain.utf8.allSatisfy({ $0 < 0x80 }) else { return String(domain) }
        guard !domain.unicodeScalars.contains(where: { (0x300...0x36F).contains($0.value) }) else { return nil }
        return domain.pieces(at: ".", omittingEmptySubsequences: false).map(label).joined(separator: ".")
    }

    private static func label(_ label: Substring) -> String {
        // By scalar, because a sigma at the end of a word has a special lower-case form, which the DNS does not use.
        let small = label.unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
        return small.utf8.allSatisfy { $0 < 0x80 } ? small : "xn--" + punycode(Array(small.unicodeScalars.map(\.value)))
    }

    // MARK: RFC 3492, section 6.3

    private static func punycode(_ scalars: [UInt32]) -> String {
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (UInt32(128), 0, 72, basic)
        while handled < scalars.count, let least = scalars.filter({ $0 >= next }).min() {
            delta += Int(least - next) * (handled + 1)
            next = least
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                output += digits(of: delta, bias)
                bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns a number as digits of variable length, the lowest digit first.
    private static func digits(of number: Int, _ bias: Int) -> [UInt8] {
        var (rest, place, digits) = (number, 36, [UInt8]())
        while true {
            let threshold = min(max(place - bias, 1), 26)
            guard rest >= threshold else { return digits + [digit(rest)] }
            digits.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            place += 36
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }

    private static func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
        var (rest, turns) = (isFirst ? delta / 700 : delta / 2, 0)
        rest += rest / points
        while rest > 455 {
            rest /= 35
            turns += 36
        }
        return turns + 36 * rest / (rest + 38)
    }
}

/// Characters outside ASCII that some system converts to ASCII: by compatibility (full-width letters, `™`, `①`), by
/// case (the Kelvin sign, `ı`, `ſ`, `ß`), or, in a domain, to a dot.
///
/// A backend that converts such a character would mistake the address for another one. The list contains the characters
/// of Unicode 16 that NFKC, a change of case, or case folding of the results turns into ASCII only. It also contains
/// U+0130, because many languages lower it to `i`, and the ideographic full stops, which IDNA treats as dots. A test
/// compares the list with Foundation's conversions.
enum LookAlikes {
    /// Returns whether the list contains a character.
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar.value)
    }

    /// The ranges in ascending order.
    private static let ranges: [ClosedRange<UInt32>] = [
        0xA0...0xA0, 0xAA...0xAA, 0xB2...0xB3, 0xB9...0xBA, 0xDF...0xDF, 0x130...0x133, 0x17F...0x17F, 0x1C7...0x1CC,
        0x1F1...0x1F3, 0x2B0...0x2B0, 0x2B2...0x2B3, 0x2B7...0x2B8, 0x2E1...0x2E3, 0x37E...0x37E, 0x1D2C...0x1D2C,
        0x1D2E...0x1D2E, 0x1D30...0x1D31, 0x1D33...0x1D3A, 0x1D3C...0x1D3C, 0x1D3E...0x1D43, 0x1D47...0x1D49,
        0x1D4D...0x1D4D, 0x1D4F...0x1D50, 0x1D52...0x1D52, 0x1D56...0x1D58, 0x1D5B...0x1D5B, 0x1D62...0x1D65,
        0x1D9C...0x1D9C, 0x1DA0...0x1DA0, 0x1DBB...0x1DBB, 0x1E9E...0x1E9E, 0x1FEF...0x1FEF, 0x2000...0x200A,
        0x2024...0x2026, 0x202F...0x202F, 0x203C...0x203C, 0x2047...0x2049, 0x205F...0x205F, 0x2070...0x2071,
        0x2074...0x207A, 0x207C...0x208A, 0x208C...0x208E, 0x2090...0x2093, 0x2095...0x209C, 0x20A8...0x20A8,
        0x2100...0x2102, 0x2105...0x2106, 0x210A...0x210E, 0x2110...0x2113, 0x2115...0x2116, 0x2119...0x211D,
        0x2120...0x2122, 0x2124...0x2124, 0x2128...0x2128, 0x212A...0x212A, 0x212C...0x212D, 0x212F...0x2131,
        0x2133...0x2134, 0x2139...0x2139, 0x213B...0x213B, 0x2145...0x2149, 0x2160...0x217F, 0x2460...0x24EA,
        0x2A74...0x2A76, 0x2C7C...0x2C7D, 0x3000...0x3000, 0x3002...0x3002, 0x3250...0x325F, 0x32B1...0x32BF,
        0x32CC...0x32CF, 0x3371...0x337A, 0x3380...0x3381, 0x3383...0x338B, 0x338E...0x3394, 0x3396...0x339A,
        0x339C...0x33A6, 0x33A9...0x33AD, 0x33B0...0x33B1, 0x33B3...0x33B5, 0x33B7...0x33BB, 0x33BD...0x33BF,
        0x33C2...0x33C5, 0x33C7...0x33DD, 0x33FF...0x33FF, 0xA7F2...0xA7F4, 0xFB00...0xFB06, 0xFB29...0xFB29,
        0xFE10...0xFE10, 0xFE13...0xFE16, 0xFE19...0xFE19, 0xFE30...0xFE30, 0xFE33...0xFE38, 0xFE47...0xFE48,
        0xFE4D...0xFE50, 0xFE52...0xFE52, 0xFE54...0xFE57, 0xFE59...0xFE5C, 0xFE5F...0xFE66, 0xFE68...0xFE6B,
        0xFF01...0xFF5E, 0xFF61...0xFF61, 0x107A5...0x107A5, 0x1CCD6...0x1CCF9, 0x1D400...0x1D454, 0x1D456...0x1D49C,
        0x1D49E...0x1D49F, 0x1D4A2...0x1D4A2, 0x1D4A5...0x1D4A6, 0x1D4A9...0x1D4AC, 0x1D4AE...0x1D4B9, 0x1D4BB...0x1D4BB,
        0x1D4BD...0x1D4C3, 0x1D4C5...0x1D505, 0x1D507...0x1D50A, 0x1D50D...0x1D514, 0x1D516...0x1D51C, 0x1D51E...0x1D539,
        0x1D53B...0x1D53E, 0x1D540...0x1D544, 0x1D546...0x1D546, 0x1D54A...0x1D550, 0x1D552...0x1D6A4, 0x1D7CE...0x1D7FF,
        0x1F100...0x1F10A, 0x1F110...0x1F129, 0x1F12B...0x1F12E, 0x1F130...0x1F14F, 0x1F16A...0x1F16C, 0x1F190...0x1F190,
        0x1FBF0...0x1FBF9,
    ]
}
