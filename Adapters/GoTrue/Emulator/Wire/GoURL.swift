/// An address parsed as Go's `url.Parse` does; the parts keep their spelling.
struct GoURL: Equatable {
    var scheme = ""
    /// `user:password`, without the `@`.
    var userInfo: String?
    var host = ""
    var port = ""
    /// Whether there was a `//`.
    var hasAuthority = false
    var path = ""
    var query: String?
    var fragment = ""

    init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return nil }
        var rest = text[...]
        if let mark = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), let first = rest.first, first.isASCII, first.isLetter,
            rest[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        } else if rest.first == ":" {
            return nil
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if rest.hasPrefix("//") {
            hasAuthority = true
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            guard parse(authority: rest[..<end]) else { return nil }
            rest = rest[end...]
        }
        path = String(rest)
    }

    private mutating func parse(authority: Substring) -> Bool {
        var place = authority
        if let sign = place.lastIndex(of: "@") {
            userInfo = String(place[..<sign])
            place = place[place.index(after: sign)...]
        }
        var portStart = place.lastIndex(of: ":")
        if place.hasPrefix("[") {
            guard let end = place.lastIndex(of: "]") else { return false }
            if let start = portStart, start < end { portStart = nil }
        }
        if let start = portStart {
            port = String(place[place.index(after: start)...])
            guard port.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
            place = place[..<start]
        }
        host = String(place)
        return !host.contains(where: { $0 == " " || $0 == "<" || $0 == ">" || $0 == "\"" })
    }

    /// The host without the brackets of an IPv6 address, in lower case.
    var hostname: String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()).lowercased() : host.lowercased()
    }

    /// The address put together again.
    var text: String {
        var text = scheme.isEmpty ? "" : scheme + ":"
        if hasAuthority {
            text += "//" + (userInfo.map { $0 + "@" } ?? "") + host + (port.isEmpty ? "" : ":" + port)
        }
        text += path
        if let query, !query.isEmpty { text += "?" + query }
        if !fragment.isEmpty { text += "#" + fragment }
        return text
    }
}
