public import LockstepPrimitives
internal import LockstepSystem

/// A client for plain HTTP on this machine, one connection a request.
///
/// It blocks: call it on a thread of its own.
public enum LoopbackClient {
    private static let limit = 1 << 20

    /// Few enough to be taken in one step by a connection that takes any.
    private static let pieceLength = 1 << 12

    /// Sends a request and waits for the answer: both together take no longer than the request's deadline.
    ///
    /// - Parameter clock: measures the deadline.
    public static func send(
        _ request: OutgoingRequest, clock: any DeviceClock = SystemClock()
    ) throws(OutgoingError) -> OutgoingResponse {
        let deadline = Deadline(clock: clock, end: clock.uptime + request.deadline)
        guard let (port, authority, target) = place(request.address) else { throw .notLocal }
        do {
            let connection = try SocketConnection(port: port)
            defer { connection.close() }
            var head = "\(request.method) \(target) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n"
            for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
            if !request.body.isEmpty || request.method == "POST" { head += "Content-Length: \(request.body.count)\r\n" }
            var unsent = (Array((head + "\r\n").utf8) + request.body)[...]
            while !unsent.isEmpty {
                try connection.write(unsent.prefix(pieceLength), within: try deadline.rest())
                unsent = unsent.dropFirst(pieceLength)
            }
            return try answer(on: connection, by: deadline)
        } catch let error as OutgoingError {
            throw error
        } catch let error as SystemError {
            throw error.code == SystemError.timedOut ? .timedOut : .unreachable
        } catch {
            throw .unreachable
        }
    }

    /// Whether ``send(_:)`` can reach that address: plain HTTP on this machine.
    public static func reaches(_ address: String) -> Bool { place(address) != nil }

    /// One end for all that a request waits for: a server that sends byte after byte meets it, too.
    private struct Deadline {
        let clock: any DeviceClock
        let end: Duration

        /// What is left.
        func rest() throws(OutgoingError) -> Duration {
            let rest = end - clock.uptime
            guard rest > .zero else { throw .timedOut }
            return rest
        }
    }

    private static func place(_ address: String) -> (port: Int, authority: String, target: String)? {
        guard address.hasPrefix("http://"), !address.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) else { return nil }
        let rest = address.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest.dropFirst(authority.count)
        let pieces = authority.split(separator: ":", maxSplits: 1)
        guard let host = pieces.first, ["127.0.0.1", "localhost"].contains(host) else { return nil }
        guard let port = pieces.count == 2 ? Int(pieces[1]) : 80, (1...65_535).contains(port) else { return nil }
        return (port, String(authority), target.hasPrefix("/") ? String(target) : "/" + target)
    }

    private static func answer(on connection: SocketConnection, by deadline: Deadline) throws -> OutgoingResponse {
        var bytes: [UInt8] = []
        while true {
            if let response = try complete(bytes, isEnded: false) { return response }
            let more = try connection.read(within: try deadline.rest())
            // A part that came too late does not count, also where it is the last one.
            _ = try deadline.rest()
            if more.isEmpty {
                guard let response = try complete(bytes, isEnded: true) else { throw OutgoingError.malformed }
                return response
            }
            bytes += more
            guard bytes.count <= limit else { throw OutgoingError.malformed }
        }
    }

    /// The answer in `bytes`; `nil` while some of it is missing.
    private static func complete(_ bytes: [UInt8], isEnded: Bool) throws(OutgoingError) -> OutgoingResponse? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .malformed }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let pieces = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if pieces.count == 2 { fields[pieces[0].lowercased()] = String(pieces[1].drop { $0 == " " }) }
        }
        var body = Array(bytes[end.upperBound...])
        if fields["transfer-encoding"]?.lowercased() == "chunked" {
            guard let whole = try unchunked(body) else { return nil }
            body = whole
        } else if let length = fields["content-length"].flatMap({ Int($0) }) {
            guard body.count >= length else { return nil }
            body = Array(body.prefix(length))
        } else if !isEnded, status != 204, status != 304 {
            return nil
        }
        return OutgoingResponse(status: status, contentType: fields["content-type"] ?? "", body: body)
    }

    private static func unchunked(_ bytes: [UInt8]) throws(OutgoingError) -> [UInt8]? {
        var rest = bytes[...]
        var body: [UInt8] = []
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            let digits = String(decoding: rest[..<end.lowerBound].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard let count = Int(digits, radix: 16), count >= 0, count <= limit else { throw .malformed }
            if count == 0 { return body }
            let chunk = rest[end.upperBound...]
            guard chunk.count >= count + 2 else { return nil }
            body += chunk.prefix(count)
            rest = chunk.dropFirst(count + 2)
        }
        return nil
    }
}
