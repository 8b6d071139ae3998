internal import LockstepContracts
internal import LockstepEmulation
public import LockstepHTTP
internal import Synchronization

/// The way from an adapter to its emulator, which can be cut: requests then go to a port where nobody listens, and fail for real.
public final class Cable: HTTPTransport {
    private struct Cut {
        let match: RequestMatch
        var skip: Int
        var times: Int
    }

    /// The cache on the way, which hands everything on until it is told otherwise.
    package let cache: SharedCache
    private let base: any HTTPTransport
    private let cuts = Mutex<[Cut]>([])

    /// A whole cable.
    public init(_ base: any HTTPTransport) {
        self.base = base
        cache = SharedCache(base)
    }

    /// The thread of the transport underneath.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends the request, or fails as an unplugged machine does.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        guard isCut(for: request) else { return try await cache.send(request) }
        var request = request
        request.url = Self.nowhere + request.pathAndQuery
        return try await base.send(request)
    }

    func cut(_ match: RequestMatch, skip: Int, times: Int) {
        cuts.withLock { $0.append(Cut(match: match, skip: skip, times: times)) }
    }

    func mend() { cuts.withLock { $0 = [] } }

    /// Nobody listens on the port of `tcpmux`; a browser may not even ask there.
    private static let nowhere = "http://127.0.0.1:1"

    private func isCut(for request: HTTPRequest) -> Bool {
        cuts.withLock { cuts in
            guard let place = cuts.firstIndex(where: { $0.times > 0 && $0.match.matches(request) }) else { return false }
            guard cuts[place].skip == 0 else {
                cuts[place].skip -= 1
                return false
            }
            cuts[place].times -= 1
            return true
        }
    }
}

extension HTTPRequest {
    /// What follows scheme, host and port.
    var pathAndQuery: String {
        guard let host = url.firstRange(of: "://")?.upperBound, let path = url[host...].firstIndex(of: "/") else { return "/" }
        return String(url[path...])
    }
}

extension RequestMatch {
    /// Whether a request is meant before it leaves.
    func matches(_ request: HTTPRequest) -> Bool {
        guard method == nil || method == request.method.rawValue else { return false }
        return matches(EmulatorRequest(method: request.method.rawValue, target: request.pathAndQuery))
    }
}
