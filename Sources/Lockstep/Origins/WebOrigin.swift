/// The scheme, host and port of a server.
///
/// An app lists the origins that may get a token, and the origins of the pages that it may open. The format is strict,
/// so that all HTTP clients read the address in the same way.
///
/// The scheme must be `https`, or `http` for this machine (`127.0.0.0/8`, `::1`, `localhost`). The address must not
/// contain a user name, a backslash, a control character, or letters outside ASCII (write `xn--…`, the name in the
/// DNS). The host must not contain a percent sign or end with a dot. Scheme and host may have any case. If the port is
/// missing, it is the default port of the scheme.
///
/// ```swift
/// var options = AuthClient.Options(apiOrigins: ["https://api.example.com"])
/// options.apiOrigins.insert(try WebOrigin(address))  // an address that is not a literal
/// ```
public struct WebOrigin: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    private let scheme: String
    private let host: String
    private let port: Int

    /// Creates an origin from an address such as `https://api.example.com` or `http://127.0.0.1:8080`.
    ///
    /// - Parameter address: The address.
    /// - Throws: `invalidConfiguration` if the address is invalid, uses plain http to another machine, or has parts
    ///   other than scheme, host and port.
    public init(_ address: String) throws(AuthError) {
        do throws(Flaw) {
            self = try Self.of(url: address)
        } catch {
            throw AuthError(
                .invalidConfiguration,
                "Invalid origin\(Self.quoted(address)): \(error.sentence). Write an origin such as \"https://api.example.com\".")
        }
        let rest = address.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3).drop {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard rest.isEmpty || rest.elementsEqual([UInt8(ascii: "/")]) else {
            throw AuthError(.invalidConfiguration, "The origin of a server has no path, query or fragment. Use \(description).")
        }
    }

    /// Creates an origin from a literal in the source, such as `"https://api.example.com"`.
    ///
    /// If the literal is not a valid origin, the process ends immediately, with the reason.
    ///
    /// - Parameter address: The address.
    public init(stringLiteral address: String) {
        do throws(AuthError) { self = try WebOrigin(address) } catch { preconditionFailure(error.message) }
    }

    /// The normalized origin as a string.
    public var description: String {
        let isUsual = port == Self.usualPort(of: scheme)
        return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")"
    }

    /// The reason why an address is not a valid origin.
    struct Flaw: Error {
        /// The problem with the address, worded as the end of a sentence.
        let sentence: String
    }

    private init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Returns an address in quotes; an empty text if the address may contain a password or a token.
    private static func quoted(_ address: String) -> String {
        address.utf8.count > 256 || address.utf8.contains { "?#@".utf8.contains($0) } ? "" : " " + address.debugDescription
    }

    /// Returns the origin of any URL.
    static func of(url: String) throws(Flaw) -> WebOrigin {
        guard url.utf8.count <= 1 << 16 else { throw Flaw(sentence: "the address is longer than 64 kB") }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }) else {
            throw Flaw(
                sentence: "the address has white space, a backslash, a control character or a letter that is not ASCII")
        }
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw Flaw(sentence: "the address has no scheme") }
        let scheme = url[..<colon].lowercased()
        let tail = url[url.index(after: colon)...]
        guard scheme == "https" || scheme == "http" else {
            throw Flaw(sentence: tail.hasPrefix("//") ? "the scheme of the address is not https" : "the address has no scheme")
        }
        guard tail.hasPrefix("//") else { throw Flaw(sentence: "the address has no host") }
        let authority = tail.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { throw Flaw(sentence: "the address contains a user name") }
        let (host, port) = try Self.split(authority)
        guard scheme == "https" || Self.isThisMachine(host) else {
            throw Flaw(sentence: "it uses plain http to another machine, so an attacker on the network can read it; use https")
        }
        return WebOrigin(scheme: scheme, host: host, port: port ?? Self.usualPort(of: scheme))
    }

    private static func usualPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

    private static func split(_ authority: Substring) throws(Flaw) -> (host: String, port: Int?) {
        let end =
            authority.hasPrefix("[")
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
        let host = authority[..<(end ?? authority.endIndex)].lowercased()
        guard authority.hasPrefix("[") ? isNumber6(host) : isName(host) else {
            throw Flaw(sentence: "the address has no host, or a host that clients read differently")
        }
        let rest = authority[(end ?? authority.endIndex)...]
        guard !rest.isEmpty else { return (host, nil) }
        guard rest.hasPrefix(":"), (2...6).contains(rest.utf8.count),
            rest.dropFirst().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = Int(rest.dropFirst()), (1...65_535).contains(port)
        else { throw Flaw(sentence: "the port of the address is not a number from 1 to 65535") }
        return (host, port)
    }

    /// Returns whether a host consists of labels (letters, digits, `-` and `_`) with single dots between them.
    private static func isName(_ host: String) -> Bool {
        host.utf8.count <= 253
            && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy { unit in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(unit)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) || unit == UInt8(ascii: "-")
                            || unit == UInt8(ascii: "_")
                    }
            }
    }

    private static func isNumber6(_ host: String) -> Bool {
        host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 4
            && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    private static func isThisMachine(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && UInt8(part) != nil && (part.utf8.count == 1 || !part.hasPrefix("0"))
                    && part.utf8.allSatisfy { $0 != UInt8(ascii: "+") }
            }
    }
}
