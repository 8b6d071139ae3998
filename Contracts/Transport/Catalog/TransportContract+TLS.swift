import LockstepHTTP

extension TransportContract {
    static let tls = TransportContract(
        "transport.tls",
        "A certificate of a wrong name, of an unknown issuer, or past its date is refused before the request is sent."
    ) { world in
        let known = try await TestIssuer()
        defer { known.remove() }
        let unknown = try await TestIssuer()
        defer { unknown.remove() }
        var settings = TransportSettings()
        settings.issuers = known.certificate
        let transport = try world.transport(settings)

        let good = try await TLSServer(known.issue("good", to: "IP:127.0.0.1"), Self.anyAnswer)
        defer { good.close() }
        let answer = try await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(good.port)/"))
        world.expect(answer.status == 200, "a good certificate of a known issuer is taken, or the check proves nothing")

        let bad = [
            ("a wrong name", try await known.issue("wrong", to: "DNS:example.com")),
            ("an unknown issuer", try await unknown.issue("stranger", to: "IP:127.0.0.1")),
            ("a date in the past", try await known.issue("old", to: "IP:127.0.0.1", isExpired: true)),
        ]
        for (fault, identity) in bad {
            let server = try await TLSServer(identity, Self.anyAnswer)
            defer { server.close() }
            await world.expectFailure(
                [.tls], of: HTTPRequest(.get, "https://127.0.0.1:\(server.port)/"), on: transport,
                "a certificate with \(fault)")
        }
    }

    /// Has the command answer every request with 200.
    private static let anyAnswer = ["-www"]
}
