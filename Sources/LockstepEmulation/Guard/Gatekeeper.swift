internal import LockstepPrimitives

/// Rejects requests that a web page of another site may have sent.
///
/// The check runs before routing.
struct Gatekeeper: Sendable {
    let names: ServedNames

    /// Returns the response to a request for a host name that the server does not have; `nil` if the request is allowed.
    ///
    /// The response has no header that lets a page of another origin read it.
    func refusal(of request: EmulatorRequest) -> EmulatorResponse? {
        if names.serves(request) { return nil }
        let host = request.authority ?? request.headers["host"] ?? ""
        return .text(
            "Unknown host \"\(host.printable)\". Use localhost or this machine's address, or start the server with "
                + "--allow-host NAME (EmulatorOptions.allowedHosts).\n",
            status: 421)
    }

    /// Returns the response that rejects a browser's request from a page of another machine; `nil` if the request is allowed.
    ///
    /// It protects routes that show or change data for tests only. A browser sends the origin of the page in `Origin`, or else
    /// in `Sec-Fetch-Site`. Programs send neither.
    func refusalOfForeignPage(_ request: EmulatorRequest) -> EmulatorResponse? {
        let origins = request.headers.all("origin")
        let isForeign =
            origins.isEmpty
            ? request.headers.all("sec-fetch-site").contains { $0.lowercased() == "cross-site" }
            : !origins.allSatisfy(names.isOwn(origin:))
        guard isForeign else { return nil }
        return .json(
            [
                "error":
                    "Requests from other sites are blocked. Use a page on this machine, or a program that does not send an Origin header."
            ],
            status: 403)
    }
}

extension String {
    /// The text, shortened and without characters that a terminal or a page would interpret.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(100).map { $0.value > 0x20 && $0.value < 0x7f ? $0 : "?" }))
    }
}

/// The host names and addresses for which an emulator responds.
///
/// A web site can let its own name point to 127.0.0.1. For the browser, the page then has the emulator's origin (DNS
/// rebinding), and only the name in `Host` is different. So the emulator responds only to names that no web site can have:
/// loopback names and addresses, its own address, and names that the user lists.
struct ServedNames: Sendable {
    /// The listed names in lower case, without a port.
    private let listed: Set<ExactString>
    /// Whether the server listens on every address of this machine.
    ///
    /// If so, it also responds for the address to which a client has connected.
    private let servesAllAddresses: Bool

    /// - Parameters:
    ///   - host: the address on which the server listens.
    ///   - names: further names, in any case, without a port.
    init(host: String, names: [String]) {
        listed = Set((names + [host]).map { Self.plain($0).exact })
        servesAllAddresses = host == "0.0.0.0"
    }

    /// Returns whether a request is for one of these names: by its `Host`, and by its target if that is a whole URL.
    func serves(_ request: EmulatorRequest) -> Bool {
        let hosts = request.headers.all("host")
        guard hosts.count == 1 else { return false }
        if request.authority == nil, Self.isUsual(hosts[0].utf8) { return true }
        return (hosts + [request.authority].compactMap(\.self)).allSatisfy { authority in
            guard let name = Self.name(of: authority) else { return false }
            return isServed(name) || servesAllAddresses && name == request.localAddress
        }
    }

    /// Returns whether the host is 127.0.0.1, with or without a port.
    ///
    /// Almost every request has this host.
    private static func isUsual(_ host: String.UTF8View) -> Bool {
        guard host.starts(with: "127.0.0.1".utf8) else { return false }
        let rest = host.dropFirst(9)
        return rest.isEmpty
            || rest.count <= 6 && rest.first == UInt8(ascii: ":") && rest.dropFirst().allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    /// Returns whether an origin, as a browser writes it (`http://localhost:3000`), is a page of this machine or of a listed
    /// name.
    func isOwn(origin: String) -> Bool {
        guard let scheme = origin.range(ofBytes: "://"), ["http", "https"].contains(origin[..<scheme.lowerBound].lowercased())
        else { return false }
        return Self.name(of: origin[scheme.upperBound...]).map(isServed) ?? false
    }

    private func isServed(_ name: String) -> Bool {
        Self.isLoopback(name) || listed.contains(name.exact)
    }

    private static func isLoopback(_ name: String) -> Bool {
        if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
        let pieces = name.pieces(at: ".", omittingEmptySubsequences: false)
        guard pieces.count == 4, pieces[0] == "127" else { return false }
        return pieces.allSatisfy { piece in
            !piece.isEmpty && piece.count <= 3 && piece.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && UInt8(piece) != nil
        }
    }

    /// Returns the name in an authority, in lower case and without its port; `nil` if there is no valid one.
    ///
    /// It must not have user information, a dot at the end, or a number that only some resolvers read as an address.
    private static func name(of authority: some StringProtocol) -> String? {
        let text = authority.lowercased()
        let name: Substring
        var rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.unicodeScalars.firstIndex(of: "]") else { return nil }
            name = text[...end]
            rest = text[text.unicodeScalars.index(after: end)...]
        } else {
            name = text.cut(at: ":").head
            rest = text.dropFirst(name.count)
        }
        if rest.first == ":" {
            rest = rest.dropFirst()
            guard rest.utf8.count <= 5, rest.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        } else if !rest.isEmpty {
            return nil
        }
        let isWritable = name.utf8.allSatisfy { unit in
            switch unit {
            case 0x30...0x39, 0x61...0x7a: true
            case 0x2d, 0x2e, 0x3a, 0x5b, 0x5d, 0x5f: true
            default: false
            }
        }
        return name.isEmpty || !isWritable ? nil : String(name)
    }

    /// Returns a listed name in the form in which requests contain it.
    ///
    /// An IPv6 address is in brackets.
    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    }
}
