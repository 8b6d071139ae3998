internal import LockstepHTTP

/// What has come back of one request, as libcurl tells it piece by piece.
struct CurlAnswer {
    /// Why a piece was refused, which makes libcurl end the transfer.
    enum Refusal {
        case headerTooLarge
        case bodyTooLarge
        case malformed
        case replay
    }

    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    private(set) var body: [UInt8] = []
    private(set) var refusal: Refusal?
    /// Whether the empty line after the last header field has come.
    private(set) var hasWholeHeader = false
    /// Whether the request was let out on a connection.
    private(set) var wasLetOut = false
    private var headerSize = 0

    /// No provider's header comes near this; libcurl itself allows 100 kB a line, and as many lines as come.
    private static let headerLimit = 256 << 10

    /// Whether the answer itself, not what announces it (1xx), has begun.
    var hasBegun: Bool { status >= 200 }

    /// Takes a header line, line end included; `false` ends the transfer.
    mutating func take(header line: UnsafeRawBufferPointer, for request: HTTPRequest) -> Bool {
        headerSize += line.count
        guard headerSize <= Self.headerLimit else { return refuse(.headerTooLarge) }
        if unsafe Self.isStatusLine(line) {
            // An interim answer (1xx) came before; what counts is the last.
            headers.removeAll()
            hasWholeHeader = false
            status = unsafe Self.status(of: line)
            return true
        }
        // Trailer fields come after the body: they are no header.
        guard !hasWholeHeader else { return true }
        let line = unsafe line.trimmed
        if unsafe line.isEmpty {
            hasWholeHeader = hasBegun
            return !hasWholeHeader || prepare(for: request)
        }
        guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")) else { return refuse(.malformed) }
        let name = unsafe String(decoding: UnsafeRawBufferPointer(rebasing: line[..<colon]).trimmed, as: UTF8.self)
        let value = unsafe String(decoding: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed, as: UTF8.self)
        headers.append(name, value)
        return true
    }

    /// Takes a piece of the body; `false` ends the transfer.
    mutating func take(body piece: UnsafeRawBufferPointer, for request: HTTPRequest) -> Bool {
        guard piece.count <= request.answerLimit - body.count else { return refuse(.bodyTooLarge) }
        unsafe body.append(contentsOf: piece)
        return true
    }

    /// Lets the request out, once: libcurl would send it again on a new connection when a reused one died under it.
    ///
    /// A second time is allowed where sending twice does no harm, or where nothing went out the first time.
    mutating func letOut(_ request: HTTPRequest, bytesSent: Int) -> Bool {
        if wasLetOut, bytesSent > 0, !request.isSafeToRepeat { return refuse(.replay) }
        wasLetOut = true
        return true
    }

    private mutating func prepare(for request: HTTPRequest) -> Bool {
        guard request.method != .head, let length = headers["Content-Length"].flatMap({ Int($0) }) else { return true }
        guard length <= request.answerLimit else { return refuse(.bodyTooLarge) }
        body.reserveCapacity(length)
        return true
    }

    private mutating func refuse(_ refusal: Refusal) -> Bool {
        self.refusal = refusal
        return false
    }

    private static func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe line.count > 5 && line.starts(with: "HTTP/".utf8)
    }

    /// The three digits after the first space.
    private static func status(of line: UnsafeRawBufferPointer) -> Int {
        guard let space = unsafe line.firstIndex(of: UInt8(ascii: " ")) else { return 0 }
        return unsafe line[(space + 1)...].prefix(3).reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }
}

extension UnsafeRawBufferPointer {
    /// Without spaces, tabs and line ends around it.
    fileprivate var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, unsafe self[start].isBlank { start += 1 }
        while start < end, unsafe self[end - 1].isBlank { end -= 1 }
        return unsafe UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0d || self == 0x0a }
}
