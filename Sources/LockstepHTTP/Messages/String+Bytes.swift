extension String {
    /// Returns whether a test is true for every byte of the text in UTF-8.
    func allBytes(_ test: (UInt8) -> Bool) -> Bool {
        // A span is several times as fast as the view, and every request is checked. But older systems that this code supports
        // have no spans.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return utf8.allSatisfy(test) }
        let bytes = utf8Span.span
        for index in bytes.indices where !test(bytes[index]) { return false }
        return true
    }
}
