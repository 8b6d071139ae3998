/// The ASCII form of domains with letters of any script: each label that needs it in Punycode (RFC 3492), after `xn--`.
///
/// It maps what can be typed in two ways to one: capital letters. What else the mapping of the DNS (UTS 46) knows, an
/// ``EmailAddress`` has refused before: full-width letters, ideographic full stops, characters of no width.
enum InternationalDomain {
    /// The form in ASCII; a domain that is in ASCII is left as it is.
    ///
    /// - Returns: `nil` where it holds an accent of its own (U+0300 to U+036F), which should be part of the letter before it.
    static func ascii(_ domain: Substring) -> String? {
        guard !domain.utf8.allSatisfy({ $0 < 0x80 }) else { return String(domain) }
        guard !domain.unicodeScalars.contains(where: { (0x300...0x36F).contains($0.value) }) else { return nil }
        return domain.split(separator: ".", omittingEmptySubsequences: false).map(label).joined(separator: ".")
    }

    private static func label(_ label: Substring) -> String {
        // By scalar, because a sigma at the end of a word has a small form of its own, and the DNS does not look at the place.
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

    /// A number of variable length, the lowest digit first.
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
