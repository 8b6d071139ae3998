/// Text is searched, split and escaped by Unicode scalars, never by `Character`.
///
/// A mark that joins its neighbour (U+0301, U+0D4E) makes one `Character` of itself and an ASCII sign, and so hides the sign from a comparison
/// of characters. Browsers and servers read scalars or bytes, and still find it.
extension StringProtocol {
    /// Returns the parts of the text between the scalars that equal `mark`.
    ///
    /// - Parameters:
    ///   - mark: the scalar that separates the parts.
    ///   - maxSplits: how often the text is split at most; the rest stays whole.
    ///   - omittingEmptySubsequences: whether empty parts are left out.
    /// - Returns: the parts, in their order.
    public func pieces(
        at mark: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        var parts: [SubSequence] = []
        var (start, splits) = (startIndex, 0)
        for place in unicodeScalars.indices where splits < maxSplits && unicodeScalars[place] == mark {
            if !omittingEmptySubsequences || start < place {
                parts.append(self[start..<place])
                splits += 1
            }
            start = unicodeScalars.index(after: place)
        }
        if !omittingEmptySubsequences || start < endIndex { parts.append(self[start...]) }
        return parts
    }

    /// Returns the text before the first `mark`, and the text after it.
    ///
    /// - Parameter mark: the scalar to look for.
    /// - Returns: both parts; `tail` is `nil` if the text has no such scalar.
    public func cut(at mark: Unicode.Scalar) -> (head: SubSequence, tail: SubSequence?) {
        guard let place = unicodeScalars.firstIndex(of: mark) else { return (self[...], nil) }
        return (self[..<place], self[unicodeScalars.index(after: place)...])
    }

    /// Returns the text before the last `mark`, and the text after it.
    ///
    /// - Parameter mark: the scalar to look for.
    /// - Returns: both parts; `head` is `nil` if the text has no such scalar.
    public func cut(atLast mark: Unicode.Scalar) -> (head: SubSequence?, tail: SubSequence) {
        guard let place = unicodeScalars.lastIndex(of: mark) else { return (nil, self[...]) }
        return (self[..<place], self[unicodeScalars.index(after: place)...])
    }
}

extension StringProtocol {
    /// Returns the text with some scalars replaced by texts.
    ///
    /// - Parameter replacement: the text for a scalar; `nil` keeps the scalar.
    /// - Returns: the new text.
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

    /// The text as HTML shows it, in content and in quoted attributes.
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
