import LockstepHTTP

extension TransportCatalog {
    static let cancelCloses = TransportContract(
        "transport.cancel-closes",
        "Cancelling the task immediately closes the socket (HTTP/1.1) or resets the stream (HTTP/2), and does not affect "
            + "other requests.",
        buildsOn: ["transport.reuse"]
    ) { world in
        try await cancelsOneConnection(world)
        if world.harness.cannotPromise["transport.cancel-closes.http2"] == nil { try await cancelsOneStream(world) }
        let transport = try world.transport()
        let server = try world.server { try $0.answerAll() }
        let isCancelled = Occurrence<Void>()
        let late = Task {
            // The task starts the request only after its own cancellation.
            await isCancelled.value
            await world.expectFailure(
                [.cancelled], of: HTTPRequest(.get, server.url()), on: transport, "cancelled before the call")
        }
        late.cancel()
        isCancelled.happen()
        await late.value
    }

    private static func cancelsOneConnection(_ world: TransportWorld) async throws {
        let transport = try world.transport()
        let arrived = Occurrence<Void>()
        let hasEnded = Occurrence<Bool>()
        let gate = try Gate()
        let server = try world.server { connection in
            guard let request = try connection.readRequest() else { return }
            if request.target == "/cancelled" {
                arrived.happen()
                hasEnded.happen(connection.waitForEnd(within: .seconds(30)))
            } else {
                // The response waits for the end of the other request. So this request is in progress during the whole check.
                try gate.wait()
                try connection.answer(200, [], "fine")
            }
        }
        let bystander = Task { try await transport.send(HTTPRequest(.get, server.url("/bystander"))) }
        let cancelled = Task {
            await world.expectFailure(
                [.cancelled], of: HTTPRequest(.post, server.url("/cancelled")), on: transport,
                "cancelled during the request")
        }
        await world.wait(for: arrived, otherwise: ())
        cancelled.cancel()
        await cancelled.value
        let isClosed = await world.wait(for: hasEnded, otherwise: false)
        try gate.open()
        world.expect(isClosed, "the socket of the cancelled request was open for a second")
        world.expect(try await bystander.value.text == "fine", "the other request got no response")
    }

    private static func cancelsOneStream(_ world: TransportWorld) async throws {
        let issuer = try await TestIssuer()
        defer { issuer.remove() }
        let transport = try world.transport(trusting: issuer)
        let arrived = Occurrence<Void>()
        let isReset = Occurrence<Bool>()
        let server = try await HTTP2Server(issuer.issue("server", to: "IP:127.0.0.1")) { wire in
            let first = try wire.next(HTTP2Frame.headers)
            try wire.write(.answer(on: first.stream))
            let second = try wire.next(HTTP2Frame.headers)
            let third = try wire.next(HTTP2Frame.headers)
            arrived.happen()
            let reset = try? wire.next(HTTP2Frame.reset)
            isReset.happen(reset != nil)
            try wire.write(.answer(on: reset?.stream == second.stream ? third.stream : second.stream))
        }
        defer { server.close() }
        // The first response tells the transport the settings of this connection.
        world.expect(
            try await transport.send(HTTPRequest(.get, server.url)).status == 200, "HTTP/2: the first request got no response")
        let cancelled = Task {
            await world.expectFailure(
                [.cancelled], of: HTTPRequest(.post, server.url), on: transport, "a stream that was cancelled during the request")
        }
        let bystander = Task { try await transport.send(HTTPRequest(.get, server.url, deadline: .seconds(60))) }
        await world.wait(for: arrived, otherwise: ())
        cancelled.cancel()
        await cancelled.value
        world.expect(
            await world.wait(for: isReset, otherwise: false), "HTTP/2: the stream of the cancelled request was not reset")
        world.expect(try await bystander.value.status == 200, "HTTP/2: the other stream of the connection got no response")
    }
}
