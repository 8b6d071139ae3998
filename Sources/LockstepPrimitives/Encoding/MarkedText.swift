/// Searches, splits and escapes text by Unicode scalars, never by `Character`.
///
/// A combining mark (U+0301, U+0D4E) and the ASCII sign before it are one `Character`. So a comparison of characters
/// misses the sign, but browsers and servers, which read scalars or bytes, find it.
extension StringProtocol {
    /// Splits the text at each scalar that equals `mark`.
    ///
    /// - Parameters:
    ///   - mark: The scalar that separates the parts.
    ///   - maxSplits: The maximum number of splits. The last part contains the rest of the text.
    ///   - omittingEmptySubsequences: Whether to leave out empty parts.
    /// - Returns: The parts, in order.
    public func pieces(
        at mark: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        whole.parts(at: mark, maxSplits, omittingEmptySubsequences)
    }

    /// Splits the text at each scalar that occurs in `marks`.
    ///
    /// - Parameters:
    ///   - marks: The scalars that separate the parts.
    ///   - omittingEmptySubsequences: Whether to leave out empty parts.
    /// - Returns: The parts, in order.
    public func pieces(atAnyOf marks: String, omittingEmptySubsequences: Bool = true) -> [Substring] {
        let marks = marks.unicodeScalars
        return whole.unicodeScalars.split(omittingEmptySubsequences: omittingEmptySubsequences) { marks.contains($0) }
            .map(Substring.init)
    }

    /// Returns the range of the first occurrence of `other`.
    ///
    /// - Parameter other: The text to look for. The comparison is byte by byte.
    /// - Returns: The range; `nil` if the text does not contain `other`.
    public func range(ofBytes other: String) -> Range<String.Index>? { whole.utf8.firstRange(of: other.utf8) }

    /// Returns whether the text contains `other`.
    ///
    /// - Parameter other: The text to look for. The comparison is byte by byte.
    /// - Returns: Whether the text contains `other`.
    public func contains(bytesOf other: String) -> Bool { range(ofBytes: other) != nil }

    /// Returns the text before the first `mark`, and the text after it.
    ///
    /// - Parameter mark: The scalar to look for.
    /// - Returns: Both parts; `tail` is `nil` if the text has no such scalar.
    public func cut(at mark: Unicode.Scalar) -> (head: Substring, tail: Substring?) {
        let text = whole
        guard let place = text.first(mark) else { return (text, nil) }
        return (text[..<place], text[text.unicodeScalars.index(after: place)...])
    }

    /// Returns the text before the last `mark`, and the text after it.
    ///
    /// - Parameter mark: The scalar to look for.
    /// - Returns: Both parts; `head` is `nil` if the text has no such scalar.
    public func cut(atLast mark: Unicode.Scalar) -> (head: Substring?, tail: Substring) {
        let text = whole
        guard let place = text.last(mark) else { return (nil, text) }
        return (text[..<place], text[text.unicodeScalars.index(after: place)...])
    }
}

extension StringProtocol {
    /// The text as a `Substring`, so that one implementation is sufficient.
    private var whole: Substring { self as? Substring ?? (self as? String ?? String(self))[...] }
}

/// This extension is not generic, because each request of an emulator runs this code.
///
/// The bytes of an ASCII scalar never occur inside another scalar.
extension Substring {
    fileprivate func parts(at mark: Unicode.Scalar, _ maxSplits: Int, _ omitsEmpty: Bool) -> [Substring] {
        guard mark.isASCII else {
            return unicodeScalars.split(separator: mark, maxSplits: maxSplits, omittingEmptySubsequences: omitsEmpty)
                .map(Substring.init)
        }
        return utf8.split(separator: UInt8(ascii: mark), maxSplits: maxSplits, omittingEmptySubsequences: omitsEmpty)
            .map(Substring.init)
    }

    fileprivate func first(_ mark: Unicode.Scalar) -> Index? {
        mark.isASCII ? utf8.firstIndex(of: UInt8(ascii: mark)) : unicodeScalars.firstIndex(of: mark)
    }

    fileprivate func last(_ mark: Unicode.Scalar) -> Index? {
        mark.isASCII ? utf8.lastIndex(of: UInt8(ascii: mark)) : unicodeScalars.lastIndex(of: mark)
    }
}

extension StringProtocol {
    /// Replaces some scalars of the text.
    ///
    /// - Parameter replacement: A function that returns the replacement for a scalar; `nil` keeps the scalar.
    /// - Returns: The new text.
    public func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let new = replacement(scalar) {
                text.unicodeScalars.append(contentsOf: new.unicodeScalars)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text, escaped for the content and the quoted attributes of HTML.
    public var escapedForHTMLText: String {
        replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }
}
