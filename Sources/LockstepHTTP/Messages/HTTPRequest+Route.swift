extension HTTPRequest {
    /// The path without query and fragment.
    ///
    /// Each segment that may be an id or a secret is replaced by `*`.
    ///
    /// A route is safe to show, and requests of the same kind have the same route. Words stay: letters joined by `.`,
    /// `_`, `-` or `:`, of up to 24 characters, and versions such as `v1`. The ids of all supported providers have digits
    /// or longer runs of letters.
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
