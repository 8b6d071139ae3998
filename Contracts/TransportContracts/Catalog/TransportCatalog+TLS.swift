import LockstepContracts
import LockstepHTTP
import LockstepSystem

extension TransportCatalog {
    static let tls = TransportContract(
        "transport.tls",
        "A certificate with a wrong name, with a name only in its subject, from an unknown issuer, or past its date is "
            + "rejected before the request is sent."
    ) { world in
        let (known, unknown) = (try await TestIssuer(), try await TestIssuer())
        defer { for issuer in [known, unknown] { issuer.remove() } }
        let transport = try world.transport(trusting: known)

        let good = try await TLSServer(known.issue("good", to: "IP:127.0.0.1"), Self.anyResponse)
        defer { good.close() }
        let response = try await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(good.port)/"))
        world.expect(response.status == 200, "the transport rejects a valid certificate, so this check is not meaningful")

        let bad = [
            ("a wrong name", "127.0.0.1", try await known.issue("wrong", to: "DNS:example.com")),
            ("an unknown issuer", "127.0.0.1", try await unknown.issue("stranger", to: "IP:127.0.0.1")),
            ("a date in the past", "127.0.0.1", try await known.issue("old", to: "IP:127.0.0.1", isExpired: true)),
            ("only a common name", "localhost", try await known.issue("common", to: nil, commonName: "localhost")),
            (
                "only a common name that is a number", "127.0.0.1",
                try await known.issue("number", to: nil, commonName: "127.0.0.1")
            ),
            (
                "alternative names that are not hosts", "localhost",
                try await known.issue("mail", to: "email:a@localhost", commonName: "localhost")
            ),
        ]
        for (fault, host, identity) in bad {
            let server = try await TLSServer(identity, Self.anyResponse)
            defer { server.close() }
            await world.expectFailure(
                [.tls], of: HTTPRequest(.get, "https://\(host):\(server.port)/"), on: transport,
                "a certificate with \(fault)")
        }
    }

    static let changedCertificate = TransportContract(
        "transport.changed-certificate",
        """
        A server whose certificate changes between two requests is verified again. If the verification fails, nothing is sent; \
        if it succeeds later, requests work again.
        """,
        buildsOn: ["transport.tls"]
    ) { world in
        let (known, unknown) = (try await TestIssuer(), try await TestIssuer())
        defer { for issuer in [known, unknown] { issuer.remove() } }
        let transport = try world.transport(trusting: known)

        let port = try LastingPort()
        let first = try await TLSServer(known.issue("first", to: "IP:127.0.0.1"), Self.anyResponse, port: port.number)
        let request = HTTPRequest(.get, "https://127.0.0.1:\(port.number)/", headers: ["Authorization": "Bearer single-use"])
        world.expect(
            try await transport.send(request).status == 200,
            "the transport rejects a valid certificate, so this check is not meaningful")
        first.close()

        for (fault, identity) in [
            ("an unknown issuer", try await unknown.issue("stranger", to: "IP:127.0.0.1")),
            ("a different name", try await known.issue("other", to: "DNS:example.com")),
            ("a date in the past", try await known.issue("old", to: "IP:127.0.0.1", isExpired: true)),
        ] {
            let changed = try await TLSServer(identity, Self.anyResponse, port: port.number)
            defer { changed.close() }
            await world.expectFailure([.tls], .neverSent, of: request, on: transport, "a certificate that changed to \(fault)")
        }

        let renewed = try await TLSServer(known.issue("renewed", to: "IP:127.0.0.1"), Self.anyResponse, port: port.number)
        defer { renewed.close() }
        world.expect(try await transport.send(request).status == 200, "the transport rejects a valid renewed certificate")
    }

    static let keyLog = TransportContract(
        "transport.key-log",
        "The environment variable `SSLKEYLOGFILE` does not make the transport write the keys of its connections to a "
            + "file."
    ) { world in
        guard let sender = world.harness.sender else {
            throw EnvironmentError("the harness has no command that sends a request in its own process")
        }
        let issuer = try await TestIssuer()
        defer { issuer.remove() }
        let server = try await TLSServer(issuer.issue("good", to: "IP:127.0.0.1"), Self.anyResponse)
        defer { server.close() }
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let log = ["SSLKEYLOGFILE=\(folder)/keys"]
        let outcome = try await ChildProcess.run("env", log + sender + ["https://127.0.0.1:\(server.port)/", issuer.certificate])
        world.expect(outcome.status == 0, "the request failed, so this check is not meaningful: \(outcome.text)")
        world.expect(try Folder.names(folder).isEmpty, "the transport created a file for the keys")
    }

    /// The option with which the command responds to every request with status 200.
    private static let anyResponse = ["-www"]
}
