extension HTTPRequest {
    /// The host of the address, as written, without brackets; `nil` where there is none.
    public var host: String? {
        guard let start = hostStart else { return nil }
        let authority = url.utf8[start...].prefix { !$0.endsAuthority }
        let place = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
        let host =
            if place.first == UInt8(ascii: "[") {
                place.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            } else {
                place.prefix { $0 != UInt8(ascii: ":") }
            }
        return host.isEmpty ? nil : String(Substring(host))
    }

    /// Whether the address names this machine by number or as `localhost`.
    ///
    /// Nothing is looked up: a name that merely resolves to this machine does not count.
    public var isLoopback: Bool {
        guard let host else { return false }
        if host.equalsIgnoringCase("localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { $0.isOctet }
    }

    /// Whether the address begins with `https:`.
    public var isSecure: Bool { url.hasScheme("https://") }

    /// Where the host begins, user and bracket included; `nil` where the address begins otherwise than with `http://` or `https://`.
    var hostStart: String.Index? {
        if url.hasScheme("https://") { return url.utf8.index(url.startIndex, offsetBy: 8) }
        return url.hasScheme("http://") ? url.utf8.index(url.startIndex, offsetBy: 7) : nil
    }
}

extension String {
    fileprivate func hasScheme(_ scheme: String) -> Bool {
        if hasPrefix(scheme) { return true }
        var units = utf8.makeIterator()
        for expected in scheme.utf8 {
            guard let unit = units.next(), unit | 0x20 == expected | 0x20 else { return false }
        }
        return true
    }
}

extension Substring {
    /// A number from 0 to 255 in decimal, without signs and leading zeros.
    fileprivate var isOctet: Bool {
        (1...3).contains(utf8.count) && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && (utf8.count == 1 || utf8.first != UInt8(ascii: "0")) && UInt8(self) != nil
    }
}

extension UInt8 {
    /// Whether host and port end before it.
    var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#") || self == UInt8(ascii: "\\")
    }
}
