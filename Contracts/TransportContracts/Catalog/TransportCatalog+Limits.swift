import LockstepHTTP
import LockstepSystem

extension TransportCatalog {
    static let sizeLimit = TransportContract(
        "transport.size-limit",
        """
        A response with a body or a header over the limit is cut off with an error that reports it. Compressed data is measured \
        after decompression.
        """
    ) { world in
        let transport = try world.transport()
        let server = try world.server { connection in
            guard let request = try connection.readRequest() else { return }
            let piece = String(repeating: "x", count: 1000)
            switch request.target {
            case "/announced":
                // The server announces a gigabyte. It sends enough to detect a transport that continues to read.
                try connection.write("HTTP/1.1 200 OK\nContent-Length: 1000000000\n\n")
                for _ in 0..<20_000 { try connection.write(piece) }
            case "/chunked":
                try connection.write("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")
                for _ in 0..<20_000 { try connection.write("3e8\n\(piece)\n") }
            case "/bomb":
                try connection.write(
                    "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(Self.bomb.count)\n\n")
                try connection.socket.write(Self.bomb)
            case "/headers":
                try connection.write("HTTP/1.1 200 OK\n")
                for number in 0..<10_000 { try connection.write("X-\(number): \(piece.prefix(40))\n") }
                try connection.write("Content-Length: 0\n\n")
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
                [.tooLarge], of: HTTPRequest(.get, server.url(path), responseLimit: 5000), on: transport,
                "a body over the limit (\(path))")
        }
        if world.harness.cannotPromise["transport.size-limit.header"] == nil {
            await world.expectFailure(
                [.tooLarge], of: HTTPRequest(.get, server.url("/header"), responseLimit: 5000), on: transport,
                "a header of one megabyte")
            await world.expectFailure(
                [.tooLarge], of: HTTPRequest(.get, server.url("/headers"), responseLimit: 5000), on: transport,
                "ten thousand header fields")
        }
        do throws(HTTPFailure) {
            // The transport either does not decompress the body, or ends when the result exceeds the limit.
            let packed = try await transport.send(HTTPRequest(.get, server.url("/bomb"), responseLimit: 1_000_000))
            world.expect(
                packed.body == Self.bomb,
                "a compressed body of \(Self.bomb.count) bytes was returned as \(packed.body.count) bytes")
        } catch {
            world.expect(error.code == .tooLarge, "a compression bomb: expected tooLarge, got \(error)")
        }
        let exact = try await transport.send(HTTPRequest(.get, server.url("/exact"), responseLimit: 1000))
        world.expect(exact.body.count == 1000, "a response of exactly the limit is incomplete")
    }

    /// Thirty megabytes of zeros, compressed to 190 kB.
    ///
    /// The data is one literal, and then the command "repeat 258 times" (RFC 1951, section 3.2.6). The command has 13 bits, so
    /// its position in a byte repeats after 13 bytes. The end of the data is missing, because no transport reads so far.
    private static let bomb: [UInt8] = {
        let block = [1, 1, 0], zero = [0, 0, 1, 1, 0, 0, 0, 0], again = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        let bits = block + zero + Array(repeatElement(again, count: 16).joined())
        let bytes = (0..<15).map { place in bits[place * 8..<place * 8 + 8].reversed().reduce(UInt8(0)) { $0 << 1 | UInt8($1) } }
        let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        return head + bytes[..<2] + Array(repeatElement(bytes[2...], count: 14_500).joined())
    }()

    static let truncated = TransportContract(
        "transport.truncated",
        "A response with fewer bytes than announced, or that is not HTTP, is an error and never a response."
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
        let codes: Set<HTTPFailure.Code> = [.truncated, .connectionLost, .malformedResponse]
        for path in answers.keys.sorted() {
            await world.expectFailure(
                codes, of: HTTPRequest(.post, server.url(path)), on: transport, "a response that was cut off (\(path))")
        }
        await world.expectFailure(
            codes, of: HTTPRequest(.post, reset.url()), on: transport, "a connection that was reset in the body")
    }
}
