/// Reads the picture of a QR code of level L and mask 0, written independently of the code that draws it.
struct QRReader {
    private var dark: Set<[Int]> = []
    private let size: Int

    init?(svg: String) {
        guard let width = svg.split(separator: "width=\"").dropFirst().first?.prefix(while: \.isNumber), let side = Int(width)
        else {
            return nil
        }
        size = side / 3 - 8
        for mark in svg.split(separator: "M").dropFirst() {
            let numbers = mark.prefix { $0 != "h" }.split(separator: " ").compactMap { Int($0) }
            if numbers.count == 2 { dark.insert([numbers[1] / 3 - 4, numbers[0] / 3 - 4]) }
        }
    }

    /// Modules that carry no data: the finders with their formats, the timing lines, alignment marks, version.
    private func isFixed(_ row: Int, _ column: Int) -> Bool {
        let version = (size - 17) / 4
        if row == 6 || column == 6 || row < 9 && column < 9 || row < 9 && column >= size - 8 || row >= size - 8 && column < 9 {
            return true
        }
        if version > 6, row < 6 && column >= size - 11 || column < 6 && row >= size - 11 { return true }
        // The places in the standard's own table.
        let table = [
            [], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50], [30, 54], [32, 58], [34, 62],
        ]
        let marks = [6] + table[version - 1]
        for y in marks where abs(row - y) <= 2 {
            for x in marks where abs(column - x) <= 2 {
                let isCorner = y == 6 && x == 6 || y == 6 && x == marks.last || x == 6 && y == marks.last
                if !isCorner { return true }
            }
        }
        return false
    }

    /// The text.
    var text: String? {
        let version = (size - 17) / 4
        guard (1...13).contains(version) else { return nil }
        var bits: [Bool] = []
        var isUpward = true
        var column = size - 1
        while column > 0 {
            if column == 6 { column -= 1 }
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for place in [column, column - 1] where !isFixed(row, place) {
                    bits.append(dark.contains([row, place]) != ((row + place) % 2 == 0))
                }
            }
            isUpward.toggle()
            column -= 2
        }
        let words = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<(start + 8)].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
        }
        // Data bytes of each block, from the standard's table for level L.
        let lengths = [
            [19], [34], [55], [80], [108], [68, 68], [78, 78], [97, 97], [116, 116], [68, 68, 69, 69], [81, 81, 81, 81],
            [92, 92, 93, 93], [107, 107, 107, 107],
        ]
        var blocks: [[Int]] = lengths[version - 1].map { _ in [] }
        var next = 0
        for place in 0..<(lengths[version - 1].max() ?? 0) {
            for (index, length) in lengths[version - 1].enumerated() where place < length {
                blocks[index].append(words[next])
                next += 1
            }
        }
        let data = blocks.flatMap { $0 }.flatMap { word in (0..<8).map { word >> (7 - $0) & 1 } }
        func number(_ start: Int, _ count: Int) -> Int { data[start..<(start + count)].reduce(0) { $0 * 2 + $1 } }
        guard number(0, 4) == 4 else { return nil }
        let countBits = version < 10 ? 8 : 16
        let bytes = (0..<number(4, countBits)).map { UInt8(number(4 + countBits + 8 * $0, 8)) }
        return String(validating: bytes, as: UTF8.self)
    }
}
