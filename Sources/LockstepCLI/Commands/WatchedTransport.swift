import LockstepHTTP
import LockstepPrimitives
import Synchronization

/// A transport that remembers why the last request returned no usable response.
struct WatchedTransport: HTTPTransport {
    private final class Note: Sendable { let text = Mutex<String?>(nil) }

    private let transport: any HTTPTransport
    private let note = Note()

    init(_ transport: any HTTPTransport) { self.transport = transport }

    /// The failure, with the address; `nil` if there was none.
    var failure: String? { note.text.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        do throws(HTTPFailure) {
            let response = try await transport.send(request)
            let isJSON = (try? JSON.parse(response.body)) != nil
            note.text.withLock {
                $0 =
                    response.status != 200
                    ? "\(request.url) returned the status \(response.status)."
                    : isJSON ? nil : "\(request.url) did not return JSON."
            }
            return response
        } catch {
            let end = error.message.hasSuffix(".") ? "" : "."
            note.text.withLock { $0 = "\(request.url) did not respond: \(error.message)\(end)" }
            throw error
        }
    }
}
