extension StringProtocol {
    /// Whether both are the same when the case of ASCII letters does not count, as names of the wire compare.
    package func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        var left = utf8.makeIterator()
        var right = other.utf8.makeIterator()
        while let unit = left.next() {
            guard let another = right.next(), unit.lowercased == another.lowercased else { return false }
        }
        return right.next() == nil
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
