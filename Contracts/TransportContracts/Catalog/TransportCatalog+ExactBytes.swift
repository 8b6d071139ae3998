import LockstepHTTP
import LockstepSystem

extension TransportCatalog {
    static let exactBytes = TransportContract(
        "transport.exact-bytes",
        "Body and headers arrive unchanged in both directions: names in any case, repeated fields kept separate, interim "
            + "responses left out."
    ) { world in
        let transport = try world.transport()
        let everyByte = (0..<2000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try world.server { connection in
            while let request = try connection.readRequest() {
                try connection.write("HTTP/1.1 103 Early Hints\nLink: </style.css>; rel=preload\nX-Kind: interim\n\n")
                let length = request.method == "HEAD" ? 77 : everyByte.count
                try connection.write(
                    "HTTP/1.1 207 Multi-Status\nset-cookie: a=1; Path=/\nX-kInD: Final\nSet-Cookie: b=2\nX-Empty:\nContent-Length: \(length)\n\n"
                )
                if request.method != "HEAD" { try connection.socket.write(everyByte) }
            }
        }

        for method in [HTTPMethod.post, .put, .patch, .delete] {
            let response = try await transport.send(
                HTTPRequest(
                    method, server.url("/a%20b?q=%2F&q=2"),
                    headers: ["X-MiXed": "kept", "X-Twice": "1", "X-Twice": "2", "X-Empty": ""],
                    body: HTTPBody(everyByte, type: "application/octet-stream")))
            world.expect(response.status == 207, "the status is \(response.status), expected 207")
            world.expect(
                response.headers.values(of: "SET-COOKIE") == ["a=1; Path=/", "b=2"],
                "a repeated header field of the response was joined or lost")
            world.expect(
                response.headers.values(of: "x-kind") == ["Final"], "the response contains a header field of an interim response")
            world.expect(response.headers["X-Empty"] == "", "an empty header field of the response is missing")
            world.expect(response.body == everyByte, "the body of the response was changed")
        }
        for request in server.requests {
            world.expect(request.target == "/a%20b?q=%2F&q=2", "the address in the request is \(request.target)")
            world.expect(request.headers["x-mixed"] == "kept", "a header field of the request is missing")
            world.expect(
                request.headers.values(of: "X-Twice") == ["1", "2"], "a repeated header field of the request was joined or lost")
            world.expect(request.headers.values(of: "X-Empty") == [""], "an empty header field of the request is missing")
            world.expect(
                request.headers.values(of: "Content-Type") == ["application/octet-stream"],
                "the request does not contain exactly one content type")
            world.expect(request.body == everyByte, "the body of \(request.method) was changed")
        }

        let head = try await transport.send(HTTPRequest(.head, server.url()))
        world.expect(head.body.isEmpty && head.headers["Content-Length"] == "77", "the response to HEAD has a body or no length")
        let bare = try await transport.send(HTTPRequest(.post, server.url()))
        world.expect(bare.status == 207, "the status of POST without a body is \(bare.status), expected 207")
        let last = server.requests.last
        world.expect(
            last?.method == "POST" && last?.headers["Content-Length"] == "0", "POST without a body does not send the length 0")
        world.expect(last?.headers.contains("Content-Type") == false, "a request without a body has a content type")
    }
}
