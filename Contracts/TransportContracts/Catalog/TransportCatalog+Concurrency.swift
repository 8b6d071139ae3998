import LockstepHTTP

extension TransportCatalog {
    static let concurrent = TransportContract(
        "transport.concurrent", "Each of 64 concurrent requests gets its own response."
    ) { world in
        let transport = try world.transport()
        let server = try world.server { try $0.answerAll() }
        let wrong = await withTaskGroup(of: String?.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let path = "/\(number)"
                    do throws(HTTPFailure) {
                        let response = try await transport.send(HTTPRequest(.get, server.url(path)))
                        return response.text == path ? nil : "\(path) got \(response.text ?? "bytes")"
                    } catch {
                        return "\(path) got \(error)"
                    }
                }
            }
            var wrong: [String] = []
            for await finding in group { if let finding { wrong.append(finding) } }
            return wrong
        }
        world.expect(wrong.isEmpty, "requests got other responses: \(wrong.sorted().prefix(3).joined(separator: ", "))")
        world.expect(server.requests.count == 64, "the server received \(server.requests.count) requests, expected 64")
    }

    static let noReplay = TransportContract(
        "transport.no-replay",
        """
        A request that is not safe by its method or its declaration is sent once: if the server reads it on a reused connection \
        and closes, the call fails, and the server does not receive it again. A safe request is repeated at most once.
        """,
        buildsOn: ["transport.reuse"]
    ) { world in
        for method in [HTTPMethod.post, .put, .patch, .delete] {
            for (kind, body) in [("with a body", HTTPBody.form(["refresh_token": "single-use"])), ("without a body", .none)] {
                try await checkReplay(world, HTTPRequest(method, "", body: body), "\(method.rawValue) \(kind)", 1...1)
            }
        }
        try await checkReplay(world, HTTPRequest(.get, ""), "GET", 1...2)
        var mail = HTTPRequest(.get, "")
        mail.hasEffects = true
        try await checkReplay(world, mail, "GET with effects", 1...1)
    }

    private static func checkReplay(_ world: TransportWorld, _ request: HTTPRequest, _ name: String, _ allowed: ClosedRange<Int>)
        async throws
    {
        let transport = try world.transport()
        let isSafe = allowed.upperBound > 1
        let server = try world.server { connection in
            // The server closes every connection without a response. So the number of connections shows the number of attempts.
            guard connection.number == 1 || isSafe else { return try connection.answerAll() }
            if connection.number == 1, let first = try connection.readRequest() { try connection.answer(200, [], first.target) }
            // The server reads the next request, and closes the connection without a response.
            _ = try connection.readRequest()
        }
        _ = try await transport.send(HTTPRequest(.get, server.url("/warm-up")))
        var request = request
        request.url = server.url("/spend")
        request.deadline = .seconds(20)
        await world.expectFailure([.connectionLost], of: request, on: transport, name)
        let times = server.requests.count { $0.target == "/spend" }
        world.expect(allowed.contains(times), "\(name): the server received the request \(times) times, expected \(allowed)")
    }
}
