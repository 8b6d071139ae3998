internal import Lockstep
internal import LockstepPrimitives

/// A search for secrets in every form that a server or a store can write.
///
/// It shares no code with the part that masks secrets. It compares bytes because a text can end in the middle of a character.
package struct SecretSearch: Sendable {
    private struct Form: Sendable {
        let bytes: [UInt8]
        let name: String
    }

    /// The forms by their first two bytes, so that one pass over a text finds all of them.
    private var forms: [UInt16: [Form]] = [:]

    /// Creates a search for secrets.
    ///
    /// - Parameter secrets: The secrets with their names.
    package init(_ secrets: [(name: String, secret: Secret)]) {
        for (name, secret) in secrets {
            // A shorter value is not a secret, and occurs in every text. An adapter without tokens has empty ones.
            add(Array(secret.reveal().utf8), name)
        }
    }

    /// Creates a search for bytes that a store has stored.
    ///
    /// - Parameter bytes: The bytes. They need not be a text.
    package init(of bytes: [UInt8]) { add(bytes, "") }

    private mutating func add(_ bytes: [UInt8], _ name: String) {
        for form in Self.forms(of: bytes) where form.count > 1 {
            forms[Self.pair(form[0], form[1]), default: []].append(Form(bytes: form, name: name))
        }
    }

    /// Returns each form of some bytes that a server or a store can write.
    ///
    /// - Returns: The forms, including the bytes themselves.
    package static func forms(of bytes: [UInt8]) -> Set<[UInt8]> {
        var forms = Set(bytes.writtenForms)
        // No escape changes this part. So it also finds the secret in an encoding of an escaped text.
        if let part = bytes.longestPlainRun, part.count >= 10 {
            forms.insert(part)
            let packed = part.packedForms
            forms.formUnion(packed)
            for form in packed where form.count < 256 { forms.formUnion(form.base64Forms) }
        }
        return forms
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 { UInt16(first) << 8 | UInt16(second) }

    /// Searches texts for the secrets.
    ///
    /// - Returns: The names of the secrets that were found, in alphabetical order.
    package func names(shownIn texts: [String]) -> [String] {
        Set(texts.flatMap { found(in: Array($0.utf8)).keys }).sorted()
    }

    /// Searches bytes for the secrets.
    ///
    /// - Returns: The first form that was found, for each name.
    package func found(in bytes: [UInt8]) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        var start = 0
        while start + 1 < bytes.count {
            for form in forms[Self.pair(bytes[start], bytes[start + 1])] ?? [] where found[form.name] == nil {
                let end = start + form.bytes.count
                guard end <= bytes.count, bytes[start..<end].elementsEqual(form.bytes) else { continue }
                if !Self.isInsideNumber(start..<end, of: bytes) { found[form.name] = form.bytes }
            }
            start += 1
        }
        return found
    }

    /// Returns whether bytes contain one of the secrets, in any form.
    ///
    /// - Returns: Whether a secret was found.
    package func isFound(in bytes: [UInt8]) -> Bool { !found(in: bytes).isEmpty }

    /// Returns whether digits are part of a longer number.
    ///
    /// Six digits of a date or an id can equal a code by chance.
    private static func isInsideNumber(_ place: Range<Int>, of bytes: [UInt8]) -> Bool {
        func isDigit(_ index: Int) -> Bool { bytes.indices.contains(index) && bytes[index].isASCIIDigit }
        return place.allSatisfy(isDigit) && (isDigit(place.lowerBound - 1) || isDigit(place.upperBound))
    }
}

extension [UInt8] {
    /// The bytes in the forms of one layer: in upper and lower case, escaped, and encoded.
    ///
    /// A form can occur twice. Debug builds create the forms of every secret in every check, so this code computes no hashes.
    var writtenForms: [[UInt8]] {
        let forms = packedForms + [self]
        guard let text = String(validating: self, as: UTF8.self) else { return forms }
        return forms + [Array(text.uppercased().utf8), Array(text.lowercased().utf8)] + escapedForms
    }
}

extension [UInt8] {
    /// The text with its special characters escaped: for JSON, JSON in JSON, URLs, forms, HTML and property lists.
    fileprivate var escapedForms: [[UInt8]] {
        // Most tokens contain no character that needs an escape.
        if isUnreserved { return [] }
        let text = String(decoding: self, as: UTF8.self)
        let json = String(JSON.string(text).text().dropFirst().dropLast())
        let html = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return [
            json, json.replacing("/", with: "\\/"), json.escapedToASCII(upperCase: false), json.escapedToASCII(upperCase: true),
            String(JSON.string(json).text().dropFirst().dropLast()), Percent.encode(text),
            Percent.encode(text).replacing("%20", with: "+"), html, html.replacing("\"", with: "&quot;"),
        ].map { Array($0.utf8) }
    }

    /// The bytes in an encoding that changes every byte: Base64, hexadecimal digits, UTF-16, a list of numbers.
    fileprivate var packedForms: [[UInt8]] {
        let digits = Array(Hex.encode(self).utf8)
        var capitals = digits
        for index in capitals.indices where capitals[index] >= UInt8(ascii: "a") { capitals[index] -= 0x20 }
        var (list, spacedList): ([UInt8], [UInt8]) = ([], [])
        for byte in self {
            if !list.isEmpty {
                list.append(UInt8(ascii: ","))
                spacedList += [UInt8(ascii: ","), UInt8(ascii: " ")]
            }
            let number = String(byte).utf8
            list += number
            spacedList += number
        }
        var (little, big): ([UInt8], [UInt8]) = ([], [])
        for unit in String(decoding: self, as: UTF8.self).utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
            little.append(low)
            little.append(high)
            big.append(high)
            big.append(low)
        }
        return base64Forms + [digits, capitals, list, spacedList, little, big]
    }

    /// The Base64 digits that depend only on these bytes, for every position in a longer value, in both alphabets.
    fileprivate var base64Forms: [[UInt8]] {
        var forms: [[UInt8]] = []
        for shift in 0..<3 where count > 2 {
            let digits = Array(Base64.encode([UInt8](repeating: 0, count: shift) + self, .url).utf8)
            let form = Array(digits[(shift * 8 + 5) / 6..<(shift + count) * 8 / 6])
            var standard = form
            for index in form.indices {
                if form[index] == UInt8(ascii: "-") { standard[index] = UInt8(ascii: "+") }
                if form[index] == UInt8(ascii: "_") { standard[index] = UInt8(ascii: "/") }
            }
            forms += [form, standard]
        }
        return forms
    }

    /// Whether the escapes of JSON, HTML and URLs change no byte: ASCII letters, digits, `-`, `.` and `_`.
    private var isUnreserved: Bool {
        for byte in self {
            let isLetter = (0x61...0x7A).contains(byte | 0x20)
            guard isLetter || byte.isASCIIDigit || byte == 0x2D || byte == 0x2E || byte == 0x5F else { return false }
        }
        return true
    }

    /// The longest run of ASCII letters and digits.
    fileprivate var longestPlainRun: [UInt8]? {
        split { !($0.isASCIIDigit || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)) }
            .max { $0.count < $1.count }.map { Array($0) }
    }
}

extension String {
    /// Returns the JSON text in ASCII: other letters become UTF-16 units (`\u00e9`).
    fileprivate func escapedToASCII(upperCase: Bool) -> String {
        utf16.reduce(into: "") { text, unit in
            guard unit >= 0x80 else { return text.unicodeScalars.append(Unicode.Scalar(UInt8(unit))) }
            let digits = Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xff)])
            text += "\\u" + (upperCase ? digits.uppercased() : digits)
        }
    }
}

extension UInt8 {
    fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
