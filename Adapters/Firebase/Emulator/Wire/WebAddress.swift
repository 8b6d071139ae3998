internal import LockstepPrimitives

/// An absolute URL: the parts that this server needs.
///
/// Web addresses are read as browsers read them (https://url.spec.whatwg.org): a backslash is a slash. The authority
/// ends at the first slash, question mark or number sign.
struct WebAddress: Sendable {
    /// `https`, lower case.
    let scheme: String
    /// The host in lower case without a port, such as `app.example.com`; empty if there is none.
    let host: String
    /// Whether a backslash comes before the query.
    ///
    /// Browsers read it as a slash, but other readers find a different host.
    let hasBackslash: Bool
    /// Everything before the query.
    let base: String
    /// The pairs of the query, decoded.
    var query: [(name: String, value: String)]
    /// The fragment.
    var fragment: String?

    /// Reads a URL with a scheme; web schemes need a host.
    init?(_ text: String) {
        guard case (let name, let tail?) = text.cut(at: ":"), Self.isScheme(name),
            !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7f })
        else { return nil }
        let scheme = name.lowercased()
        let isWeb = ["http", "https"].contains(scheme)
        let (beforeFragment, fragment) = tail.cut(at: "#")
        let (place, pairs) = beforeFragment.cut(at: "?")
        guard let query = pairs.map({ Percent.decodeForm($0) }) ?? [] else { return nil }
        self.scheme = scheme
        self.fragment = fragment.map(String.init)
        self.query = query
        hasBackslash = place.unicodeScalars.contains("\\")
        guard isWeb else {
            base = "\(name):\(place)"
            let scalars = place.unicodeScalars
            let authority = scalars.starts(with: "//".unicodeScalars) ? String(scalars.dropFirst(2).prefix { $0 != "/" }) : ""
            host = Self.host(in: authority) ?? ""
            return
        }
        let path = place.replacingScalars { $0 == "\\" ? "/" : nil }
        guard path.unicodeScalars.starts(with: "//".unicodeScalars) else { return nil }
        let (authority, rest) = String(path.unicodeScalars.dropFirst(2)).cut(at: "/")
        guard let host = Self.host(in: String(authority)), Self.isHost(host) else { return nil }
        self.host = host
        // As in browsers, a web address without a path has the path /.
        base = "\(name)://\(authority)/\(rest ?? "")"
    }

    /// Returns the host of an authority, in lower case, percent-decoded, without its user and port.
    private static func host(in authority: String) -> String? {
        let place = authority.cut(atLast: "@").tail
        let bare =
            place.unicodeScalars.first == "[" ? place.cut(at: "]").head + "]" : place.cut(at: ":").head
        return Percent.decode(String(bare))?.lowercased()
    }

    /// Whether browsers accept the host: it has none of WHATWG's forbidden code points.
    private static func isHost(_ host: String) -> Bool {
        let inside = host.unicodeScalars.first == "[" ? host.unicodeScalars.dropFirst().dropLast() : host.unicodeScalars[...]
        return !inside.isEmpty
            && inside.allSatisfy { scalar in
                scalar.value > 0x20 && scalar.value != 0x7f && !"#/<>?@[\\]^|%".unicodeScalars.contains(scalar)
            }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7a).contains(first | 0x20) else { return false }
        return text.utf8.allSatisfy { unit in
            (0x61...0x7a).contains(unit | 0x20) || (0x30...0x39).contains(unit) || [0x2b, 0x2d, 0x2e].contains(unit)
        }
    }

    /// Returns whether the host is `domain` or a subdomain of it, by its bytes.
    ///
    /// The host is ASCII, as browsers write every host. A domain with other letters matches only in exactly the form in
    /// the list.
    func isHost(in domain: String) -> Bool {
        let (own, other) = (Array(host.utf8), Array(domain.lowercased().utf8))
        if own == other { return true }
        guard !other.isEmpty, own.allSatisfy({ $0 < 0x80 }), own.count > other.count else { return false }
        return own.suffix(other.count + 1).elementsEqual([0x2e] + other)
    }

    /// Returns the value of the first pair with that name.
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Sets a pair: replaces the first one with that name, or appends it.
    mutating func set(_ name: String, to value: String) {
        if let index = query.firstIndex(where: { $0.name == name }) {
            query[index].value = value
        } else {
            query.append((name, value))
        }
    }

    /// The whole URL, with its query serialized again.
    var text: String {
        base + (query.isEmpty ? "" : "?" + Percent.encodeForm(query)) + (fragment.map { "#" + $0 } ?? "")
    }
}
