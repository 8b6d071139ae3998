/// Finds secrets in foreign texts.
///
/// Texts are compared after ``fold(_:)``, which removes the differences between encodings, and several times: as they are, with
/// the escapes of one kind taken out, with those of every kind, and with the escapes of that. A secret may itself look like an
/// escape: `%41` in a password that a page quotes stays as it is where only the escapes of HTML are taken out.
package struct EchoSearch: Sendable {
    private struct Pattern: Sendable, Hashable {
        let bytes: [UInt8]
        /// Whether it matches only where no letter or digit stands beside it: a very short text is a part of many words.
        let isWord: Bool
        /// Whether it is a part of a longer secret, of which as much is masked as stands there.
        let isPart: Bool
    }

    private var patterns: Set<Pattern> = []
    /// The patterns by their beginnings, and which first bytes there are.
    private var byBeginning: [UInt32: [Pattern]] = [:]
    private var first = [Bool](repeating: false, count: 256)

    /// A search for these texts; empty ones are left out.
    ///
    /// - Parameter inParts: whether pieces of long secrets count as well.
    package init(for secrets: [String], inParts: Bool = true) {
        for secret in Set(secrets) where !secret.isEmpty && secret != Secret.mask {
            // A long secret is a token, which is not quoted in another case.
            let forms = secret.utf8.count > 100 ? [secret] : [secret, secret.lowercased(), secret.uppercased()]
            for form in Set(forms) { add(Array(form.utf8), inParts: inParts) }
            for bytes in Self.decodedForms(of: secret) { add(bytes, inParts: inParts) }
        }
        for pattern in patterns {
            first[Int(pattern.bytes[0])] = true
            byBeginning[Self.beginning(of: pattern.bytes, at: 0, min(pattern.bytes.count, 3)), default: []].append(pattern)
        }
    }

    /// So many bytes, up to three, as one number.
    private static func beginning(of bytes: [UInt8], at start: Int, _ count: Int) -> UInt32 {
        var number = UInt32(count)
        var index = start
        while index < start + count {
            number = number << 8 | UInt32(bytes[index])
            index += 1
        }
        return number
    }

    private mutating func add(_ bytes: [UInt8], inParts: Bool) {
        let folded = bytes.map(Self.fold)
        patterns.insert(Pattern(bytes: folded, isWord: bytes.count < 4, isPart: false))
        guard bytes.count >= 4 else { return }
        patterns.insert(Pattern(bytes: Array(Hex.encode(bytes).utf8), isWord: false, isPart: false))
        for separator in [",", ", "] where bytes.count >= Self.shortestDecoded {
            let list = bytes.map { String($0) }.joined(separator: separator)
            patterns.insert(Pattern(bytes: list.utf8.map(Self.fold), isWord: false, isPart: false))
        }
        for core in Self.base64Cores(of: bytes) where core.count >= 6 {
            patterns.insert(Pattern(bytes: core.map(Self.fold), isWord: false, isPart: false))
        }
        guard inParts, bytes.count >= 2 * Self.partLength else { return }
        // Of a text that is twice as long as a part, one part at least lies within any long piece that is quoted.
        for start in stride(from: 0, through: bytes.count - Self.partLength, by: Self.partLength) {
            let part = Array(folded[start..<(start + Self.partLength)])
            patterns.insert(Pattern(bytes: part, isWord: false, isPart: true))
        }
    }

    private static let partLength = 12

    /// The characters of base64 that the bytes alone decide, wherever in the encoded text they begin.
    private static func base64Cores(of bytes: [UInt8]) -> [[UInt8]] {
        (0..<3).map { offset in
            let encoded = Array(Base64.encode([UInt8](repeating: 0, count: offset) + bytes).utf8)
            let start = (offset * 8 + 5) / 6
            let end = (offset + bytes.count) * 8 / 6
            return Array(encoded[min(start, end)..<end])
        }
    }

    /// The bytes that a secret is a text of, such as those of a password's hash: a server may quote them in another encoding.
    ///
    /// They are read from Base64 in both alphabets and from hexadecimal digits, of the whole secret and of the parts of a hash in
    /// `$`. A server that shows bytes as text reads them as UTF-8, with U+FFFD for what is none, or as Latin-1.
    private static func decodedForms(of secret: String) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = []
        let parts = secret.utf8.split(separator: UInt8(ascii: "$")).map { Substring($0) }
        for text in Set(parts + [secret[...]]) {
            for bytes in [Base64.decode(text), Base64.decode(text, .url), Hex.decode(text)] {
                guard let bytes, bytes.count >= shortestDecoded else { continue }
                forms.formUnion([
                    bytes, Array(String(decoding: bytes, as: UTF8.self).utf8),
                    Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8),
                ])
            }
        }
        return forms
    }

    /// Fewer bytes are in many texts by chance.
    private static let shortestDecoded = 6

    /// Small letters for capitals; one byte for space, `+` and `-`, and one for `/` and `_`, which stand for each other.
    static func fold(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: " "): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: byte
        }
    }

    /// The text with ``Secret/mask`` in place of every secret in it.
    package func mask(_ text: String) -> String {
        guard !patterns.isEmpty, !text.isEmpty else { return text }
        let source = Array(text.utf8)
        var found = matches(in: source)
        for units in Self.readings(of: source) {
            for place in matches(in: units.map(\.byte)) {
                found.append(units[place.lowerBound].range.lowerBound..<units[place.upperBound - 1].range.upperBound)
            }
        }
        if found.isEmpty { return text }
        var hidden = [Bool](repeating: false, count: source.count)
        for place in found { for index in place { hidden[index] = true } }
        return Self.text(source, hidden)
    }

    /// The text as it is without escapes, as far as it has any: without those of each kind, of all kinds, and of all kinds twice.
    private static func readings(of source: [UInt8]) -> [[EscapedUnit]] {
        let marks = EscapedUnit.marks.filter(source.contains)
        if marks.isEmpty { return [] }
        let units = source.indices.map { EscapedUnit(byte: source[$0], range: $0..<($0 + 1)) }
        var readings: [[EscapedUnit]] = []
        if marks.count > 1 { for mark in marks { readings.append(EscapedUnit.decoded(units, marks: [mark])) } }
        let plain = EscapedUnit.decoded(units)
        if plain.count < units.count { readings += [plain, EscapedUnit.decoded(plain)] }
        return readings
    }

    /// Counts with plain loops: every byte of every answer that a trace shows passes here, in debug builds too.
    private func matches(in bytes: [UInt8]) -> [Range<Int>] {
        var text = bytes
        var start = 0
        while start < text.count {
            text[start] = Self.fold(text[start])
            start += 1
        }
        var found: [Range<Int>] = []
        start = 0
        while start < text.count {
            if first[Int(text[start])] {
                var count = 1
                while count <= 3, start + count <= text.count {
                    if let patterns = byBeginning[Self.beginning(of: text, at: start, count)] {
                        for pattern in patterns { if let place = match(pattern, in: text, at: start) { found.append(place) } }
                    }
                    count += 1
                }
            }
            start += 1
        }
        return found
    }

    private func match(_ pattern: Pattern, in text: [UInt8], at start: Int) -> Range<Int>? {
        guard start + pattern.bytes.count <= text.count else { return nil }
        var length = 0
        while length < pattern.bytes.count, text[start + length] == pattern.bytes[length] { length += 1 }
        guard length == pattern.bytes.count else { return nil }
        let place = start..<(start + length)
        if pattern.isWord, Self.isInsideWord(place, of: text) { return nil }
        return pattern.isPart ? Self.wholeWord(around: place, in: text) : place
    }

    private static func isInsideWord(_ place: Range<Int>, of text: [UInt8]) -> Bool {
        place.lowerBound > 0 && isAlphanumeric(text[place.lowerBound - 1])
            || place.upperBound < text.count && isAlphanumeric(text[place.upperBound])
    }

    /// What belongs to a piece of a token: everything beside it that tokens are made of.
    private static func wholeWord(around place: Range<Int>, in text: [UInt8]) -> Range<Int> {
        var (start, end) = (place.lowerBound, place.upperBound)
        while start > 0, isAlphanumeric(text[start - 1]) || text[start - 1] == UInt8(ascii: "_") { start -= 1 }
        while end < text.count, isAlphanumeric(text[end]) || text[end] == UInt8(ascii: "_") { end += 1 }
        return start..<end
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte >= 0x80
    }

    private static func text(_ source: [UInt8], _ hidden: [Bool]) -> String {
        var shown: [UInt8] = []
        var index = 0
        while index < source.count {
            if hidden[index] {
                shown += Array(Secret.mask.utf8)
                while index < source.count, hidden[index] { index += 1 }
            } else {
                shown.append(source[index])
                index += 1
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
