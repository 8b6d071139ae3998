internal import LockstepPrimitives

/// Refuses, before routing, requests that a web page which the user happens to visit may send.
struct Gatekeeper: Sendable {
    let names: ServedNames

    /// The refusal of a request that was sent to a name that is not served; `nil` where it may pass.
    ///
    /// It has no header that lets a page of another origin read it.
    func refusal(of request: EmulatorRequest) -> EmulatorResponse? {
        if names.serves(request) { return nil }
        let host = request.authority ?? request.headers["host"] ?? ""
        return .text(
            "This server answers to localhost, to addresses of this machine, and to names that were listed: start it with "
                + "--allow-host NAME (EmulatorOptions.allowedHosts) to add one. The request was for \"\(host.printable)\".\n",
            status: 421)
    }

    /// The refusal of a browser's request on behalf of a page that is not of this machine; `nil` where it may pass.
    ///
    /// For routes that show or change what only tests should see. A browser names the page's origin in `Origin`, or, where there
    /// is none, in `Sec-Fetch-Site`; programs send neither.
    func refusalOfForeignPage(_ request: EmulatorRequest) -> EmulatorResponse? {
        let origins = request.headers.all("origin")
        let isForeign =
            origins.isEmpty
            ? request.headers.all("sec-fetch-site").contains { $0.lowercased() == "cross-site" }
            : !origins.allSatisfy(names.isOwn(origin:))
        guard isForeign else { return nil }
        return .json(
            ["error": "pages of other sites may not ask for this; programs that send no Origin, and pages of this machine, may"],
            status: 403)
    }
}

extension String {
    /// The text without characters that a terminal or a page would interpret, shortened.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(100).map { $0.value > 0x20 && $0.value < 0x7f ? $0 : "?" }))
    }
}
