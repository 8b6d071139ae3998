/// Which requests a fault is for.
public struct RequestMatch: Sendable, Hashable {
    /// The method; `nil` for any.
    public var method: String?

    /// The path below the mount, with `*` for any run of characters; where it has a `?`, the query as sent is compared too.
    public var path: String

    /// Requests of that method (any, where `nil`) to that path.
    public init(_ method: String? = nil, _ path: String = "*") {
        self.method = method
        self.path = path
    }

    /// Whether a request is meant.
    public func matches(_ request: EmulatorRequest) -> Bool {
        if let method, method != request.method { return false }
        let subject = path.utf8.contains(UInt8(ascii: "?")) ? request.path + "?" + request.rawQuery : request.path
        return Self.matches(Array(path.utf8)[...], Array(subject.utf8)[...])
    }

    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        // Only the last star need be tried again: the match of an earlier one stays right (greedy matching of runs).
        var pattern = pattern
        var text = text
        var lastStar: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        while !text.isEmpty {
            if let unit = pattern.first, unit == UInt8(ascii: "*") {
                pattern = pattern.dropFirst()
                lastStar = (pattern, text)
            } else if let unit = pattern.first, unit == text.first {
                pattern = pattern.dropFirst()
                text = text.dropFirst()
            } else if let star = lastStar {
                pattern = star.pattern
                text = star.text.dropFirst()
                lastStar = (pattern, text)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
