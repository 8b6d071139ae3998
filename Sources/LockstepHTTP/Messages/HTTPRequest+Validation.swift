extension HTTPRequest {
    /// Checks the request before a byte is sent.
    ///
    /// Every transport calls this method first. It rejects:
    ///
    /// - a URL that does not begin with `http://` or `https://` and a host;
    /// - a URL that contains white space or control characters, or is longer than 64 kB;
    /// - a header name that is not a token of HTTP;
    /// - a header value that contains CR, LF, NUL or another control character;
    /// - a header that says where the message ends, because an ambiguous end allows request smuggling;
    /// - a body, if the method does not allow one.
    ///
    /// - Throws: ``HTTPFailure/Code/invalidRequest`` with the phase `neverSent`. The message names the part of the request that
    ///   is invalid, and does not quote its content.
    public func validate() throws(HTTPFailure) {
        guard method.rawValue.isToken, method.rawValue.utf8.count <= 64 else {
            throw .invalid("the method is not a token, or longer than 64 bytes")
        }
        try validateURL()
        for field in headers {
            guard field.name.isToken else {
                throw .invalid("a header name is empty or contains a character that is not allowed in names")
            }
            guard field.value.isHeaderText else {
                throw .invalid("the value of header \(field.name) contains a control character")
            }
            if Self.framing.contains(where: field.name.equalsIgnoringCase) {
                throw .invalid("the transport sets header \(field.name); remove it")
            }
        }
        if let type = body.type, !type.isHeaderText {
            throw .invalid("the content type contains a control character")
        }
        if !body.bytes.isEmpty, method == .get || method == .head {
            throw .invalid("a \(method.rawValue) request cannot have a body")
        }
        guard deadline > .zero, connectDeadline > .zero else { throw .invalid("a deadline is not positive") }
        guard responseLimit >= 0 else { throw .invalid("the response limit is negative") }
    }

    private func validateURL() throws(HTTPFailure) {
        guard url.utf8.count <= Self.addressLimit else {
            throw .invalid("the address is longer than \(Self.addressLimit) bytes")
        }
        guard url.allBytes({ $0 > 0x20 && $0 < 0x7f }) else {
            throw .invalid(
                "the address contains white space, a control character or a character that is not ASCII; percent-encode it")
        }
        var units = url.utf8.makeIterator()
        guard units.skipScheme() else { throw .invalid("the address does not start with http:// or https://") }
        guard let first = units.next(), !first.endsAuthority, first != UInt8(ascii: ":"), first != UInt8(ascii: "@")
        else {
            throw .invalid("the address has no host")
        }
    }

    /// The maximum length of a URL in bytes.
    ///
    /// Servers and proxies reject longer ones. Libraries below a transport truncate them, or use an earlier URL instead.
    private static let addressLimit = 1 << 16

    private static let framing = [
        "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade", "Expect",
    ]
}

extension HTTPFailure {
    fileprivate static func invalid(_ message: String) -> HTTPFailure {
        HTTPFailure(.invalidRequest, .neverSent, "Nothing was sent: \(message).")
    }
}

extension String {
    /// Whether the text is a token (RFC 9110, section 5.6.2).
    fileprivate var isToken: Bool { !isEmpty && allBytes { $0.isTokenCharacter } }

    /// Whether the text can be the value of a header: it contains no control characters except tabs.
    fileprivate var isHeaderText: Bool { allBytes { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) } }
}

extension UInt8 {
    fileprivate var isTokenCharacter: Bool {
        // Letters and digits are checked first, because nearly all characters are letters or digits.
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: "!#$%&'*+.^`|~".utf8.contains(self)
        }
    }
}
