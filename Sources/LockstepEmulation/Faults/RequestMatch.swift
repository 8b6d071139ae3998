/// The requests that a fault affects.
public struct RequestMatch: Sendable, Hashable {
    /// The method; `nil` for any.
    public var method: String?

    /// The whole path or the path below the mount, with `*` for any characters.
    ///
    /// If it contains a `?`, the query is compared, too.
    public var path: String

    /// The body as sent, with `*` as in ``path``; `nil` for any.
    public var body: String?

    /// Whether pages that a browser opens are excluded (`Sec-Fetch-Mode: navigate`).
    public var leavesOutPages = false

    /// Other requests that are meant as well.
    private var others: [RequestMatch] = []

    /// Creates a match for a method, a path and a body; `nil` matches any.
    public init(_ method: String? = nil, _ path: String = "*", body: String? = nil) {
        self.method = method
        self.path = path
        self.body = body
    }

    /// Returns a match for these requests and those of `other`.
    public func or(_ other: RequestMatch) -> RequestMatch {
        var both = self
        both.others.append(other)
        return both
    }

    /// Whether a request matches.
    public func matches(_ request: EmulatorRequest) -> Bool {
        isMeant(request) || others.contains { $0.matches(request) }
    }

    private func isMeant(_ request: EmulatorRequest) -> Bool {
        if let method, method != request.method { return false }
        if leavesOutPages, request.headers["sec-fetch-mode"]?.lowercased() == "navigate" { return false }
        if let body, !Self.matches(Array(body.utf8), request.body) { return false }
        let query = path.utf8.contains(UInt8(ascii: "?")) ? "?" + request.rawQuery : ""
        // A person copies the whole path from a list of requests; a test in Swift names the path below the mount.
        return [request.path, request.rawPath].contains { Self.matches(Array(path.utf8), Array(($0 + query).utf8)) }
    }

    private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        // Only the last star need be tried again: the match of an earlier one stays right (greedy matching of runs).
        var lastStar: (after: Int, index: Int)?
        var (place, index) = (0, 0)
        while index < text.count {
            if place < pattern.count, pattern[place] == star {
                place += 1
                lastStar = (place, index)
            } else if place < pattern.count, pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let last = lastStar {
                place = last.after
                index = last.index + 1
                lastStar = (place, index)
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == star { place += 1 }
        return place == pattern.count
    }
}
