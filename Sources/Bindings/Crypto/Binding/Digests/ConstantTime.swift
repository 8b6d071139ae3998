/// Comparisons whose duration does not reveal which bytes differ.
public enum ConstantTime {
    /// Compares two byte sequences.
    ///
    /// The duration depends only on the lengths of the two values.
    ///
    /// - Parameters:
    ///   - left: The first value.
    ///   - right: The second value.
    /// - Returns: Whether they are equal.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// Compares the UTF-8 bytes of two strings.
    ///
    /// The duration depends only on the lengths of the two values.
    ///
    /// - Parameters:
    ///   - left: The first text.
    ///   - right: The second text.
    /// - Returns: Whether they are equal.
    public static func areEqual(_ left: String, _ right: String) -> Bool {
        areEqual(Array(left.utf8), Array(right.utf8))
    }
}
