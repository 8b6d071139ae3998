internal import LockstepPrimitives

/// An absolute URL: the parts that this server needs.
struct WebAddress: Sendable {
    /// `https`, lower case.
    let scheme: String
    /// `app.example.com`, lower case, without a port; empty where there is none.
    let host: String
    /// Everything before the query.
    let base: String
    /// The pairs of the query, decoded.
    var query: [(name: String, value: String)]
    /// The fragment.
    var fragment: String?

    /// Reads a URL with a scheme; web schemes need a host.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), Self.isScheme(text[..<colon]),
            !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7f })
        else { return nil }
        scheme = text[..<colon].lowercased()
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            guard let pairs = Percent.decodeForm(rest[rest.index(after: mark)...]) else { return nil }
            query = pairs
            rest = rest[..<mark]
        } else {
            query = []
        }
        var authority = ""
        let afterScheme = rest[rest.index(after: colon)...]
        if afterScheme.hasPrefix("//") {
            authority = String(afterScheme.dropFirst(2).prefix { $0 != "/" })
        } else if ["http", "https"].contains(scheme) {
            return nil
        }
        host = (authority.split(separator: "@").last ?? "").prefix { $0 != ":" }.lowercased()
        if ["http", "https"].contains(scheme), host.isEmpty { return nil }
        // As in browsers: a web address without a path has the path /.
        base = String(rest) + (["http", "https"].contains(scheme) && !afterScheme.dropFirst(2).contains("/") ? "/" : "")
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// The value of the first pair of that name.
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Sets a pair: replaces the first of that name or appends it.
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
