import LockstepSystem

/// The frames of one connection.
struct HTTP2Wire {
    private let process: ChildProcess
    private var bytes: [UInt8] = []

    /// Reads up to the client's preface, ignores the command's own output, and responds with the default settings.
    init(_ process: ChildProcess) throws {
        self.process = process
        while true {
            if let preface = bytes.firstRange(of: HTTP2Frame.preface) {
                bytes.removeSubrange(..<preface.upperBound)
                break
            }
            let part = try process.readOutput(within: .seconds(60))
            if part.isEmpty { throw NotARequest() }
            bytes += part
        }
        try write(HTTP2Frame(type: HTTP2Frame.settings))
    }

    /// Sends a frame.
    func write(_ frame: HTTP2Frame) throws {
        try process.write(frame.bytes)
    }

    /// Returns the next frame.
    mutating func next() throws -> HTTP2Frame {
        let head = try take(9)
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let stream = UInt32(head[5] & 0x7f) << 24 | UInt32(head[6]) << 16 | UInt32(head[7]) << 8 | UInt32(head[8])
        return HTTP2Frame(type: head[3], flags: head[4], stream: stream, payload: try take(length))
    }

    /// Returns the next frame of a type, and skips other frames.
    mutating func next(_ type: UInt8) throws -> HTTP2Frame {
        while true {
            let frame = try next()
            if frame.type == type { return frame }
        }
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        while bytes.count < count {
            let part = try process.readOutput(within: .seconds(30))
            if part.isEmpty { throw NotARequest() }
            bytes += part
        }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
