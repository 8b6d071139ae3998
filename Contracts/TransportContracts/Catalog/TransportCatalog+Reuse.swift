import LockstepHTTP
import LockstepSystem

extension TransportCatalog {
    static let reuse = TransportContract(
        "transport.reuse",
        "Consecutive requests share a connection. A connection that is closed before anything was sent is replaced without "
            + "an error."
    ) { world in
        let transport = try world.transport()
        let isClosed = Occurrence<Void>()
        let server = try world.server { connection in
            for _ in 0..<(connection.number == 1 ? 3 : 100) {
                guard let request = try connection.readRequest() else { return }
                try connection.answer(200, [], request.target)
            }
            // The first connection ends here. No response has announced that.
            connection.socket.close()
            isClosed.happen()
        }
        for path in ["/1", "/2", "/3"] {
            let response = try await transport.send(HTTPRequest(.post, server.url(path), body: .form(["a": "b"])))
            world.expect(response.text == path, "\(path) got another response")
        }
        world.expect(server.connections == 1, "three requests used \(server.connections) connections, expected 1")
        await world.wait(for: isClosed, otherwise: ())
        let response = try await transport.send(HTTPRequest(.post, server.url("/4"), body: .form(["a": "b"])))
        world.expect(response.text == "/4", "the request after the closed connection got another response")
        world.expect(server.connections == 2, "four requests used \(server.connections) connections, expected 2")
        world.expect(server.requests.count == 4, "the server received \(server.requests.count) requests, expected 4")
    }
}
