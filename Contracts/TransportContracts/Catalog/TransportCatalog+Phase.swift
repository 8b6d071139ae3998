import LockstepHTTP
import LockstepSystem

extension TransportCatalog {
    static let phase = TransportContract(
        "transport.phase",
        "A failure reports whether the request was never sent, may have reached the server, or was being answered.",
        buildsOn: ["transport.truncated"]
    ) { world in
        let transport = try world.transport()
        let listener = try SocketListener.refusingConnections()
        defer { listener.close() }
        await world.expectFailure(
            [.cannotConnect], .neverSent, of: HTTPRequest(.get, "http://127.0.0.1:\(listener.port)/"), on: transport,
            "no server listens")
        await world.expectFailure(
            [.nameNotResolved, .timedOut], .neverSent,
            of: HTTPRequest(.get, "http://no-such-host.invalid/", deadline: .seconds(2)), on: transport, "no such host")
        let silent = try world.server { connection in
            _ = try connection.readRequest()
        }
        await world.expectFailure(
            [.connectionLost], .mayHaveReachedServer, of: HTTPRequest(.post, silent.url(), body: .form(["a": "b"])),
            on: transport,
            "a connection that was closed without a response")
        let half = try world.server { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\nContent-Length: 10\n\nhalf")
        }
        await world.expectFailure(
            [.truncated], .answered, of: HTTPRequest(.post, half.url()), on: transport, "a connection that was closed in the body"
        )
    }
}
