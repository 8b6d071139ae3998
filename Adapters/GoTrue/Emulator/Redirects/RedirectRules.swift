internal import LockstepEmulation
internal import LockstepPrimitives

/// The allowed targets of links and callbacks.
struct RedirectRules: Sendable {
    let siteURL: String
    private let site: GoURL?
    private let globs: [RedirectGlob]

    init(siteURL: String, allowed: [String]) {
        self.siteURL = siteURL
        site = GoURL(siteURL)
        globs = allowed.map(RedirectGlob.init)
    }

    /// Header, query or form, then `Referer`, then the site: the first that is allowed.
    func target(of request: EmulatorRequest) -> String {
        var candidates = [request.headers["redirect_to"], request.query["redirect_to"]]
        if request.mediaType == "application/x-www-form-urlencoded" { candidates.append(request.form()["redirect_to"]) }
        // An empty header falls back to the query.
        let asked = candidates.compactMap { $0 }.first { !$0.isEmpty }
        for candidate in [asked, request.headers["referer"]] {
            if let candidate, allows(candidate) { return candidate }
        }
        return siteURL
    }

    func allows(_ text: String) -> Bool {
        guard !text.isEmpty, let url = GoURL(text) else { return false }
        let host = url.hostname
        if !host.isEmpty, host.allSatisfy({ $0.isASCII && $0.isNumber }) { return false }
        if let site, site.scheme == url.scheme, site.hostname == host, isLocal(host) || site.port == url.port { return true }
        if let isLoopback = Self.isLoopback(host) { return isLoopback }
        let bare = text.prefix { $0 != "#" }
        return globs.contains { $0.matches(String(bare)) }
    }

    private func isLocal(_ host: String) -> Bool { host == "localhost" || host.hasSuffix(".localhost") }

    /// Whether an IP address is a loopback one; `nil` for names.
    private static func isLoopback(_ host: String) -> Bool? {
        if host.contains(":") { return host == "::1" || host == "0:0:0:0:0:0:0:1" || host.hasPrefix("::ffff:127.") }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard numbers.count == 4, !numbers.contains(nil) else { return nil }
        return numbers[0] == 127
    }
}
