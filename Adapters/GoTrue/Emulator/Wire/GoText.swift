internal import LockstepPrimitives

/// Texts as Go prints them.
enum GoText {
    /// `%q`: in double quotes, with escapes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                result += "\\x" + Hex.encode(CollectionOfOne(UInt8(scalar.value)))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A list of texts as `%v` prints it.
    static func list(_ texts: [String]) -> String { "[" + texts.joined(separator: " ") + "]" }
}
