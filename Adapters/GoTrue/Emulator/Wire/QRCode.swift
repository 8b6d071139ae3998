/// A QR code (ISO/IEC 18004): bytes, error correction level L, mask 0, the smallest version that can contain the text.
struct QRCode {
    /// Modules on each side.
    let size: Int
    /// Row by row.
    private(set) var isDark: [[Bool]]
    private var isTaken: [[Bool]]

    /// Check bytes of a block, by version.
    private static let checkBytes = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30,
        30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    /// Blocks, by version.
    private static let blocks = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20,
        21, 22, 24, 25,
    ]

    /// Creates the code for a text; `nil` for more than 2,953 bytes.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let fitting = (1...40).first { version in
            4 + Self.countBits(version) + 8 * bytes.count <= 8 * Self.dataBytes(version)
        }
        guard let version = fitting else { return nil }
        size = 17 + 4 * version
        isDark = Array(repeating: Array(repeating: false, count: size), count: size)
        isTaken = isDark
        drawPatterns(version)
        place(Self.codewords(bytes, version))
    }

    private static func countBits(_ version: Int) -> Int { version < 10 ? 8 : 16 }

    /// Returns the number of bytes of data and checks together.
    private static func allBytes(_ version: Int) -> Int {
        var modules = (16 * version + 128) * version + 64
        if version > 1 {
            let marks = version / 7 + 2
            modules -= (25 * marks - 10) * marks - 55
            if version > 6 { modules -= 36 }
        }
        return modules / 8
    }

    private static func dataBytes(_ version: Int) -> Int {
        allBytes(version) - checkBytes[version - 1] * blocks[version - 1]
    }

    /// Returns data and checks, in the order in which they are placed.
    private static func codewords(_ bytes: [UInt8], _ version: Int) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) { bits += (0..<count).reversed().map { value >> $0 & 1 == 1 } }
        append(4, 4)
        append(bytes.count, countBits(version))
        for byte in bytes { append(Int(byte), 8) }
        let capacity = 8 * dataBytes(version)
        append(0, min(4, capacity - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var filler = 0xec
        while bits.count < capacity {
            append(filler, 8)
            filler ^= 0xec ^ 0x11
        }
        let data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        let (count, checks) = (blocks[version - 1], checkBytes[version - 1])
        let longOnes = data.count % count
        var start = 0
        let parts = (0..<count).map { index in
            let length = data.count / count + (index < count - longOnes ? 0 : 1)
            defer { start += length }
            return Array(data[start..<(start + length)])
        }
        let remainders = parts.map { ReedSolomon.remainder(of: $0, count: checks) }
        let longest = parts.map(\.count).max() ?? 0
        return (0..<longest).flatMap { place in parts.compactMap { place < $0.count ? $0[place] : nil } }
            + (0..<checks).flatMap { place in remainders.map { $0[place] } }
    }

    private mutating func set(_ row: Int, _ column: Int, _ value: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        isDark[row][column] = value
        isTaken[row][column] = true
    }

    private mutating func drawPatterns(_ version: Int) {
        for place in 0..<size {
            set(6, place, place % 2 == 0)
            set(place, 6, place % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for y in -4...4 { for x in -4...4 { set(row + y, column + x, ![2, 4].contains(max(abs(x), abs(y)))) } }
        }
        let marks = Self.marks(version, size)
        for row in marks {
            for column in marks where !(row == 6 && column == 6 || row + column == size - 1 && (row == 6 || column == 6)) {
                for y in -2...2 { for x in -2...2 { set(row + y, column + x, max(abs(x), abs(y)) != 1) } }
            }
        }
        // Level L (01) and mask 0, with their checks, twice.
        let format = Self.checked(0b01000, degree: 10, divisor: 0x537) ^ 0x5412
        for place in 0..<15 {
            let bit = format >> place & 1 == 1
            if place < 6 {
                set(place, 8, bit)
            } else if place < 8 {
                set(place + 1, 8, bit)
            } else {
                set(8, place == 8 ? 7 : 14 - place, bit)
            }
            if place < 8 { set(8, size - 1 - place, bit) } else { set(size - 15 + place, 8, bit) }
        }
        set(size - 8, 8, true)
        guard version > 6 else { return }
        let text = Self.checked(version, degree: 12, divisor: 0x1f25)
        for place in 0..<18 {
            set(size - 11 + place % 3, place / 3, text >> place & 1 == 1)
            set(place / 3, size - 11 + place % 3, text >> place & 1 == 1)
        }
    }

    /// Returns the rows and columns of the alignment marks.
    private static func marks(_ version: Int, _ size: Int) -> [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<(count - 1)).map { size - 7 - $0 * step }.reversed()
    }

    /// Returns a number followed by the remainder of its division.
    private static func checked(_ value: Int, degree: Int, divisor: Int) -> Int {
        var rest = value
        for _ in 0..<degree { rest = rest << 1 ^ (rest >> (degree - 1)) * divisor }
        return value << degree | rest
    }

    /// Places the bytes in zigzag from the lower right corner, two columns at a time; the mask inverts every second
    /// module.
    private mutating func place(_ codewords: [UInt8]) {
        var next = 0
        for pair in stride(from: size - 1, to: 0, by: -2) {
            let right = pair <= 6 ? pair - 1 : pair
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isTaken[row][column] {
                    let bit = next < codewords.count * 8 && codewords[next / 8] >> UInt8(7 - next % 8) & 1 == 1
                    next += 1
                    isDark[row][column] = bit != ((row + column) % 2 == 0)
                }
            }
        }
    }
}

/// The check bytes of QR codes: a remainder over the field of 256 elements with the polynomial 0x11d.
enum ReedSolomon {
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let divisor = divisor(count)
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for place in 0..<count { rest[place] ^= product(divisor[place], factor) }
        }
        return rest
    }

    /// Returns the product of `x - 2^i` for all `i` below `count`, without its first coefficient, which is 1.
    private static func divisor(_ count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for place in 0..<count {
                result[place] = product(result[place], root)
                if place + 1 < count { result[place] ^= result[place + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for place in (0..<8).reversed() {
            result = (result << 1) ^ (result >> 7 == 1 ? 0x1d : 0)
            if right >> UInt8(place) & 1 == 1 { result ^= left }
        }
        return result
    }
}
