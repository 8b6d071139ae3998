/// Comparisons whose time reveals nothing about where two values differ.
public enum ConstantTime {
    /// Whether both are the same bytes; the time taken depends on the lengths only.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// Whether both are the same UTF-8; the time taken depends on the lengths only.
    public static func areEqual(_ left: String, _ right: String) -> Bool {
        areEqual(Array(left.utf8), Array(right.utf8))
    }
}
