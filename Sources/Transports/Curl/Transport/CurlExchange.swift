internal import LockstepHTTP

/// One request on its way, and what has come back of it.
///
/// It is `@unchecked Sendable` because the caller's task touches it only before it passes it to the loop, and afterwards only the
/// loop's thread does. It is `@safe` because the continuation is resumed and forgotten in one place.
@safe
final class CurlExchange: @unchecked Sendable {
    let request: HTTPRequest
    /// The caller; set once, before the exchange is passed on, and taken by ``finish(_:)``.
    var continuation: UnsafeContinuation<Result<HTTPResponse, HTTPFailure>, Never>?
    /// The handle that carries it, while it is on its way.
    var handle: CurlHandle?
    var isCancelled = false
    var response: CurlResponse

    init(_ request: HTTPRequest) {
        self.request = request
        response = CurlResponse(to: request)
        unsafe continuation = nil
    }

    /// Resumes the caller, once.
    func finish(_ result: Result<HTTPResponse, HTTPFailure>) {
        guard let waiting = unsafe continuation else { return }
        unsafe continuation = nil
        unsafe waiting.resume(returning: result)
    }
}
