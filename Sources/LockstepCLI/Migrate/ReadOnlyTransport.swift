import LockstepHTTP
import LockstepPrimitives
import Synchronization

/// A transport that sends only requests that read, and remembers them.
struct ReadOnlyTransport: HTTPTransport {
    private final class Log: Sendable { let lines = Mutex<[JSONObject]>([]) }

    private let transport: any HTTPTransport
    private let log = Log()

    init(_ transport: any HTTPTransport) { self.transport = transport }

    /// The requests, without their queries and bodies, which can contain keys and addresses.
    var requests: [JSONObject] { log.lines.withLock(\.self) }

    /// Returns whether a request only reads: a list that is requested by POST, or a token for the account that reads, too.
    static func isRead(_ method: String, _ path: some StringProtocol) -> Bool {
        method == "GET" || method == "HEAD"
            || method == "POST" && ["/accounts:lookup", "/accounts:query", "/token"].contains(where: path.hasSuffix)
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let url = String(request.url.unicodeScalars.prefix { $0 != "?" })
        // The kind of a grant in the query makes a session; a token for the account that reads has it in the body.
        let isGrant = url.hasSuffix("/token") && url.utf8.count < request.url.utf8.count
        guard Self.isRead(request.method.rawValue, url), !isGrant else {
            throw HTTPFailure(
                .invalidRequest, .neverSent, "The rehearsal only reads, so \(request.method.rawValue) \(url) was not sent.")
        }
        log.lines.withLock { $0.append(["method": .string(request.method.rawValue), "url": .string(url)]) }
        return try await transport.send(request)
    }
}
