import LockstepHTTP

/// A request in the form in which the server received it.
struct RawRequest: Sendable {
    let method: String
    let target: String
    let headers: HTTPHeaders
    let body: [UInt8]

    /// Parses the head: everything before the empty line.
    init?(head: [UInt8], body: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let pieces = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2 else { return nil }
            headers.append(String(pieces[0]), String(pieces[1].drop { $0 == " " }))
        }
        self.headers = headers
        self.body = body
    }
}

extension String {
    /// Returns the parts between the separators.
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
