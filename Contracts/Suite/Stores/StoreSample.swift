/// A test value.
///
/// Its bytes follow from its number, so a check can see whether the value is complete.
struct StoreSample {
    let number: Int
    let bytes: [UInt8]

    /// Creates the sample for a number.
    ///
    /// The size ranges from a few bytes to many pages of a database.
    init(_ number: Int) {
        self.init(number, count: [40, 900, 5_000, 70_000][number % 4])
    }

    /// Creates the sample for a number, with `count` bytes after the first line.
    init(_ number: Int, count: Int) {
        self.number = number
        var state = UInt64(truncatingIfNeeded: number)
        let body = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        bytes = Array("\(number) \(count)\n".utf8) + body
    }

    /// Decodes a sample.
    ///
    /// Returns `nil` if the sample is incomplete.
    init?(bytes: [UInt8]) {
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).split(separator: " ")
        guard line.count == 2, let number = Int(line[0]), let count = Int(line[1]), count <= bytes.count else { return nil }
        self.init(number, count: count)
        guard self.bytes == bytes else { return nil }
    }
}
