/// Header fields as one run of bytes: a name, a colon, a value and a line feed for each.
///
/// An answer has a dozen fields, of which a caller looks at one or two: making texts of all of them would be the greater part
/// of what a transport spends on an answer.
package struct HTTPHeaderBlock: Sendable {
    private let bytes: [UInt8]
    /// How many fields there are.
    package let count: Int

    /// The fields of a run of bytes; names hold no colon, and neither names nor values hold a line feed.
    package init(_ bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// The first value of a name, compared without case.
    package func value(of name: String) -> String? {
        var start = 0
        while let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) {
            let end = bytes[colon...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            if bytes[start..<colon].equalsIgnoringCase(name) { return String(decoding: bytes[(colon + 1)..<end], as: UTF8.self) }
            start = end + 1
        }
        return nil
    }

    /// Every field, in order.
    var fields: [HTTPHeaders.Field] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            return HTTPHeaders.Field(
                name: String(decoding: line[..<colon], as: UTF8.self),
                value: String(decoding: line[colon...].dropFirst(), as: UTF8.self))
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func equalsIgnoringCase(_ name: String) -> Bool {
        guard count == name.utf8.count else { return false }
        var place = startIndex
        for unit in name.utf8 {
            if self[place] != unit, self[place].lowercased != unit.lowercased { return false }
            place += 1
        }
        return true
    }
}
