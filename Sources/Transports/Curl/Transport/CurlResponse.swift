internal import LockstepHTTP

/// The part of a response that has arrived, as libcurl delivers it piece by piece.
struct CurlResponse {
    /// Why a piece was rejected.
    ///
    /// The rejection makes libcurl end the transfer.
    enum Refusal {
        case headerTooLarge
        case bodyTooLarge
        case malformed
        case replay
    }

    private(set) var status = 0
    private var fields: [UInt8] = []
    private var count = 0
    private var length: Int?
    private(set) var body: [UInt8] = []
    private(set) var refusal: Refusal?
    /// Whether the empty line after the last header field has arrived.
    private(set) var hasWholeHeader = false
    /// Whether the request was allowed to be sent on a connection.
    private(set) var wasLetOut = false
    private var headerSize = 0
    private let limit: Int
    private let hasBody: Bool
    private let isSafeToRepeat: Bool

    /// Creates an empty response to a request.
    init(to request: HTTPRequest) {
        limit = request.responseLimit
        hasBody = request.method != .head
        isSafeToRepeat = request.isSafeToRepeat
    }

    /// The maximum size of all header fields.
    ///
    /// The headers of all providers are far smaller.
    ///
    /// Without it, libcurl would accept 100 kB for each line, and any number of lines.
    private static let headerLimit = 256 << 10

    /// The header fields of the response.
    var headers: HTTPHeaders { HTTPHeaders(HTTPHeaderBlock(fields, count: count)) }

    /// Whether the response itself has begun, and not only an interim response (1xx).
    var hasBegun: Bool { status >= 200 }

    /// Reads a header line with its line end.
    ///
    /// `false` ends the transfer.
    mutating func take(header line: UnsafeRawBufferPointer) -> Bool {
        headerSize += line.count
        guard headerSize <= Self.headerLimit else { return refuse(.headerTooLarge) }
        if unsafe line.isStatusLine {
            // An interim response (1xx) came before; only the last response is used.
            fields.removeAll(keepingCapacity: true)
            fields.reserveCapacity(512)
            count = 0
            length = nil
            hasWholeHeader = false
            status = unsafe Self.status(of: line)
            return true
        }
        // Trailer fields come after the body, and are not headers.
        guard !hasWholeHeader else { return true }
        let line = unsafe line.trimmed
        if unsafe line.isEmpty {
            hasWholeHeader = hasBegun
            return !hasWholeHeader || prepare()
        }
        guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")) else { return refuse(.malformed) }
        let name = unsafe UnsafeRawBufferPointer(rebasing: line[..<colon]).trimmed
        let value = unsafe UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed
        if length == nil, unsafe name.isContentLength { length = unsafe value.number }
        unsafe fields.append(contentsOf: name)
        fields.append(UInt8(ascii: ":"))
        unsafe fields.append(contentsOf: value)
        fields.append(UInt8(ascii: "\n"))
        count += 1
        return true
    }

    /// Reads a piece of the body.
    ///
    /// `false` ends the transfer.
    mutating func take(body piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= limit - body.count else { return refuse(.bodyTooLarge) }
        unsafe body.append(contentsOf: piece)
        return true
    }

    /// Allows the request to be sent, once.
    ///
    /// If a connection that is used again breaks, libcurl would send the request again on a new one.
    ///
    /// The request may be sent a second time if it only reads, or if nothing was sent the first time.
    mutating func willSend(bytesSent: Int) -> Bool {
        if wasLetOut, bytesSent > 0, !isSafeToRepeat { return refuse(.replay) }
        wasLetOut = true
        return true
    }

    private mutating func prepare() -> Bool {
        guard hasBody, let length else { return true }
        guard length <= limit else { return refuse(.bodyTooLarge) }
        body.reserveCapacity(length)
        return true
    }

    private mutating func refuse(_ refusal: Refusal) -> Bool {
        self.refusal = refusal
        return false
    }

    /// Returns the three digits after the first space.
    private static func status(of line: UnsafeRawBufferPointer) -> Int {
        guard let space = unsafe line.firstIndex(of: UInt8(ascii: " ")) else { return 0 }
        return unsafe line[(space + 1)...].prefix(3).reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the line begins with `HTTP/`.
    fileprivate var isStatusLine: Bool {
        unsafe count > 5 && self[0] == UInt8(ascii: "H") && self[1] == UInt8(ascii: "T") && self[2] == UInt8(ascii: "T")
            && self[3] == UInt8(ascii: "P") && self[4] == UInt8(ascii: "/")
    }

    /// Whether the name is `content-length`, in upper or lower case.
    fileprivate var isContentLength: Bool {
        unsafe count == 14 && zip(self, "content-length".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// The number in decimal digits; `nil` if there is anything else, or if the number is too large for a length.
    fileprivate var number: Int? {
        guard (1...18).contains(count) else { return nil }
        var number = 0
        for index in indices {
            let digit = unsafe self[index]
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// The bytes without spaces, tabs and line ends around them.
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
