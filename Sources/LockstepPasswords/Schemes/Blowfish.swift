/// The part of the cipher Blowfish that bcrypt needs.
///
/// Source: Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher", 1993.
struct Blowfish {
    /// The 18 words of the key schedule, followed by four tables of 256 words.
    private var words = Self.digits

    /// The words of a new state: the binary digits of π after the point.
    private static let digits = BinaryPi.words(18 + 4 * 256)

    /// Mixes a key and a salt into the state; an empty salt is treated as zero.
    ///
    /// - Parameters:
    ///   - key: The bytes that are repeated over the schedule. They must not be empty.
    ///   - salt: The bytes that are repeated over all encrypted blocks.
    mutating func expand(key: [UInt8], salt: [UInt8] = []) {
        var keyPlace = 0
        for index in 0..<18 { words[index] ^= Self.word(of: key, &keyPlace) }
        var (left, right): (UInt32, UInt32) = (0, 0)
        var saltPlace = 0
        for index in stride(from: 0, to: words.count, by: 2) {
            if !salt.isEmpty {
                left ^= Self.word(of: salt, &saltPlace)
                right ^= Self.word(of: salt, &saltPlace)
            }
            encrypt(&left, &right)
            words[index] = left
            words[index + 1] = right
        }
    }

    /// Encrypts one block.
    func encrypt(_ left: inout UInt32, _ right: inout UInt32) {
        for index in stride(from: 0, to: 16, by: 2) {
            left ^= words[index]
            right ^= mixed(left)
            right ^= words[index + 1]
            left ^= mixed(right)
        }
        (left, right) = (right ^ words[17], left ^ words[16])
    }

    private func mixed(_ word: UInt32) -> UInt32 {
        let first = words[18 + Int(word >> 24)] &+ words[274 + Int(word >> 16 & 0xff)]
        return (first ^ words[530 + Int(word >> 8 & 0xff)]) &+ words[786 + Int(word & 0xff)]
    }

    /// Returns the next four bytes of `bytes`.
    ///
    /// After the last byte, the first one follows.
    private static func word(of bytes: [UInt8], _ place: inout Int) -> UInt32 {
        var word: UInt32 = 0
        for _ in 0..<4 {
            word = word << 8 | UInt32(bytes[place])
            place = (place + 1) % bytes.count
        }
        return word
    }
}

/// The binary digits of π, from Machin's formula: π = 16 arctan(1/5) − 4 arctan(1/239).
private enum BinaryPi {
    /// Returns the first `count` words of 32 bits after the point.
    static func words(_ count: Int) -> [UInt32] {
        // One limb is before the point, and two at the end absorb rounding errors of the divisions.
        let length = count / 2 + 4
        var sum = Number(repeating: 0, count: length)
        add(arctangent(5, length), times: 16, to: &sum)
        subtract(arctangent(239, length), times: 4, from: &sum)
        return (0..<count).map { UInt32(truncatingIfNeeded: sum[1 + $0 / 2] >> ($0.isMultiple(of: 2) ? 32 : 0)) }
    }

    /// A number with a fixed point after the first limb.
    private typealias Number = [UInt64]

    /// Returns the arc tangent of 1/`divisor`, from the series 1/d − 1/3d³ + 1/5d⁵ − ….
    private static func arctangent(_ divisor: UInt64, _ length: Int) -> Number {
        var power = Number(repeating: 0, count: length)
        power[0] = 1
        divide(&power, by: divisor, from: 0)
        var sum = power
        var first = 0
        var factor: UInt64 = 1
        while true {
            divide(&power, by: divisor * divisor, from: first)
            while first < length, power[first] == 0 { first += 1 }
            guard first < length else { return sum }
            factor += 2
            var term = power
            divide(&term, by: factor, from: first)
            if factor % 4 == 3 { subtract(term, times: 1, from: &sum) } else { add(term, times: 1, to: &sum) }
        }
    }

    private static func divide(_ number: inout Number, by divisor: UInt64, from first: Int) {
        var rest: UInt64 = 0
        for index in first..<number.count {
            (number[index], rest) = divisor.dividingFullWidth((rest, number[index]))
        }
    }

    private static func add(_ other: Number, times factor: UInt64, to sum: inout Number) {
        var carry: UInt64 = 0
        for index in sum.indices.reversed() {
            let product = other[index].multipliedFullWidth(by: factor)
            let (part, hasCarried) = sum[index].addingReportingOverflow(product.low)
            let (whole, hasCarriedAgain) = part.addingReportingOverflow(carry)
            sum[index] = whole
            carry = product.high &+ (hasCarried ? 1 : 0) &+ (hasCarriedAgain ? 1 : 0)
        }
    }

    private static func subtract(_ other: Number, times factor: UInt64, from sum: inout Number) {
        var borrow: UInt64 = 0
        for index in sum.indices.reversed() {
            let product = other[index].multipliedFullWidth(by: factor)
            let (part, hasBorrowed) = sum[index].subtractingReportingOverflow(product.low)
            let (whole, hasBorrowedAgain) = part.subtractingReportingOverflow(borrow)
            sum[index] = whole
            borrow = product.high &+ (hasBorrowed ? 1 : 0) &+ (hasBorrowedAgain ? 1 : 0)
        }
    }
}
