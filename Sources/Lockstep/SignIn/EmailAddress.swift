/// An e-mail address as every adapter gets it: trimmed, one address and nothing else.
///
/// It checks the form only as far as safety needs it. Whether the address exists is for the message to show, and what else
/// the backend refuses is for the backend to say.
public struct EmailAddress: Hashable, Sendable {
    /// The address.
    public let text: String

    /// Takes an address that a person has typed.
    ///
    /// - Throws: `invalidEmail` for anything that is not exactly one plain ASCII address: lists, display names, control
    ///   characters, look-alike letters.
    public init(_ typed: String) throws(AuthError) {
        let trimmed = typed.trimmingPlainSpace()
        guard !trimmed.isEmpty else {
            throw AuthError(.invalidEmail, "The e-mail address is empty. Ask the user for one before calling.")
        }
        let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
        let plain = trimmed.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && scalar.value > 0x20 && scalar.value != 0x7f && !#",;:<>()[]\""#.unicodeScalars.contains(scalar)
        }
        guard parts.count == 2, !parts[0].isEmpty, parts[1].isPlausibleDomain, plain, trimmed.utf8.count <= 254 else {
            throw AuthError(.invalidEmail, "This is not one e-mail address of the form name@domain. Ask the user to correct it.")
        }
        text = trimmed
    }

    /// The address with most of its name hidden, for screens and messages.
    public static func masked(_ address: String) -> String {
        let parts = address.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].first else { return "•••" }
        return "\(first)•••@\(parts[1])"
    }
}

extension StringProtocol {
    /// Without spaces, tabs and line ends at both ends.
    func trimmingPlainSpace() -> String {
        var rest = Substring(self)
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }

    /// At least two labels joined by dots, with something in each.
    fileprivate var isPlausibleDomain: Bool {
        let labels = split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty && !$0.hasPrefix("-") && !$0.hasSuffix("-") }
    }
}
