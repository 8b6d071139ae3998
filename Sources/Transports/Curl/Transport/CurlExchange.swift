internal import LockstepHTTP

/// A request that is being sent, and the part of its response that has arrived.
///
/// It is `@unchecked Sendable`: the caller's task uses it only before it passes it to the loop. Afterwards, only the thread of
/// the loop uses it. It is `@safe` because the continuation is resumed and removed in one place.
@safe
final class CurlExchange: @unchecked Sendable {
    let request: HTTPRequest
    /// The caller that waits.
    ///
    /// It is set once, before the exchange is passed to the loop. ``finish(_:)`` removes it.
    var continuation: UnsafeContinuation<Result<HTTPResponse, HTTPFailure>, Never>?
    /// The handle that transfers the exchange, during the transfer.
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
