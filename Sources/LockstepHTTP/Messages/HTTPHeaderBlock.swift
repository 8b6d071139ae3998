/// Header fields in one sequence of bytes: a name, a colon, a value and a line feed for each field.
///
/// A response has a dozen fields, and a caller reads one or two of them. Converting all fields to strings would be most of a
/// transport's work for a response.
package struct HTTPHeaderBlock: Sendable {
    private let bytes: [UInt8]
    /// The number of fields.
    package let count: Int

    /// Creates header fields from bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes. No name contains a colon, and no name or value contains a line feed.
    ///   - count: The number of fields.
    package init(_ bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Returns the first value of a field.
    ///
    /// - Parameter name: The name, in upper or lower case.
    /// - Returns: The value; `nil` if there is no such field.
    package func value(of name: String) -> String? {
        var start = 0
        while let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) {
            let end = bytes[colon...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            if bytes[start..<colon].equalsIgnoringCase(name) { return String(decoding: bytes[(colon + 1)..<end], as: UTF8.self) }
            start = end + 1
        }
        return nil
    }

    /// All fields, in order.
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
