import LockstepHTTP

extension TransportCatalog {
    static let loopbackOnly = TransportContract(
        "transport.loopback-only",
        "A transport that is limited to this machine rejects every other address, in any notation, before it resolves a "
            + "name or connects.",
        buildsOn: ["transport.phase"]
    ) { world in
        var settings = TransportSettings()
        settings.isLoopbackOnly = true
        let transport = try world.transport(settings)
        let server = try world.server { try $0.answerAll() }
        let own = server.url().dropFirst("http://".count).prefix { $0 != "/" }
        let port = own.drop { $0 != ":" }

        for host in ["127.0.0.1", "localhost", "LocalHost"] {
            let response = try await transport.send(HTTPRequest(.get, "http://\(host)\(port)/here"))
            world.expect(response.text == "/here", "\(host) was not treated as this machine")
        }
        // No server has to listen at these addresses, but the transport may try to connect.
        for host in ["[::1]", "127.0.0.2"] {
            do throws(HTTPFailure) {
                _ = try await transport.send(HTTPRequest(.get, "http://\(host)\(port)/", deadline: .seconds(20)))
            } catch {
                world.expect(error.code != .notLoopback, "\(host) was not treated as this machine")
            }
        }
        let connections = server.connections
        for url in elsewhere(own, port) {
            await world.expectFailure(
                [.notLoopback, .invalidRequest], .neverSent, of: HTTPRequest(.get, url, deadline: .seconds(20)), on: transport,
                url)
        }
        world.expect(server.connections == connections, "the transport connected to the server")
    }

    /// Returns addresses of other machines, addresses that look like this machine, and ambiguous addresses.
    private static func elsewhere(_ own: Substring, _ port: Substring) -> [String] {
        let hosts = [
            // Names with a similar beginning or end, and names whose address depends on a name server.
            "127.0.0.1.evil.example", "localhost.evil.example", "evil-localhost", "localhost.", "evil.example",
            "[::1].evil.example",
            // A user name before the host, and characters that some parsers do not treat as the end of the host.
            "\(own)@evil.example", "localhost@evil.example", "a:b@evil.example", "evil.example#@127.0.0.1",
            "evil.example?@127.0.0.1",
            "evil.example\\@127.0.0.1", "evil.example/@127.0.0.1", "127.0.0.1%2eevil.example", "evil.example%23@evil.example",
            // Numbers in other notations: decimal, octal, hexadecimal, shortened, mapped.
            "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.0.0.1", "127.1", "127.0.1", "127.0.0.01", "127.0.0.1.", "127.0.0.256",
            "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[0:0:0:0:0:0:0:2]", "[::1%25lo]",
            // Other addresses of this machine, and addresses that mean all machines.
            "0.0.0.0", "0", "[::]", "10.0.0.1", "169.254.169.254", "126.255.255.255", "128.0.0.1", "",
        ]
        return hosts.map { "http://\($0)\($0.contains("@") ? "" : String(port))/" } + [
            "ftp://127.0.0.1/", "127.0.0.1", "//127.0.0.1/",
        ]
    }
}
