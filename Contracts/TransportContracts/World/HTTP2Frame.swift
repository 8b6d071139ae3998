/// A frame of HTTP/2 (RFC 9113, section 4.1) with the parts that a check needs.
struct HTTP2Frame {
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    /// The preface of a client with prior knowledge of HTTP/2.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    /// Returns an empty response with status 200: field 8 of the static table, end of headers, end of stream.
    static func answer(on stream: UInt32) -> HTTP2Frame {
        HTTP2Frame(type: headers, flags: 0x5, stream: stream, payload: [0x88])
    }

    var bytes: [UInt8] {
        let length = UInt32(payload.count)
        return [UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), type, flags]
            + [UInt8(stream >> 24 & 0x7f), UInt8(stream >> 16 & 0xff), UInt8(stream >> 8 & 0xff), UInt8(stream & 0xff)] + payload
    }
}
