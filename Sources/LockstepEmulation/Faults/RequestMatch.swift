/// A description of the requests that a fault affects.
public struct RequestMatch: Sendable, Hashable {
    /// The method of the requests; `nil` for any.
    public var method: String?

    /// The path of the requests, with or without the mount; `*` matches any characters.
    ///
    /// If the path contains `?`, the query must match, too.
    public var path: String

    /// The body of the requests, in which `*` matches any characters; `nil` for any body.
    public var body: String?

    /// Whether to ignore requests that a browser sends to open a page (`Sec-Fetch-Mode: navigate`).
    public var leavesOutPages = false

    /// Further descriptions.
    ///
    /// A request also matches if one of these descriptions matches it.
    private var others: [RequestMatch] = []

    /// Creates a description of requests.
    ///
    /// - Parameters:
    ///   - method: The method of the requests; `nil` for any.
    ///   - path: The path of the requests after the mount; `*` matches any characters. Default: any path.
    ///   - body: The body of the requests, in which `*` matches any characters; `nil` for any body.
    public init(_ method: String? = nil, _ path: String = "*", body: String? = nil) {
        self.method = method
        self.path = path
        self.body = body
    }

    /// Returns a description that matches a request if this one or `other` matches it.
    public func or(_ other: RequestMatch) -> RequestMatch {
        var both = self
        both.others.append(other)
        return both
    }

    /// Returns whether the description matches a request.
    public func matches(_ request: EmulatorRequest) -> Bool {
        isMeant(request) || others.contains { $0.matches(request) }
    }

    private func isMeant(_ request: EmulatorRequest) -> Bool {
        if let method, method != request.method { return false }
        if leavesOutPages, request.headers["sec-fetch-mode"]?.lowercased() == "navigate" { return false }
        if let body, !Self.matches(Array(body.utf8), request.body) { return false }
        let query = path.utf8.contains(UInt8(ascii: "?")) ? "?" + request.rawQuery : ""
        // A person copies the whole path from a list of requests, but a test in Swift uses the path after the mount.
        return [request.path, request.rawPath].contains { Self.matches(Array(path.utf8), Array(($0 + query).utf8)) }
    }

    private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        // Only the last star needs another try, because the match of an earlier star stays correct (greedy matching of runs).
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
