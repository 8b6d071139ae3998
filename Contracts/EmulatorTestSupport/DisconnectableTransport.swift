internal import LockstepContracts
public import LockstepEmulation
@_exported public import LockstepHTTP
internal import Synchronization

/// A transport from an adapter to its emulator that can be disconnected.
///
/// Requests then go to a port without a listener or without TLS, and fail for real.
public final class DisconnectableTransport: HTTPTransport {
    private struct Cut {
        let match: RequestMatch
        let end: End
        var skip: Int
        var times: Int
    }

    /// The destination of disconnected requests.
    public enum End: Sendable {
        /// The port of `tcpmux`, which has no listener. Browsers do not connect to it.
        case nowhere
        /// The emulator's own port, which does not speak TLS, with a TLS request.
        case insecure
    }

    /// The cache on the way, which forwards everything unless set otherwise.
    package let cache: SharedCache
    private let base: any HTTPTransport
    private let mount: String
    private let cuts = Mutex<[Cut]>([])

    /// Creates a connected transport.
    ///
    /// - Parameters:
    ///   - base: The base address.
    ///   - mount: The path prefix of the backend's routes. Paths of disconnected requests are below it, as in the emulator's
    ///     faults.
    public init(_ base: any HTTPTransport, mount: String = "") {
        self.base = base
        self.mount = mount
        cache = SharedCache(base)
    }

    /// The executor of the underlying transport.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends the request, or fails in the same way as a disconnected machine.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        guard let end = cut(for: request) else { return try await cache.send(request) }
        var request = request
        switch end {
        case .nowhere: request.url = "http://127.0.0.1:1" + request.pathAndQuery
        case .insecure: request.url.replaceSubrange(..<(request.url.firstIndex(of: ":") ?? request.url.startIndex), with: "https")
        }
        return try await base.send(request)
    }

    /// Disconnects the next `times` matching requests, after `skip` of them.
    public func cut(_ match: RequestMatch, skip: Int = 0, times: Int = .max, leadingTo end: End = .nowhere) {
        cuts.withLock { $0.append(Cut(match: match, end: end, skip: skip, times: times)) }
    }

    /// Reconnects all requests.
    public func mend() { cuts.withLock { $0 = [] } }

    private func cut(for request: HTTPRequest) -> End? {
        cuts.withLock { cuts in
            guard let place = cuts.firstIndex(where: { $0.times > 0 && $0.match.matches(request, below: mount) }) else {
                return nil
            }
            guard cuts[place].skip == 0 else {
                cuts[place].skip -= 1
                return nil
            }
            cuts[place].times -= 1
            return cuts[place].end
        }
    }
}

extension HTTPRequest {
    /// The part after scheme, host and port.
    var pathAndQuery: String {
        guard let host = url.firstRange(of: "://")?.upperBound, let path = url[host...].firstIndex(of: "/") else { return "/" }
        return String(url[path...])
    }
}

extension RequestMatch {
    /// Whether a request is meant before it leaves.
    func matches(_ request: HTTPRequest, below mount: String) -> Bool {
        let target = request.pathAndQuery
        let below = target.hasPrefix(mount + "/") ? String(target.dropFirst(mount.count)) : target
        return matches(EmulatorRequest(method: request.method.rawValue, target: below, body: request.body.bytes))
    }
}
