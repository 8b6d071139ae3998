internal import LockstepSystem

/// A connection that sends bytes unchanged, and parses responses strictly.
///
/// Blocks its thread.
final class FuzzConnection {
    /// A malformed response, or no response in time.
    struct Fault: Error {
        let description: String
        /// Whether the server has not responded for too long.
        var isSilence = false
    }

    private let port: Int
    private let responseTimeout: Duration
    private var socket: SocketConnection?
    private var pending: [UInt8] = []

    init(port: Int, responseTimeout: Duration) {
        self.port = port
        self.responseTimeout = responseTimeout
    }

    func exchange(_ bytes: [UInt8], _ request: FuzzRequest) throws -> FuzzResponse {
        let isReused = socket != nil
        do {
            return try attempt(bytes, request)
        } catch let fault as Fault where isReused && fault.description == Self.nothing {
            // It was closed when the last response had been read.
            return try attempt(bytes, request)
        }
    }

    private static let nothing = "the connection was closed without an answer"

    private func attempt(_ bytes: [UInt8], _ request: FuzzRequest) throws -> FuzzResponse {
        let socket = try self.socket ?? SocketConnection(port: port)
        self.socket = socket
        do {
            // A server that has seen enough sends its response and closes while the client still writes.
            try? socket.write(bytes)
            let response = try read(socket, isHead: request.method == "HEAD")
            if response["connection"]?.lowercased() == "close" || !request.isFramed { close() }
            return response
        } catch {
            close()
            throw error
        }
    }

    private func close() {
        socket?.close()
        socket = nil
        pending = []
    }

    private func read(_ socket: SocketConnection, isHead: Bool) throws -> FuzzResponse {
        let end = Array("\r\n\r\n".utf8)
        var head: Range<Int>?
        while head == nil {
            head = pending.firstRange(of: end)
            if head == nil { try more(socket) }
        }
        guard let head else { throw Fault(description: Self.nothing) }
        let lines = String(decoding: pending[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
        pending.removeSubrange(..<head.upperBound)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", let status = Int(words[1]) else {
            throw Fault(description: "no status line: \(lines.first ?? "")")
        }
        let headers = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                throw Fault(description: "no header: \(line)")
            }
            return (name: line[..<colon].lowercased(), value: String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        guard status != 100 else { return try read(socket, isHead: isHead) }
        var body: [UInt8] = []
        if !isHead, status != 204, status != 304 {
            guard let text = headers.first(where: { $0.name == "content-length" })?.value, let length = Int(text) else {
                throw Fault(description: "an answer \(status) without a length")
            }
            while pending.count < length { try more(socket) }
            body = Array(pending.prefix(length))
            pending.removeFirst(length)
        }
        return FuzzResponse(status: status, headers: headers, body: body)
    }

    private func more(_ socket: SocketConnection) throws {
        var bytes: [UInt8] = []
        do throws(SystemError) {
            bytes = try socket.read(within: responseTimeout)
        } catch {
            // A connection that was reset is closed.
            if error.code == SystemError.timedOut {
                throw Fault(description: "no answer within \(responseTimeout)", isSilence: true)
            }
        }
        guard !bytes.isEmpty else {
            throw Fault(description: pending.isEmpty ? Self.nothing : "half of an answer: \(pending.count) bytes")
        }
        pending += bytes
    }
}
