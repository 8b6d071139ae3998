import LockstepHTTP

extension TransportCatalog {
    static let proxy = TransportContract(
        "transport.proxy",
        """
        If a proxy is set, every request uses it. A proxy that rejects a tunnel (407, 403, 502), closes it or returns invalid \
        data is an error, which reports that no connection was made and nothing was sent. The proxy sees only the host and the \
        port of the request.
        """,
        buildsOn: ["transport.phase"]
    ) { world in
        let proxy = try world.server { connection in
            while let request = try connection.readRequest() {
                // The name of the host selects the behavior of its tunnel.
                switch request.target.prefix(while: { $0 != "." }) {
                case "credentials":
                    try connection.answer(407, ["Proxy-Authenticate: Basic realm=\"office\""], "<h1>Who are you?</h1>")
                case "forbidden": try connection.answer(403, ["Content-Type: text/html"], "<h1>Not from here</h1>")
                case "down": try connection.answer(502)
                case "closing": return
                case "garbage": return try connection.write("this is no HTTP\n\n")
                default: try connection.answer(200, [], request.target)
                }
            }
        }
        var settings = TransportSettings()
        settings.proxy = proxy.url()
        let transport = try world.transport(settings)
        for host in ["credentials", "forbidden", "down", "closing", "garbage"] {
            let authority = "\(host).lockstep.invalid:443"
            let request = HTTPRequest(
                .post, "https://\(authority)/token", headers: ["Authorization": "Bearer canary"],
                body: .form(["refresh_token": "canary"]), deadline: .seconds(15))
            let before = proxy.requests.count
            await world.expectFailure([.cannotConnect], .neverSent, of: request, on: transport, "a proxy's tunnel: \(host)")
            let seen = proxy.requests.dropFirst(before)
            world.expect(!seen.isEmpty, "\(host): the transport did not use the proxy")
            for tunnel in seen {
                world.expect(
                    tunnel.method == "CONNECT" && tunnel.target == authority,
                    "\(host): the proxy received another request than CONNECT for the host")
                let text = tunnel.headers.map { $0.name + $0.value }.joined() + String(decoding: tunnel.body, as: UTF8.self)
                world.expect(!text.contains("canary"), "\(host): the proxy received data of the request")
            }
        }
        // Without TLS there is no tunnel, so the transport returns the proxy's response.
        let plain = try await transport.send(HTTPRequest(.get, "http://plain.lockstep.invalid/x"))
        world.expect(plain.text == "http://plain.lockstep.invalid/x", "a plain request did not use the proxy")
        proxy.close()
        await world.expectFailure(
            [.cannotConnect], .neverSent, of: HTTPRequest(.get, "https://late.lockstep.invalid/"), on: transport,
            "a proxy that does not listen")
    }
}
