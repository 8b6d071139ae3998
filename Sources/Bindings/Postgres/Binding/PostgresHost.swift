/// Functions that say which servers are on this machine.
enum PostgresHost {
    /// The `sslmode` with which the client verifies the identity of a server.
    static let verifying = "verify-full"

    /// Returns whether a connection with these parameters stays on this machine, as far as the parameters say.
    static func isLocal(_ parameters: [String: String]) -> Bool {
        var (host, address) = (parameters["host"] ?? "", parameters["hostaddr"] ?? "")
        if host.isEmpty, address.isEmpty {
            // A service file may name any host, and is read when the connection is made.
            if parameters["service"] != nil { return false }
            let defaults = PostgresAddress.defaults()
            if defaults["service"] != nil { return false }
            (host, address) = (defaults["host"] ?? "", defaults["hostaddr"] ?? "")
        }
        return (host.split(separator: ",") + address.split(separator: ",")).allSatisfy { isLocal($0.lowercased()) }
    }

    /// Returns whether a name or an address in lower case belongs to this machine.
    private static func isLocal(_ host: String) -> Bool {
        // A path, or an abstract name, of a Unix socket.
        if host.hasPrefix("/") || host.hasPrefix("@") { return true }
        if ["localhost", "localhost.", "::1"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.first != "+" }
        return isAddress && parts[0] == "127"
    }
}
