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
        // A provider's token may stand in a header: a line end in it would begin a request of the provider's choice.
        guard request.headers.allSatisfy({ isHeader($0.key) && isHeader($0.value) }) else { throw .unsendable }
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

    private static func isHeader(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }

    private static func place(_ address: String) -> (port: Int, authority: String, target: String)? {
        guard address.hasPrefix("http://"), !address.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) else { return nil }
        let rest = address.dropFirst(7)
        let authority = rest.cut(at: "/").head.cut(at: "?").head
        let target = rest.dropFirst(authority.count)
<<<<<<< HEAD
        let pieces = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
=======
        let pieces = authority.pieces(at: ":", maxSplits: 1)
>>>>>>> 2992f8c7 (Firebase's emulator reads names, null, tenants and links as the original and production do; exports reach a usable place; no mark hides a sign from escapes and addresses; every page has a Content-Security-Policy)
        guard let host = pieces.first, ["127.0.0.1", "localhost"].contains(host) else { return nil }
        guard let port = pieces.count == 2 ? UInt16(digits: pieces[1]) : 80, port > 0 else { return nil }
        return (Int(port), String(authority), target.hasPrefix("/") ? String(target) : "/" + target)
    }

    private static func answer(on connection: SocketConnection, by deadline: Deadline) throws -> OutgoingResponse {
        var bytes: [UInt8] = []
        while true {
            if let response = try OutgoingResponse.read(bytes, isEnded: false, limit: limit) { return response }
            let more = try connection.read(within: try deadline.rest())
            // A part that came too late does not count, also where it is the last one.
            _ = try deadline.rest()
            if more.isEmpty {
                guard let response = try OutgoingResponse.read(bytes, isEnded: true, limit: limit) else {
                    throw OutgoingError.malformed
                }
                return response
            }
            bytes += more
            guard bytes.count <= limit else { throw OutgoingError.malformed }
        }
    }
}

<<<<<<< HEAD
extension UInt16 {
    /// The number that these digits write; `nil` for a sign, a space or nothing.
    fileprivate init?(digits: Substring) {
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt16(digits) else { return nil }
        self = number
=======
    /// The answer in `bytes`; `nil` while some of it is missing.
    private static func complete(_ bytes: [UInt8], isEnded: Bool) throws(OutgoingError) -> OutgoingResponse? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n" as Character)
        let words = (lines.first ?? "").pieces(at: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .malformed }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let pieces = line.pieces(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
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
>>>>>>> 2992f8c7 (Firebase's emulator reads names, null, tenants and links as the original and production do; exports reach a usable place; no mark hides a sign from escapes and addresses; every page has a Content-Security-Policy)
    }
}
