extension HTTPRequest {
    /// The path of the URL, in which `*` replaces each segment that may be an id or a secret.
    ///
    /// The query and the fragment are left out. So a route is safe to show, and requests of the same kind have the same route.
    ///
    /// A segment is kept if it is a version such as `v1`. A segment is also kept if it has at most 24 characters and consists of words:
    /// letters, joined by `.`, `_`, `-` or `:`. The ids of all supported providers contain digits or longer runs of
    /// letters, so they are replaced.
    public var route: String {
        let rest = url.utf8
        let authority = Substring(rest.drop { $0 != UInt8(ascii: ":") }).utf8.dropFirst(3)
        let path = Substring(authority.drop { !$0.endsAuthority }.prefix { !$0.endsPath })
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        return "/" + parts.map { $0.isWord || $0.isVersion ? String($0) : "*" }.joined(separator: "/")
    }
}

extension UInt8 {
    fileprivate var endsPath: Bool { self == UInt8(ascii: "?") || self == UInt8(ascii: "#") }
}

extension Substring {
    fileprivate var isWord: Bool {
        split(omittingEmptySubsequences: false) { "._-:".contains($0) }
            .allSatisfy { $0.utf8.count <= 24 && $0.allSatisfy { $0.isASCII && $0.isLetter } }
    }

    fileprivate var isVersion: Bool {
        first == "v" && (2...3).contains(utf8.count) && dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }
}
