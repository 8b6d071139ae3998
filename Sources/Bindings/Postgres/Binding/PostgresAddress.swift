internal import CLockstepPostgres
package import LockstepPrimitives

/// A connection string of libpq, with the servers to connect to and the credentials.
///
/// The string consists of `key=value` pairs, or it is a URI
/// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING). Missing values come from libpq's environment
/// variables, such as `PGHOST` and `PGPASSWORD`.
///
/// If the string names several hosts, the hosts are tried in order until a host accepts writes. For this reason,
/// `target_session_attrs` is always `read-write`. A connection without traffic is checked within a minute (`keepalives_idle`).
///
/// For a remote host, `sslmode` is `verify-full`. libpq's own default is `prefer`, which lets an attacker on the network remove
/// the encryption. A local host is a Unix socket, `localhost`, or an address in 127.0.0.0/8 or ::1. If both `host` and
/// `hostaddr` are given, both must be local.
package struct PostgresAddress: Sendable {
    /// The parameters for each host, in the order of the connection string.
    ///
    /// The hosts are tried one after the other.
    let targets: [[Parameter]]
    /// Whether all hosts are on this machine, according to the connection string and libpq's environment variables.
    package let isLocal: Bool

    struct Parameter: Sendable {
        let keyword: String
        let value: Secret
    }

    private static let settings = [
        ("target_session_attrs", "read-write"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
        ("keepalives_count", "3"), ("client_encoding", "UTF8"),
    ]

    /// Reads a connection string.
    ///
    /// - Parameters:
    ///   - connectionString: The connection string, which may contain a password.
    ///   - verifiesServers: Whether to verify the identity of a remote host. If it is `false`, every host uses the `sslmode` of
    ///     the connection string, or libpq's default.
    /// - Throws: ``PostgresError`` with `invalidAddress` if the string is invalid, or if it contains a weaker `sslmode` for a
    ///   remote host.
    package init(_ connectionString: Secret, verifiesServers: Bool = true) throws(PostgresError) {
        var given = try Self.parse(connectionString.reveal())
        for (keyword, value) in Self.settings where given[keyword] == nil { given[keyword] = value }
        // With several hosts, only the caller of libpq can give one of them up, so each is tried separately.
        let lists = ["host", "hostaddr", "port"].map { ($0, given[$0].map(Self.list)) }
        let count = lists.compactMap { $0.0 == "port" ? nil : $0.1?.count }.max() ?? 1
        for (keyword, list) in lists {
            guard let list, list.count != count, !(keyword == "port" && list.count == 1) else { continue }
            throw PostgresError(
                .invalidAddress,
                "The connection string has \(list.count) values of \(keyword) for \(count) hosts. Give one value for each host.")
        }
        var isLocal = true
        targets = try (0..<count).map { index throws(PostgresError) in
            var parameters = given
            for (keyword, list) in lists { if let list { parameters[keyword] = list[min(index, list.count - 1)] } }
            let isHere = PostgresHost.isLocal(parameters)
            isLocal = isLocal && isHere
            if verifiesServers, !isHere {
                if let mode = parameters["sslmode"], mode != PostgresHost.verifying {
                    throw PostgresError(
                        .invalidAddress,
                        """
                        sslmode=\(mode) lets others read and change what goes to a host that is not local. Ask for \
                        sslmode=verify-full, with sslrootcert naming the authority of its certificate, or allow less in the settings.
                        """)
                }
                parameters["sslmode"] = PostgresHost.verifying
            }
            return parameters.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
                .map { Parameter(keyword: $0.key, value: Secret($0.value)) }
        }
        self.isLocal = isLocal
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func parse(_ text: String) throws(PostgresError) -> [String: String] {
        // A NUL would end the string early, and a different server could be contacted.
        // The text is a valid C string during the call. libpq's own message would quote it with the password, so that message
        // is left out.
        guard !text.utf8.contains(0) else { throw PostgresError(.invalidAddress, "The connection string contains NUL.") }
        guard let options = unsafe PQconninfoParse(text, nil) else {
            throw PostgresError(.invalidAddress, "The connection string is neither key=value pairs nor a PostgreSQL URI.")
        }
        return unsafe read(options)
    }

    /// Returns the values of libpq's environment variables, for parameters that a connection string does not contain.
    static func defaults() -> [String: String] {
        guard let options = unsafe PQconndefaults() else { return [:] }
        return unsafe read(options)
    }

    /// Copies a list of libpq, and frees it.
    private static func read(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        defer { unsafe PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        // The list ends with an entry without a keyword. Its strings are valid until the list is freed, and are copied here.
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val { unsafe parameters[String(cString: keyword)] = String(cString: value) }
            unsafe option += 1
        }
        return parameters
    }
}
