/// The error for a header field that HTTP does not allow.
public struct HeaderError: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the field, and says how to correct it.
    public let description: String
}

extension Headers {
    /// Rejects fields that HTTP does not allow (RFC 9110, section 5), and those that the server writes itself.
    ///
    /// - Throws: ``HeaderError`` if a name is not a token, if a value contains control characters, or if the field says where
    ///   the message ends.
    func validate() throws(HeaderError) {
        for (name, value) in fields {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenCharacter) else {
                throw HeaderError(
                    description:
                        "invalid header name \(name.debugDescription): expected letters, digits and the symbols of a token"
                )
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw HeaderError(
                    description:
                        "invalid value \(value.debugDescription) for the header \"\(name)\": expected a string without "
                        + "line breaks and control characters")
            }
            guard !Self.framing.contains(where: { Self.matches($0, name) }) else {
                throw HeaderError(description: "invalid header \"\(name)\": the server sets it itself. Leave it out.")
            }
        }
    }

    private static let framing = ["Content-Length", "Transfer-Encoding", "Connection"]

    private static func isTokenCharacter(_ unit: UInt8) -> Bool {
        switch unit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(unit)
        }
    }
}
