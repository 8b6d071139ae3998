import LockstepHTTP
import LockstepSystem
import Synchronization

/// One connection of a ``RawServer``, used on its own thread.
final class RawConnection: Sendable {
    /// The number of the connection: 1 for the first connection of the server.
    let number: Int
    let socket: SocketConnection
    private let server: RawServer
    /// The bytes after the last request that was read.
    private let rest = Mutex<[UInt8]>([])

    init(_ socket: SocketConnection, number: Int, server: RawServer) {
        self.socket = socket
        self.number = number
        self.server = server
    }

    /// Reads one request and its body, whose length the header contains.
    ///
    /// Returns `nil` if the client has closed the connection.
    func readRequest() throws -> RawRequest? {
        var bytes = rest.withLock { $0 }
        var end = bytes.firstRange(of: Self.emptyLine)
        while end == nil {
            let part = try socket.read()
            if part.isEmpty { return nil }
            bytes += part
            end = bytes.firstRange(of: Self.emptyLine)
        }
        guard let end, let head = RawRequest(head: Array(bytes[..<end.lowerBound]), body: []) else { throw NotARequest() }
        let length = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
        var body = Array(bytes[end.upperBound...])
        while body.count < length {
            let part = try socket.read()
            if part.isEmpty { return nil }
            body += part
        }
        rest.withLock { $0 = Array(body.dropFirst(length)) }
        guard let request = RawRequest(head: Array(bytes[..<end.lowerBound]), body: Array(body.prefix(length))) else {
            throw NotARequest()
        }
        server.note(request)
        return request
    }

    /// Writes a text, with CR LF as line ends.
    func write(_ text: String) throws {
        try socket.write(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8)
    }

    /// Writes a complete response with a text as its body.
    func answer(_ status: Int = 200, _ fields: [String] = [], _ body: String = "") throws {
        try write(
            "HTTP/1.1 \(status) Status\n" + (fields + ["Content-Length: \(body.utf8.count)", "", body]).joined(separator: "\n"))
    }

    /// Responds to every request with status 200 and the request's target as the body, until the client closes the connection.
    func answerAll() throws {
        while let request = try readRequest() { try answer(200, [], request.target) }
    }

    /// Waits until the client closes or resets the connection.
    ///
    /// Returns `false` if the client does not do so in time.
    func waitForEnd(within timeout: Duration) -> Bool {
        do throws(SystemError) {
            while try !socket.read(within: timeout).isEmpty {}
            return true
        } catch {
            return error.code != SystemError.timedOut
        }
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)
}

/// The error for received bytes that are not a request.
struct NotARequest: Error {}
