/// An e-mail address as every adapter gets it: trimmed, one address and nothing else.
///
/// It checks the form only as far as safety needs it: what two systems could take for two addresses is refused before anything is
/// sent. Every other address goes to the backend, which says what it does not take: letters of any script, international domains,
/// quoted names, tags. Whether the address exists is for the message to show.
///
/// A domain with letters outside ASCII is sent in its ASCII form (`bücher.example` as `xn--bcher-kva.example`), which is its name in
/// the DNS (RFC 5891): both spellings are one address, and so one account.
public struct EmailAddress: Hashable, Sendable {
    /// The address.
    public let text: String

    /// Takes an address that a person has typed; spaces, tabs and line ends around it are taken off.
    ///
    /// - Throws: `invalidEmail` where it is not exactly one address: a list, a display name, no name or no domain; where an accent of
    ///   the domain is not part of its letter (in no form that the DNS knows: NFC); and where it holds
    ///   control characters, white space, characters of no width, or characters that fold to ASCII ones by compatibility or case (the
    ///   Kelvin sign, full-width letters), by which it could pass for another address.
    public init(_ typed: String) throws(AuthError) {
        let trimmed = typed.trimmingPlainSpace()
        guard !trimmed.isEmpty else {
            throw AuthError(.invalidEmail, "The e-mail address is empty. Ask the user for one before calling.")
        }
        if let stranger = trimmed.unicodeScalars.first(where: { !$0.isPlainInAddress }) {
            throw AuthError(
                .invalidEmail,
                "The e-mail address holds U+\(String(stranger.value, radix: 16, uppercase: true)): white space, a control character, a "
                    + "character of no width, or one that passes for another. Ask the user to type it again.")
        }
        guard trimmed.utf8.count <= Self.limit, let domain = trimmed.domainOfOneAddress, domain.hasLabels else {
            throw AuthError(.invalidEmail, "This is not one e-mail address of the form name@domain. Ask the user to correct it.")
        }
        guard let ascii = InternationalDomain.ascii(domain) else {
            throw AuthError(
                .invalidEmail, "An accent in the domain of the e-mail address stands for itself. Ask the user to type it again.")
        }
        text = ascii == domain ? trimmed : String(trimmed[..<domain.startIndex]) + ascii
    }

    /// The longest address that mail can have, in bytes: 64 for the name, 255 for the domain (RFC 5321, section 4.5.3.1).
    private static let limit = 320

    /// The address with most of its name hidden, for screens and messages.
    public static func masked(_ address: String) -> String {
        let parts = address.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].first else { return "•••" }
        return "\(first)•••@\(parts[1])"
    }
}

extension Unicode.Scalar {
    fileprivate var isPlainInAddress: Bool {
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
        default: break
        }
        // U+2800, the empty Braille pattern, is a letter to Unicode and looks blank.
        return !properties.isDefaultIgnorableCodePoint && value != 0x2800 && !LookAlikes.contains(self)
    }
}

extension String {
    /// What follows the one `@` of one address; `nil` where this is a list, has a display name, or lacks a name or a domain.
    ///
    /// Inside a quoted name (`"a,b"@example.com`) every sign stands for itself.
    fileprivate var domainOfOneAddress: Substring? {
        var rest = unicodeScalars[...]
        if rest.first == "\"" {
            rest.removeFirst()
            guard let end = rest.indexOfClosingQuote else { return nil }
            rest = rest[rest.index(after: end)...]
        } else {
            guard let end = rest.firstIndex(where: { "@,;<>\"".unicodeScalars.contains($0) }), end != rest.startIndex else {
                return nil
            }
            rest = rest[end...]
        }
        guard rest.popFirst() == "@", !rest.contains(where: { "@,;<>\"".unicodeScalars.contains($0) }) else { return nil }
        return Substring(rest)
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var indexOfClosingQuote: Index? {
        var isEscaped = false
        for place in indices {
            if isEscaped {
                isEscaped = false
            } else if self[place] == "\\" {
                isEscaped = true
            } else if self[place] == "\"" {
                return place
            }
        }
        return nil
    }
}

extension StringProtocol {
    /// Without spaces, tabs and line ends at both ends.
    func trimmingPlainSpace() -> String {
        let plain: Set<Unicode.Scalar> = [" ", "\t", "\r", "\n"]
        var rest = Substring(self).unicodeScalars
        while let first = rest.first, plain.contains(first) { rest.removeFirst() }
        while let last = rest.last, plain.contains(last) { rest.removeLast() }
        return String(rest)
    }

    /// Whether there is something in each label between the dots.
    fileprivate var hasLabels: Bool { split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty } }
}
