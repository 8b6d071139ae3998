internal import LockstepPrimitives

/// The spelling of members in Firebase's emulator, which changes each name in a body, at every depth, before it reads
/// the body.
///
/// It uses lodash's `camelCase` (https://lodash.com/docs/4.17.15#camelCase): `photoURL` becomes `photoUrl`, and `DisplayName`, `display-name` and
/// `_displayName` become `displayName`.
enum MemberSpelling {
    /// Returns the value with the new spelling of each name in each object; if two names get the same spelling, the
    /// later one is used.
    ///
    /// - Parameter value: The value that a client sent.
    /// - Returns: The same value with other names.
    static func respelled(_ value: JSON) -> JSON {
        switch value {
        case .array(let elements): return .array(elements.map(respelled))
        case .object(let object):
            var members = JSONObject()
            for (name, member) in object { members[camelCase(name)] = respelled(member) }
            return .object(members)
        default: return value
        }
    }

    /// Returns the words of a name, the first in lower case, each other one with a capital.
    ///
    /// - Parameter name: as a client wrote it.
    /// - Returns: the name in camel case; empty if it has no word.
    static func camelCase(_ name: String) -> String {
        if isCamelCase(name) { return name }
        return words(in: name).enumerated().reduce(into: "") { text, word in
            let lower = word.element.lowercased()
            text += word.offset == 0 ? lower : lower.prefix(1).uppercased() + lower.dropFirst()
        }
    }

    /// Returns whether a name has only ASCII letters, begins with a small one, and has a small one after each capital.
    ///
    /// Such a name stays unchanged.
    private static func isCamelCase(_ name: String) -> Bool {
        var needsSmall = true
        for unit in name.utf8 {
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): needsSmall = false
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where !needsSmall: needsSmall = true
            default: return false
            }
        }
        return !needsSmall
    }

    private enum Kind {
        case upper, lower, digit, mark, other

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x41...0x5a: self = .upper
            case 0x61...0x7a: self = .lower
            case 0x30...0x39: self = .digit
            // Lodash's ranges of signs, spaces and general punctuation, including the multiplication sign and the
            // division sign.
            case 0...0xbf, 0xd7, 0xf7, 0x2000...0x206f, 0x2028, 0x2029, 0x205f, 0x3000, 0x1680, 0x180e: self = .mark
            default: self = .other
            }
        }
    }

    private static func words(in name: String) -> [String] {
        // An apostrophe joins the letters around it.
        let scalars = plain(name).filter { $0 != "'" && $0 != "\u{2019}" }
        let kinds = scalars.map(Kind.init)
        var (words, start): ([String], Int) = ([], 0)
        func end(from place: Int, _ isIn: (Kind) -> Bool) -> Int {
            var place = place
            while place < kinds.count, isIn(kinds[place]) { place += 1 }
            return place
        }
        while start < kinds.count {
            let next: Int
            switch kinds[start] {
            case .mark: next = start + 1
            case .digit: next = ordinalEnd(scalars, kinds, start) ?? end(from: start) { $0 == .digit }
            case .lower, .other: next = end(from: start + 1) { $0 == .lower || $0 == .other }
            case .upper:
                let capitals = end(from: start) { $0 == .upper }
                let isFollowed = capitals < kinds.count && [.lower, .other].contains(kinds[capitals])
                // The last capital begins the next word.
                next =
                    capitals - start == 1 && isFollowed
                    ? end(from: capitals) { $0 == .lower || $0 == .other } : isFollowed ? capitals - 1 : capitals
            }
            if kinds[start] != .mark {
                var word = String.UnicodeScalarView()
                word.append(contentsOf: scalars[start..<next])
                words.append(String(word))
            }
            start = next
        }
        return words
    }

    /// Returns the end of `1st`, `22nd`, `3RD` or `10th`, if such a word begins here.
    private static func ordinalEnd(_ scalars: [Unicode.Scalar], _ kinds: [Kind], _ start: Int) -> Int? {
        var digits = start
        while digits < kinds.count, kinds[digits] == .digit { digits += 1 }
        guard digits + 2 <= kinds.count, let last = scalars[..<digits].last else { return nil }
        let ending = scalars[digits..<(digits + 2)].map(String.init).joined()
        let expected = ["1": "st", "2": "nd", "3": "rd"][last] ?? "th"
        guard ending == expected || ending == expected.uppercased() else { return nil }
        guard digits + 2 < kinds.count else { return digits + 2 }
        let (next, isLower) = (kinds[digits + 2], ending == expected)
        return next == .mark || next == (isLower ? .upper : .lower) ? digits + 2 : nil
    }

    /// Returns the scalars, with Latin letters without their accents, as lodash's `deburr` does.
    private static func plain(_ name: String) -> [Unicode.Scalar] {
        name.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            switch scalar.value {
            case ..<0xc0: return [scalar]
            case 0x300...0x36f, 0xfe20...0xfe2f, 0x20d0...0x20ff: return []
            case 0xc0...0x17f:
                let place = Int(scalar.value) - 0xc0
                return letters.indices.contains(place) ? Array(letters[place].unicodeScalars) : [scalar]
            default: return [scalar]
            }
        }
    }

    /// U+00C0 to U+017F.
    private static let letters =
        ("A A A A A A Ae C E E E E I I I I D N O O O O O \u{d7} O U U U U Y Th ss "
        + "a a a a a a ae c e e e e i i i i d n o o o o o \u{f7} o u u u u y th y "
        + "A a A a A a C c C c C c C c D d D d E e E e E e E e E e G g G g G g G g H h H h I i I i I i I i I i IJ ij J j K k k "
        + "L l L l L l L l L l N n N n N n 'n N n O o O o O o Oe oe R r R r R r S s S s S s S s T t T t T t U u U u U u U u U u U u "
        + "W w Y y Y Z z Z z Z z s").pieces(at: " ").map(String.init)
}
