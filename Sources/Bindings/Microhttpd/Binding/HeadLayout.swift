/// Checks that the parts of the headers from libmicrohttpd cover every byte of the headers.
///
/// Before 1.0, the library parses the headers in their memory and silently leaves out some parts: the rest of a line after NUL,
/// a line without a name, a folded line, a bare line feed or carriage return. Then the parts have a gap, or are elsewhere. Only
/// addresses are compared; nothing is read through them.
///
/// One fault cannot be noticed: NUL in place of the carriage return at the end of a line.
struct HeadLayout {
    private static let lineEnd: UInt = 2

    private var start: UInt = 0
    /// The address after the last part.
    private var end: UInt = 0
    private var isContiguous = true

    /// Adds the request line: method, space, target, space, version.
    mutating func begin(
        at method: UInt, methodCount: Int, target: (address: UInt, count: Int), version: UInt, versionCount: Int
    ) {
        start = method
        isContiguous = method &+ UInt(methodCount) &+ 1 == target.address && target.address &+ UInt(target.count) &+ 1 == version
        end = version &+ UInt(versionCount)
    }

    /// Adds a header: name, colon, blanks, value.
    ///
    /// A value has no address if the library has no memory for it.
    mutating func take(name: UInt, _ nameCount: Int, value: UInt, _ valueCount: Int) {
        let afterName = name &+ UInt(nameCount) &+ 1
        if name != end &+ Self.lineEnd || value < afterName { isContiguous = false }
        end = value &+ UInt(valueCount)
    }

    /// Returns whether the parts and the empty line after them make up the whole headers, which have `size` bytes.
    func isWhole(size: Int) -> Bool {
        isContiguous && end &+ 2 * Self.lineEnd == start &+ UInt(size)
    }
}
