internal import LockstepPrimitives

/// Reads the response of another server, which may contain anything.
///
/// The code works on bytes, and checks numbers before it uses them.
extension OutgoingResponse {
    private static let lineEnd = Array("\r\n".utf8)
    private static let headEnd = Array("\r\n\r\n".utf8)

    /// Reads a response from bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that have arrived so far.
    ///   - isEnded: Whether the server has closed the connection.
    ///   - limit: The maximum size of the body.
    /// - Returns: The response; `nil` while a part of it is missing.
    /// - Throws: ``OutgoingError/malformed`` if no response begins with these bytes.
    static func read(_ bytes: [UInt8], isEnded: Bool, limit: Int) throws(OutgoingError) -> OutgoingResponse? {
        var rest = bytes[...]
        while let end = rest.firstRange(of: headEnd) {
            let head = try Head(rest[..<end.lowerBound], limit: limit)
            rest = rest[end.upperBound...]
            // Interim responses come before the final one (RFC 9110, section 15.2).
            if (100..<200).contains(head.status) { continue }
            return try body(rest, head, isEnded: isEnded, limit: limit).map {
                OutgoingResponse(status: head.status, contentType: head.contentType, location: head.location, body: $0)
            }
        }
        return nil
    }

    private static func body(
        _ bytes: ArraySlice<UInt8>, _ head: Head, isEnded: Bool, limit: Int
    ) throws(OutgoingError) -> [UInt8]? {
        if head.isChunked { return try unchunked(bytes, limit: limit) }
        if let length = head.length { return bytes.count >= length ? Array(bytes.prefix(length)) : nil }
        return isEnded || head.status == 204 || head.status == 304 ? Array(bytes) : nil
    }

    /// The part of a response before the body.
    private struct Head {
        let status: Int
        var contentType = ""
        var location = ""
        var length: Int?
        var isChunked = false

        init(_ bytes: ArraySlice<UInt8>, limit: Int) throws(OutgoingError) {
            var lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }[...]
            let words = (lines.popFirst() ?? []).split(separator: UInt8(ascii: " "))
            guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[1].count == 3,
                let status = OutgoingResponse.number(words[1], radix: 10, limit: 999)
            else { throw .malformed }
            self.status = status
            for line in lines {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
                let value = String(decoding: line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
                switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
                case "content-type": contentType = value
                case "location": location = value
                case "transfer-encoding": isChunked = value.lowercased() == "chunked"
                case "content-length":
                    guard let length = OutgoingResponse.number(value.utf8, radix: 10, limit: limit) else { throw .malformed }
                    self.length = length
                default: break
                }
            }
        }
    }

    private static func unchunked(_ bytes: ArraySlice<UInt8>, limit: Int) throws(OutgoingError) -> [UInt8]? {
        var rest = bytes
        var body: [UInt8] = []
        while let end = rest.firstRange(of: lineEnd) {
            let digits = rest[..<end.lowerBound].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard let count = number(digits, radix: 16, limit: limit) else { throw .malformed }
            if count == 0 { return body }
            let chunk = rest[end.upperBound...]
            guard chunk.count >= count + 2 else { return nil }
            body += chunk.prefix(count)
            rest = chunk.dropFirst(count + 2)
        }
        return nil
    }

    /// Reads a number that consists of digits only and is at most `limit`.
    private static func number(_ digits: some Collection<UInt8>, radix: Int, limit: Int) -> Int? {
        guard !digits.isEmpty, let text = String(validating: digits, as: UTF8.self), !text.hasPrefix("+"), !text.hasPrefix("-"),
            let number = Int(text, radix: radix), number <= limit
        else { return nil }
        return number
    }
}
