/// Whether the parts of a head, as libmicrohttpd passes them, cover every byte of it.
///
/// Before 1.0 the library parses a head in place and does not report what it leaves out: the rest of a line after NUL, a line
/// without a name, the fold of a line that goes on in the next one, a bare line feed or carriage return. The parts it passes then
/// leave a gap, or lie elsewhere. Only addresses are compared; nothing is read through them.
///
/// One thing cannot be seen: NUL in the place of the carriage return that ends a line.
struct HeadLayout {
    private static let lineEnd: UInt = 2

    private var start: UInt = 0
    /// The address after the last part.
    private var end: UInt = 0
    private var isContiguous = true

    /// Takes the request line: method, a space, target, a space, version.
    mutating func begin(
        at method: UInt, methodCount: Int, target: (address: UInt, count: Int), version: UInt, versionCount: Int
    ) {
        start = method
        isContiguous = method &+ UInt(methodCount) &+ 1 == target.address && target.address &+ UInt(target.count) &+ 1 == version
        end = version &+ UInt(versionCount)
    }

    /// Takes a header: name, colon, blanks, value.
    ///
    /// A value has no address of its own where the library has none for it.
    mutating func take(name: UInt, _ nameCount: Int, value: UInt, _ valueCount: Int) {
        let afterName = name &+ UInt(nameCount) &+ 1
        if name != end &+ Self.lineEnd || value < afterName { isContiguous = false }
        end = value &+ UInt(valueCount)
    }

    /// Whether the parts and the empty line after them are all there is of a head of `size` bytes.
    func isWhole(size: Int) -> Bool {
        isContiguous && end &+ 2 * Self.lineEnd == start &+ UInt(size)
    }
}
