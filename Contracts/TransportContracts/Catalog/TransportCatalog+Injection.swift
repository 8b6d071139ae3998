import LockstepHTTP

extension TransportCatalog {
    static let headerInjection = TransportContract(
        "transport.header-injection", "CR, LF or NUL in a header, a method or an address is rejected before anything is sent."
    ) { world in
        let transport = try world.transport()
        let server = try world.server { try $0.answerAll() }
        for evil in ["\r\nX-Evil: 1", "\nX-Evil: 1", "\r", "\0"] {
            let requests = [
                HTTPRequest(.get, server.url(), headers: ["X-Value": "a\(evil)"]),
                HTTPRequest(.get, server.url(), headers: ["X-Name\(evil)": "a"]),
                HTTPRequest(.get, server.url("/a\(evil)")),
                HTTPRequest(HTTPMethod(rawValue: "GET\(evil)"), server.url()),
                HTTPRequest(.post, server.url(), body: HTTPBody([1], type: "text/plain\(evil)")),
            ]
            for (place, request) in zip(["a value", "a name", "an address", "a method", "a content type"], requests) {
                let bytes = evil.utf8.prefix(2).map { String($0) }.joined(separator: " ")
                await world.expectFailure([.invalidRequest], of: request, on: transport, "bytes \(bytes) in \(place)")
            }
        }
        for framing in ["Content-Length", "Transfer-Encoding"] {
            await world.expectFailure(
                [.invalidRequest], .neverSent,
                of: HTTPRequest(.post, server.url(), headers: [framing: "5"], body: .form(["a": "b"])),
                on: transport, "a \(framing) header from the caller")
        }
        world.expect(server.connections == 0, "the server received \(server.requests.count) requests, expected none")
    }

    static let longAddress = TransportContract(
        "transport.long-address", "An address of more than 64 kB is rejected, and no other address is requested instead."
    ) { world in
        let transport = try world.transport()
        let server = try world.server { try $0.answerAll() }
        // A valid address comes first. The transport must not use it again for the long address.
        _ = try await transport.send(HTTPRequest(.get, server.url("/first")))
        for length in [1 << 16, 9_000_000] {
            await world.expectFailure(
                [.invalidRequest], .neverSent,
                of: HTTPRequest(.get, server.url("/" + String(repeating: "a", count: length))), on: transport,
                "an address of \(length) bytes")
        }
        world.expect(server.requests.map(\.target) == ["/first"], "the transport requested another address")
    }
}
