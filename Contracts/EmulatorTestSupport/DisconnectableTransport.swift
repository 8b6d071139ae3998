internal import LockstepContracts
public import LockstepEmulation
@_exported public import LockstepHTTP
internal import Synchronization

/// A transport between an adapter and its emulator.
///
/// A test can disconnect this transport.
///
/// A disconnected transport sends requests to a port without a server or without TLS support. So the requests really fail.
///
/// ```swift
/// let transport = DisconnectableTransport(CurlTransport())
/// transport.cut(RequestMatch("POST", "/token*"), times: 1)
/// ```
public final class DisconnectableTransport: HTTPTransport {
    private struct Cut {
        let match: RequestMatch
        let end: End
        var skip: Int
        var times: Int
    }

    /// The destination of the requests while the transport is disconnected.
    public enum End: Sendable {
        /// To the port of `tcpmux`, on which no server listens.
        ///
        /// Browsers do not connect to this port.
        case nowhere
        /// To the port of the emulator, over TLS, which the emulator does not support.
        case insecure
    }

    /// A cache between the adapter and the emulator.
    ///
    /// It forwards every request, unless a test changes this.
    package let cache: SharedCache
    private let base: any HTTPTransport
    private let mount: String
    private let cuts = Mutex<[Cut]>([])

    /// Creates a connected transport.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - mount: The prefix of the backend's paths. The paths in ``cut(_:skip:times:leadingTo:)`` do not contain this prefix.
    public init(_ base: any HTTPTransport, mount: String = "") {
        self.base = base
        self.mount = mount
        cache = SharedCache(base)
    }

    /// The executor of the base transport.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends a request.
    ///
    /// A request that the test disconnects fails as if there were no network.
    ///
    /// - Returns: The response.
    /// - Throws: The failure of the request.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        guard let end = cut(for: request) else { return try await cache.send(request) }
        var request = request
        switch end {
        case .nowhere: request.url = "http://127.0.0.1:1" + request.pathAndQuery
        case .insecure: request.url.replaceSubrange(..<(request.url.firstIndex(of: ":") ?? request.url.startIndex), with: "https")
        }
        return try await base.send(request)
    }

    /// Disconnects the next matching requests.
    ///
    /// - Parameters:
    ///   - skip: The number of matching requests that are sent before the fault starts. Default: none.
    ///   - times: The number of requests to disconnect. Default: all.
    ///   - end: The destination of the disconnected requests.
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
    /// The part of the URL after scheme, host and port.
    var pathAndQuery: String {
        guard let host = url.firstRange(of: "://")?.upperBound, let path = url[host...].firstIndex(of: "/") else { return "/" }
        return String(url[path...])
    }
}

extension RequestMatch {
    /// Returns whether the match applies to a request that has not been sent.
    func matches(_ request: HTTPRequest, below mount: String) -> Bool {
        let target = request.pathAndQuery
        let below = target.hasPrefix(mount + "/") ? String(target.dropFirst(mount.count)) : target
        return matches(EmulatorRequest(method: request.method.rawValue, target: below, body: request.body.bytes))
    }
}
