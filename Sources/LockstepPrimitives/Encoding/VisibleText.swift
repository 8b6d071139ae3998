extension Unicode.Scalar {
    /// Whether the scalar is invisible and changes the display of the text around it.
    ///
    /// Such scalars are control characters, direction marks, zero-width characters, and line or paragraph separators.
    /// On a terminal or in a log, a text with such a scalar can look like a different text.
    public var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension StringProtocol {
    /// The text on one line, with every invisible character escaped as in Swift, for example `\u{1B}`.
    public var visible: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isInvisible: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
