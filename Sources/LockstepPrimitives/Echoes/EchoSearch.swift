/// Finds secrets in text from other sources.
///
/// Text is compared after ``fold(_:)``, which removes the differences between encodings. It is compared several times:
/// unchanged, with the escapes of one kind decoded, with the escapes of every kind decoded, and decoded twice. So the
/// search also finds a secret that looks like an escape. For example, `%41` in a password stays unchanged if only the
/// escapes of HTML are decoded.
package struct EchoSearch: Sendable {
    private struct Pattern: Sendable, Hashable {
        let bytes: [UInt8]
        /// Whether the pattern matches whole words only.
        ///
        /// A very short text is part of many words.
        let isWord: Bool
        /// Whether the pattern is part of a longer secret.
        ///
        /// The whole piece around a match is masked.
        let isPart: Bool
    }

    private var patterns: Set<Pattern> = []
    /// The patterns by their first bytes.
    private var byBeginning: [UInt32: [Pattern]] = [:]
    private let inParts: Bool
    private var first = [Bool](repeating: false, count: 256)

    /// Creates a search for secrets.
    ///
    /// Empty texts are ignored.
    ///
    /// - Parameters:
    ///   - secrets: The secrets to find.
    ///   - inParts: Whether pieces of long secrets are found, too.
    package init(for secrets: [String], inParts: Bool = true) {
        self.inParts = inParts
        insert(secrets)
    }

    /// Adds secrets to find.
    ///
    /// - Parameter secrets: The secrets. Empty texts are ignored.
    package mutating func insert(_ secrets: some Sequence<String>) {
        for secret in secrets where !secret.isEmpty && secret != Secret.mask {
            // A long secret is a token. Servers do not change the case of a token.
            let forms = secret.utf8.count > 100 ? [secret] : [secret, secret.lowercased(), secret.uppercased()]
            for form in forms { add(Array(form.utf8)) }
            for bytes in Self.decodedForms(of: secret) { add(bytes) }
        }
    }

    private mutating func add(_ pattern: Pattern) {
        guard patterns.insert(pattern).inserted else { return }
        first[Int(pattern.bytes[0])] = true
        byBeginning[Self.beginning(of: pattern.bytes, at: 0, min(pattern.bytes.count, 3)), default: []].append(pattern)
    }

    /// Returns up to three bytes as one number.
    private static func beginning(of bytes: [UInt8], at start: Int, _ count: Int) -> UInt32 {
        var number = UInt32(count)
        var index = start
        while index < start + count {
            number = number << 8 | UInt32(bytes[index])
            index += 1
        }
        return number
    }

    private mutating func add(_ bytes: [UInt8]) {
        let folded = bytes.map(Self.fold)
        add(Pattern(bytes: folded, isWord: bytes.count < 4, isPart: false))
        guard bytes.count >= 4 else { return }
        add(Pattern(bytes: Array(Hex.encode(bytes).utf8), isWord: false, isPart: false))
        for separator in [",", ", "] where bytes.count >= Self.shortestDecoded {
            let list = bytes.map { String($0) }.joined(separator: separator)
            add(Pattern(bytes: list.utf8.map(Self.fold), isWord: false, isPart: false))
        }
        for core in Self.base64Cores(of: bytes) where core.count >= 6 {
            add(Pattern(bytes: core.map(Self.fold), isWord: false, isPart: false))
        }
        guard inParts, bytes.count >= 2 * Self.partLength else { return }
        // Any quoted piece that is twice as long as a part contains at least one whole part.
        for start in stride(from: 0, through: bytes.count - Self.partLength, by: Self.partLength) {
            let part = Array(folded[start..<(start + Self.partLength)])
            add(Pattern(bytes: part, isWord: false, isPart: true))
        }
    }

    private static let partLength = 12

    /// Returns the base64 characters that depend only on the bytes, for each offset at which the bytes can start.
    private static func base64Cores(of bytes: [UInt8]) -> [[UInt8]] {
        (0..<3).map { offset in
            let encoded = Array(Base64.encode([UInt8](repeating: 0, count: offset) + bytes).utf8)
            let start = (offset * 8 + 5) / 6
            let end = (offset + bytes.count) * 8 / 6
            return Array(encoded[min(start, end)..<end])
        }
    }

    /// Returns the bytes that a secret encodes, such as the bytes of a password hash.
    ///
    /// A server may quote them in another encoding.
    ///
    /// The secret is decoded as base64 in both alphabets and as hexadecimal digits. Both the whole secret and the parts
    /// of a hash between `$` are decoded. A server that shows bytes as text reads them as UTF-8, with U+FFFD for invalid
    /// bytes, or as Latin-1.
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

    /// The minimum length in bytes.
    ///
    /// Shorter byte sequences occur in many texts by chance.
    private static let shortestDecoded = 6

    /// Returns the byte in lower case.
    ///
    /// Space, `+` and `-` become the same byte, and so do `/` and `_`, because encodings exchange them.
    static func fold(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: " "): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: byte
        }
    }

    /// Returns the text with ``Secret/mask`` in place of every secret.
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

    /// Returns the text in each decoded form: the escapes of each kind decoded, of all kinds, and of all kinds twice.
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

    /// Returns the places of all secrets.
    ///
    /// The method uses plain loops because it reads every byte of every traced response, even in debug builds.
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

    /// Extends a match to the whole token: all adjacent characters that occur in tokens.
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
