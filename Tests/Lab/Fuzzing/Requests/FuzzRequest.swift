internal import LockstepPrimitives

/// One request, down to its bytes.
struct FuzzRequest: Sendable {
    var method: String
    /// Path and query, as sent.
    var target: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    /// Whether the framing is correct, so that the server must respond.
    var isFramed = true

    /// The bytes to send.
    func bytes(host: String) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if isFramed, !body.isEmpty || method == "POST" || method == "PUT" || method == "PATCH" {
            head += "Content-Length: \(body.count)\r\n"
        }
        return Array((head + "\r\n").utf8) + body
    }

    /// A shell command that sends it again.
    ///
    /// A long body is described by its length.
    func line(host: String) -> String {
        let bytes = bytes(host: host)
        guard bytes.count <= 20_000 else { return "\(method) \(target) with a body of \(body.count) bytes: have the seed again" }
        return "echo \(Base64.encode(bytes)) | base64 -d | nc -q 2 \(host.replacing(":", with: " "))"
    }
}
