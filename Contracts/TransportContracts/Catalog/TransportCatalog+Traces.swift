import LockstepContracts
import LockstepHTTP
import LockstepSystem

extension TransportCatalog {
    static let leavesNothing = TransportContract(
        "transport.leaves-nothing",
        "No part of a response is kept in files or in memory: no cache, no cookie, no list of hosts, regardless of the "
            + "server's requests."
    ) { world in
        let server = try world.server { connection in
            while try connection.readRequest() != nil {
                try connection.answer(200, Self.cacheable, "{\"access_token\":\"canary\"}")
            }
        }
        let transport = try world.transport()
        for _ in 0..<2 {
            let response = try await transport.send(HTTPRequest(.get, server.url("/session")))
            world.expect(response.text?.contains("canary") == true, "the request got another response")
        }
        world.expect(
            server.requests.count == 2,
            "the server received \(server.requests.count) requests, expected 2: the transport used a cache")
        for name in ["Cookie", "If-None-Match", "If-Modified-Since"] {
            world.expect(
                server.requests.allSatisfy { $0.headers[name] == nil }, "the transport sent \(name) from an earlier response")
        }
        guard let sender = world.harness.sender else {
            throw EnvironmentError("the harness has no command that sends a request in its own process")
        }
        // Every folder in which a program of this system stores its own data.
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let places = [
            "HOME", "CFFIXED_USER_HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
        ]
        let start = "cd \"$0\" && exec env " + places.map { "\($0)=\"$0\" " }.joined() + "\"$@\""
        let outcome = try await ChildProcess.run("sh", ["-c", start, folder] + sender + [server.url("/session")])
        world.expect(outcome.status == 0, "the request failed, so this check is not meaningful: \(outcome.text)")
        world.expect(server.requests.count == 3, "the server received \(server.requests.count) requests, expected 3")
        let left = try Self.files(in: folder)
        world.expect(left.isEmpty, "the transport left files: \(left.joined(separator: ", "))")
    }

    /// Returns every file below a folder.
    ///
    /// Foundation creates empty folders, which contain no response.
    private static func files(in folder: String) throws -> [String] {
        try Folder.names(folder).flatMap { name in
            // If the names in a path cannot be read, the path is a file.
            (try? files(in: "\(folder)/\(name)").map { "\(name)/\($0)" }) ?? [name]
        }
    }

    /// The header fields of a response that any cache of responses, cookies or hosts may store for a year.
    private static let cacheable = [
        "Content-Type: application/json", "Cache-Control: public, max-age=31536000, immutable", "ETag: \"canary\"",
        "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", "Expires: Fri, 01 Jan 2038 00:00:00 GMT",
        "Set-Cookie: session=canary; Max-Age=31536000; Path=/", "Strict-Transport-Security: max-age=31536000",
        "Alt-Svc: h2=\":443\"; ma=31536000",
    ]
}
