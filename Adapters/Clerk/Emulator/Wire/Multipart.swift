import LockstepPrimitives

/// The parts of a `multipart/form-data` body (RFC 7578).
struct Multipart {
    /// Texts of fields, in order.
    private(set) var fields: [(name: String, value: String)] = []
    /// The bytes of files, by the names of their fields.
    private(set) var files: [ExactString: [UInt8]] = [:]

    /// Reads a body; `nil` if it does not have that form.
    init?(_ body: [UInt8], contentType: String) {
        guard let mark = contentType.firstRange(of: "boundary=") else { return nil }
        let rest = contentType[mark.upperBound...].cut(at: ";").head
        let boundary = Array("--\(String(rest).trimmed.filter { $0 != "\"" })".utf8)
        guard boundary.count > 2 else { return nil }
        let line = Array("\r\n".utf8)
        var left = body[...]
        guard left.starts(with: boundary) else { return nil }
        left = left.dropFirst(boundary.count)
        while left.starts(with: line) {
            left = left.dropFirst(2)
            guard let head = left.firstRange(of: Array("\r\n\r\n".utf8)),
                let end = left[head.upperBound...].firstRange(of: line + boundary)
            else { return nil }
            read(head: String(decoding: left[..<head.lowerBound], as: UTF8.self), Array(left[head.upperBound..<end.lowerBound]))
            left = left[end.upperBound...]
        }
        guard left.starts(with: Array("--".utf8)) else { return nil }
    }

    private mutating func read(head: String, _ bytes: [UInt8]) {
        let disposition = head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("content-disposition") } ?? ""
        guard let name = Self.parameter("name", of: disposition) else { return }
        if Self.parameter("filename", of: disposition) != nil {
            files[name.exact] = bytes
        } else {
            fields.append((name, String(decoding: bytes, as: UTF8.self)))
        }
    }

    private static func parameter(_ name: String, of text: Substring) -> String? {
        for part in text.pieces(at: ";").dropFirst() {
            let pair = part.pieces(at: "=", maxSplits: 1).map { String($0).trimmed }
            guard pair.count == 2, pair[0] == name else { continue }
            return pair[1].filter { $0 != "\"" }
        }
        return nil
    }
}
