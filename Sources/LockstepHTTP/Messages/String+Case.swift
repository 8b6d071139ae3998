extension String {
    /// Returns whether two texts are equal if the case of ASCII letters is ignored.
    package func equalsIgnoringCase(_ other: String) -> Bool {
        // Most texts are equal, or differ in length. Both are found without a comparison of each byte.
        if self == other { return true }
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased }
    }
}

extension Substring {
    /// Returns whether two texts are equal if the case of ASCII letters is ignored.
    package func equalsIgnoringCase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    /// The lower-case letter if the byte is an upper-case ASCII letter; otherwise the byte itself.
    var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
