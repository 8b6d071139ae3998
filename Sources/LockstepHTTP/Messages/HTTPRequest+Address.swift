extension HTTPRequest {
    /// The host as the URL contains it, without brackets; `nil` if the URL has no host.
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

    /// Whether the host is `localhost` or a loopback IP address.
    ///
    /// Other names are not looked up. So another name is never a loopback address here, even if it resolves to this machine.
    public var isLoopback: Bool {
        guard let host else { return false }
        if host.equalsIgnoringCase("localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { $0.isOctet }
    }

    /// Whether the URL begins with `https:`.
    public var isSecure: Bool {
        var units = url.utf8.makeIterator()
        return units.skip("https://")
    }

    /// The position in the URL at which the host begins, with the user and the bracket before it.
    ///
    /// It is `nil` if the URL does not begin with `http://` or `https://`.
    private var hostStart: String.Index? {
        var units = url.utf8.makeIterator()
        guard units.skipScheme() else { return nil }
        return url.utf8.index(url.startIndex, offsetBy: isSecure ? 8 : 7)
    }
}

extension String.UTF8View.Iterator {
    /// Moves past `http://` or `https://`.
    ///
    /// It returns `false` if the text begins differently.
    mutating func skipScheme() -> Bool {
        guard skip("http"), let next = next() else { return false }
        return next | 0x20 == UInt8(ascii: "s") ? skip("://") : next == UInt8(ascii: ":") && skip("//")
    }

    /// Moves past a text in upper or lower case.
    ///
    /// It returns `false` if the text begins differently.
    mutating func skip(_ text: String) -> Bool {
        for unit in text.utf8 {
            guard let own = next(), own == unit || own.lowercased == unit else { return false }
        }
        return true
    }
}

extension Substring {
    /// Whether the text is a number from 0 to 255 in decimal, without signs and leading zeros.
    fileprivate var isOctet: Bool {
        (1...3).contains(utf8.count) && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && (utf8.count == 1 || utf8.first != UInt8(ascii: "0")) && UInt8(self) != nil
    }
}

extension UInt8 {
    /// Whether this byte ends the host and the port.
    var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#") || self == UInt8(ascii: "\\")
    }
}
