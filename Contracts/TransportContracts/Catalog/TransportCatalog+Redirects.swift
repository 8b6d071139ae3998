import LockstepHTTP

extension TransportCatalog {
    static let noRedirects = TransportContract(
        "transport.no-redirects", "A redirect is an ordinary response, and is never followed."
    ) { world in
        let transport = try world.transport()
        let server = try world.server { connection in
            while let request = try connection.readRequest() {
                let status = Int(request.target.dropFirst()) ?? 200
                try connection.answer(status, status == 200 ? [] : ["Location: /200"])
            }
        }
        for status in [301, 302, 303, 307, 308] {
            for method in [HTTPMethod.get, .post] {
                let response = try await transport.send(HTTPRequest(method, server.url("/\(status)")))
                world.expect(
                    response.status == status, "\(method.rawValue): the status is \(response.status), expected \(status)")
                world.expect(response.headers["Location"] == "/200", "the response does not contain the address of the redirect")
            }
        }
        world.expect(server.requests.count == 10, "the server received \(server.requests.count) requests, expected 10")
    }
}
