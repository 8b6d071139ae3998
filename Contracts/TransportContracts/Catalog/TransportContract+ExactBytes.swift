import LockstepHTTP
import LockstepSystem

extension TransportContract {
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
            world.expect(response.status == 207, "the status is 207, \(response.status) came")
            world.expect(
                response.headers.values(of: "SET-COOKIE") == ["a=1; Path=/", "b=2"], "a repeated field stays two fields")
            world.expect(response.headers.values(of: "x-kind") == ["Final"], "fields of an interim answer do not count")
            world.expect(response.headers["X-Empty"] == "", "an empty field is a field")
            world.expect(response.body == everyByte, "the answer's body arrives byte by byte")
        }
        for request in server.requests {
            world.expect(request.target == "/a%20b?q=%2F&q=2", "the address goes out as written, \(request.target) came")
            world.expect(request.headers["x-mixed"] == "kept", "a field goes out")
            world.expect(request.headers.values(of: "X-Twice") == ["1", "2"], "a repeated field goes out twice")
            world.expect(request.headers.values(of: "X-Empty") == [""], "an empty field goes out")
            world.expect(request.headers.values(of: "Content-Type") == ["application/octet-stream"], "the kind goes out once")
            world.expect(request.body == everyByte, "the body of \(request.method) goes out byte by byte")
        }

        let head = try await transport.send(HTTPRequest(.head, server.url()))
        world.expect(head.body.isEmpty && head.headers["Content-Length"] == "77", "HEAD has a length and no body")
        let bare = try await transport.send(HTTPRequest(.post, server.url()))
        world.expect(bare.status == 207, "POST without a body is answered")
        let last = server.requests.last
        world.expect(
            last?.method == "POST" && last?.headers["Content-Length"] == "0", "POST without a body says that its length is 0")
        world.expect(last?.headers.contains("Content-Type") == false, "no body, no kind")
    }
}
