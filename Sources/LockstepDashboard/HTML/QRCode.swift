/// A QR code (ISO/IEC 18004) of bytes, with error correction of level M.
struct QRCode {
    /// Modules on a side.
    let size: Int
    private var modules: [Bool]
    /// What patterns of the symbol occupy, where no data may stand.
    private var isFixed: [Bool]

    /// The bytes of error correction in each block, and the blocks, from version 1 on.
    private static let corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
    private static let blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

    /// The symbol of these bytes; `nil` for more than 600 or so.
    init?(_ bytes: [UInt8]) {
        func capacity(_ version: Int) -> Int {
            Self.rawBits(version) / 8 - Self.corrections[version - 1] * Self.blocks[version - 1]
        }
        func headerBits(_ version: Int) -> Int { version < 10 ? 12 : 20 }
        guard let version = (1...Self.blocks.count).first(where: { headerBits($0) + 8 * bytes.count <= 8 * capacity($0) }) else {
            return nil
        }
        size = 17 + 4 * version
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        drawPatterns(version)
        var bits = BitList()
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: version < 10 ? 8 : 16)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        bits.fill(upTo: 8 * capacity(version))
        draw(Self.interleaved(bits.bytes, version))
    }

    subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

    private static func rawBits(_ version: Int) -> Int {
        var bits = (16 * version + 128) * version + 64
        guard version > 1 else { return bits }
        let count = version / 7 + 2
        bits -= (25 * count - 10) * count - 55
        return version < 7 ? bits : bits - 36
    }

    // MARK: Patterns

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        modules[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    private mutating func drawPatterns(_ version: Int) {
        for place in 0..<size {
            set(6, place, place % 2 == 0)
            set(place, 6, place % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for dy in -4...4 {
                for dx in -4...4 {
                    let distance = max(abs(dx), abs(dy))
                    set(x + dx, y + dy, distance != 2 && distance != 4)
                }
            }
        }
        let places = alignments(version)
        for x in places {
            for y in places where !(x == 6 && y == 6 || x == 6 && y == size - 7 || x == size - 7 && y == 6) {
                for dy in -2...2 { for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) } }
            }
        }
        drawFormat()
        drawVersion(version)
    }

    private func alignments(_ version: Int) -> [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }
    }

    /// Level M and mask 0, with their check bits.
    private mutating func drawFormat() {
        let data = 0
        var rest = data
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (data << 10 | rest) ^ 0x5412
        func isOn(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        for place in 0..<6 { set(8, place, isOn(place)) }
        set(8, 7, isOn(6))
        set(8, 8, isOn(7))
        set(7, 8, isOn(8))
        for place in 9..<15 { set(14 - place, 8, isOn(place)) }
        for place in 0..<8 { set(size - 1 - place, 8, isOn(place)) }
        for place in 8..<15 { set(8, size - 15 + place, isOn(place)) }
        set(8, size - 8, true)
    }

    private mutating func drawVersion(_ version: Int) {
        guard version >= 7 else { return }
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1f25 }
        let bits = version << 12 | rest
        for place in 0..<18 {
            let isOn = bits >> place & 1 == 1
            let (far, near) = (size - 11 + place % 3, place / 3)
            set(far, near, isOn)
            set(near, far, isOn)
        }
    }

    // MARK: Data

    /// Puts the bits into the symbol, in columns of two from the right, under mask 0.
    private mutating func draw(_ bytes: [UInt8]) {
        var place = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            for step in 0..<size {
                for column in 0..<2 {
                    let x = right - column
                    let isUpward = (right + 1) & 2 == 0
                    let y = isUpward ? size - 1 - step : step
                    guard !isFixed[y * size + x] else { continue }
                    let isOn = place < 8 * bytes.count && bytes[place >> 3] >> (7 - place & 7) & 1 == 1
                    place += 1
                    modules[y * size + x] = isOn != ((x + y) % 2 == 0)
                }
            }
            right -= 2
        }
    }

    private static func interleaved(_ data: [UInt8], _ version: Int) -> [UInt8] {
        let (count, correction) = (blocks[version - 1], corrections[version - 1])
        let total = rawBits(version) / 8
        let (shortCount, short) = (count - total % count, total / count - correction)
        let divisor = ReedSolomon(degree: correction)
        var start = 0
        let parts = (0..<count).map { block in
            let part = Array(data[start..<start + short + (block < shortCount ? 0 : 1)])
            start += part.count
            return (data: part, check: divisor.remainder(of: part))
        }
        let longest = short + 1
        let first = (0..<longest).flatMap { place in parts.compactMap { place < $0.data.count ? $0.data[place] : nil } }
        return first + (0..<correction).flatMap { place in parts.map { $0.check[place] } }
    }
}

/// Bits, the first one of a byte in front.
private struct BitList {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func append(_ value: Int, count bits: Int) {
        for place in stride(from: bits - 1, through: 0, by: -1) {
            if count % 8 == 0 { bytes.append(0) }
            if value >> place & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }

    /// Ends the data, and fills the rest of the symbol.
    mutating func fill(upTo limit: Int) {
        append(0, count: min(4, limit - count))
        var filling: UInt8 = 0xec
        while bytes.count < limit / 8 {
            bytes.append(filling)
            filling ^= 0xec ^ 0x11
        }
    }
}

/// The check bytes of a block, in the field of 256 elements with the polynomial 0x11d.
private struct ReedSolomon {
    private let divisor: [UInt8]

    init(degree: Int) {
        var divisor = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for place in divisor.indices {
                divisor[place] = Self.product(divisor[place], root)
                if place + 1 < divisor.count { divisor[place] ^= divisor[place + 1] }
            }
            root = Self.product(root, 2)
        }
        self.divisor = divisor
    }

    func remainder(of data: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ rest[0]
            rest = rest.dropFirst() + [0]
            for place in rest.indices { rest[place] ^= Self.product(divisor[place], factor) }
        }
        return rest
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for place in stride(from: 7, through: 0, by: -1) {
            result = result << 1 ^ (result >> 7) * 0x11d
            if right >> UInt8(place) & 1 == 1 { result ^= Int(left) }
        }
        return UInt8(truncatingIfNeeded: result)
    }
}

extension QRCode {
    /// The symbol as a picture inside a page.
    func picture(named name: String) -> Markup {
        var path = ""
        for y in 0..<size { for x in 0..<size where self[x, y] { path += "M\(x + 4),\(y + 4)h1v1h-1z" } }
        return """
            <svg class="qr" role="img" aria-label="\(name)" viewBox="0 0 \(size + 8) \(size + 8)" shape-rendering="crispEdges">\
            <path d="\(path, upTo: .max)"/></svg>
            """
    }
}
