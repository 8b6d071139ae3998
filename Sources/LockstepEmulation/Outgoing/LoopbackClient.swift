public import LockstepPrimitives
internal import LockstepSystem

/// A client for plain HTTP on this machine.
///
/// The client makes one connection per request. The client blocks the calling thread, so call it on a separate thread.
public enum LoopbackClient {
    private static let limit = 1 << 20

    /// The number of bytes that are sent in one step.
    ///
    /// Any connection accepts as many.
    private static let pieceLength = 1 << 12

    /// Sends a request, and waits for the response until the deadline of the request.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures the deadline.
    /// - Throws: The reason why there is no response.
    public static func send(
        _ request: OutgoingRequest, clock: any DeviceClock = SystemClock()
    ) throws(OutgoingError) -> OutgoingResponse {
        let deadline = Deadline(clock: clock, end: clock.uptime + request.deadline)
        guard let (port, authority, target) = place(request.address) else { throw .notLocal }
        // A header may contain a provider's token. A line break in it would start a second request that the provider controls.
        guard request.headers.allSatisfy({ isHeader($0.key) && isHeader($0.value) }) else { throw .unsendable }
        do {
            let connection = try SocketConnection(port: port, within: try deadline.rest())
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

    /// Returns whether the client can connect to a URL.
    ///
    /// The URL must use plain HTTP and a host on this machine.
    public static func reaches(_ address: String) -> Bool { place(address) != nil }

    /// One time limit for everything that a request waits for.
    ///
    /// It also ends the request if a server sends byte after byte.
    private struct Deadline {
        let clock: any DeviceClock
        let end: Duration

        /// Returns the remaining time.
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
        let pieces = authority.pieces(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = pieces.first, ["127.0.0.1", "localhost"].contains(host) else { return nil }
        guard let port = pieces.count == 2 ? UInt16(digits: pieces[1]) : 80, port > 0 else { return nil }
        return (Int(port), String(authority), target.hasPrefix("/") ? String(target) : "/" + target)
    }

    private static func answer(on connection: SocketConnection, by deadline: Deadline) throws -> OutgoingResponse {
        var bytes: [UInt8] = []
        while true {
            if let response = try OutgoingResponse.read(bytes, isEnded: false, limit: limit) { return response }
            let more = try connection.read(within: try deadline.rest())
            // A part that arrives too late is not used, even if it is the last one.
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

extension UInt16 {
    /// Reads a number from digits; `nil` for a sign, a space or nothing.
    fileprivate init?(digits: Substring) {
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt16(digits) else { return nil }
        self = number
    }
}
