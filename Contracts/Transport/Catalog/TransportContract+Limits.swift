import LockstepHTTP
import LockstepSystem

extension TransportContract {
    /// Cases: F07.
    static let sizeLimit = TransportContract(
        "transport.size-limit", "An answer over the limit, be it its body or its header, is cut off with an error that says so."
    ) { world in
        let transport = try world.transport()
        let server = try world.server { connection in
            guard let request = try connection.readRequest() else { return }
            let piece = String(repeating: "x", count: 1000)
            switch request.target {
            case "/announced":
                try connection.write("HTTP/1.1 200 OK\nContent-Length: 5000000\n\n")
                for _ in 0..<5000 { try connection.write(piece) }
            case "/chunked":
                try connection.write("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")
                for _ in 0..<5000 { try connection.write("3e8\n\(piece)\n") }
            case "/header":
                try connection.write("HTTP/1.1 200 OK\n")
                for number in 0..<1000 { try connection.write("X-\(number): \(piece)\n") }
                try connection.write("Content-Length: 0\n\n")
            default:
                try connection.answer(200, [], piece)
            }
        }
        for path in ["/announced", "/chunked"] {
            await world.expectFailure(
                [.tooLarge], of: HTTPRequest(.get, server.url(path), answerLimit: 5000), on: transport,
                "a body over the limit (\(path))")
        }
        if world.bench.cannotPromise["transport.size-limit.header"] == nil {
            await world.expectFailure(
                [.tooLarge], of: HTTPRequest(.get, server.url("/header"), answerLimit: 5000), on: transport,
                "a megabyte of header")
        }
        let exact = try await transport.send(HTTPRequest(.get, server.url("/exact"), answerLimit: 1000))
        world.expect(exact.body.count == 1000, "an answer as long as the limit is whole")
    }

    /// Cases: F03.
    static let truncated = TransportContract(
        "transport.truncated", "An answer with fewer bytes than promised, or that is not HTTP, is an error and never an answer."
    ) { world in
        let transport = try world.transport()
        let answers = [
            "/length": "HTTP/1.1 200 OK\nContent-Length: 100\n\n{\"half\":",
            "/none": "HTTP/1.1 200 OK\nContent-Length: 100\n\n",
            "/chunks": "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n",
            "/chunk": "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n50\nhello",
            "/header": "HTTP/1.1 200 OK\nContent-Type: application/json\nX-Ha",
            "/interim": "HTTP/1.1 100 Continue\n\n",
            "/nothing": "",
            "/garbage": "<html>this is no HTTP</html>\n\n",
        ]
        let server = try world.server { connection in
            guard let request = try connection.readRequest() else { return }
            try connection.write(answers[request.target] ?? "")
        }
        let reset = try world.server { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\nContent-Length: 100\n\nhalf")
            connection.socket.reset()
        }
        let codes: Set<HTTPFailure.Code> = [.truncated, .connectionLost, .malformedAnswer]
        for path in answers.keys.sorted() {
            await world.expectFailure(
                codes, of: HTTPRequest(.post, server.url(path)), on: transport, "an answer cut off (\(path))")
        }
        await world.expectFailure(codes, of: HTTPRequest(.post, reset.url()), on: transport, "a connection reset in the body")
    }
}
