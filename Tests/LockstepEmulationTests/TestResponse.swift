import LockstepEmulation
import LockstepPrimitives
import LockstepSystem

/// A response over a raw socket.
struct TestResponse: Sendable {
    /// The whole response, unchanged.
    var raw: String

    var status: Int { Int(raw.dropFirst(9).prefix(3)) ?? 0 }
    var body: String { raw.firstRange(of: "\r\n\r\n").map { String(raw[$0.upperBound...]) } ?? "" }
    var json: JSON { (try? JSON.parse(body)) ?? .null }

    subscript(header: String) -> String? {
        let head = raw.firstRange(of: "\r\n\r\n").map { raw[..<$0.lowerBound] } ?? raw[...]
        for line in head.split(separator: "\r\n").dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            if pair.count == 2, pair[0].lowercased() == header.lowercased() { return String(pair[1].drop { $0 == " " }) }
        }
        return nil
    }
}

/// Sends one request on its own connection, and reads until the server closes it.
func send(
    _ method: String, _ target: String, to server: EmulatorServer<NotesEmulator>, headers: [String: String] = [:],
    body: String = ""
) async throws -> TestResponse {
    let port = Int(server.port)
    var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if !body.isEmpty || method == "POST" || method == "PUT" { text += "Content-Length: \(body.utf8.count)\r\n" }
    text += "\r\n" + body
    let request = text
    return try await BlockingThread.run {
        let connection = try SocketConnection(port: port)
        try? connection.write(request)
        var response: [UInt8] = []
        while let piece = try? connection.read(), !piece.isEmpty { response += piece }
        return TestResponse(raw: String(decoding: response, as: UTF8.self))
    }
}

/// Runs `test` with a new server.
func withServer(
    _ options: EmulatorOptions = .init(), _ test: (EmulatorServer<NotesEmulator>) async throws -> Void
) async throws {
    let server = try EmulatorServer(options) { try NotesEmulator(in: $0) }
    defer { server.stop() }
    try await test(server)
}

extension EmulatorServer {
    /// The header that the control routes require.
    var control: [String: String] { ["Authorization": ready.json["control"]?["Authorization"]?.string ?? ""] }
}
