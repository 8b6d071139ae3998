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

    /// The product of `x - 2^i` for all `i` below `count`, without its first coefficient, which is 1.
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
