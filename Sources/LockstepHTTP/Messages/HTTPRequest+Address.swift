extension HTTPRequest {
    /// The host of the address, as written, without brackets; `nil` where there is none.
    public var host: String? {
        guard var rest = url.afterScheme else { return nil }
        rest = rest.prefix { !"/?#\\".contains($0) }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            return String(rest[rest.index(after: rest.startIndex)..<end])
        }
        return String(rest.prefix { $0 != ":" })
    }

    /// Whether the address names this machine by number or as `localhost`.
    ///
    /// Nothing is looked up: a name that merely resolves to this machine does not count.
    public var isLoopback: Bool {
        guard let host else { return false }
        if host.equalsIgnoringCase("localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy {
                UInt8($0) != nil && ($0 == "0" || !$0.hasPrefix("0")) && $0.utf8.allSatisfy { $0 != UInt8(ascii: "+") }
            }
    }
}

extension String {
    /// `http` or `https`, lower case, where the text begins with one of them and `://`.
    var scheme: String? {
        let head = prefix { $0 != ":" }
        guard head.count < count, afterScheme != nil else { return nil }
        return head.lowercased()
    }

    var afterScheme: Substring? {
        for scheme in ["https://", "http://"] where prefix(scheme.count).equalsIgnoringCase(scheme) {
            return dropFirst(scheme.count)
        }
        return nil
    }
}
