extension Unicode.Scalar {
    /// Whether it shows no sign of its own and changes what is shown around it: controls (escape codes of terminals begin with one),
    /// marks of direction, characters of no width, ends of lines and paragraphs.
    ///
    /// A text that holds one may look like another text, on a terminal, in a log, in a document.
    public var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension StringProtocol {
    /// The text with every invisible character written out as in Swift (`\n`, `\u{1B}`): on one line, and as it is.
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
