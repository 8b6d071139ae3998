import Foundation
import LockstepHTTP
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that is being sent, and the part of its response that has arrived.
final class Exchange: Sendable {
    /// The reason why this side has ended the exchange.
    enum Refusal: Sendable {
        case timedOut
        case cancelled
        case tooLarge
    }

    fileprivate struct State {
        var response: HTTPURLResponse?
        var body: [UInt8] = []
        var refusal: Refusal?
        var result: Result<HTTPResponse, HTTPFailure>?
        var continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>?
    }

    private let request: HTTPRequest
    private let state = Mutex(State())

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Starts the exchange, and waits until it has ended.
    func result(_ start: @Sendable () -> Void) async -> Result<HTTPResponse, HTTPFailure> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result
            }
            start()
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Ends the exchange with a reason.
    ///
    /// Only the first reason is used.
    func refuse(_ refusal: Refusal) {
        state.withLock { if $0.refusal == nil { $0.refusal = refusal } }
    }

    /// Reads the head of the response.
    ///
    /// It returns `false` if the body would be too long.
    func take(_ response: URLResponse) -> Bool {
        state.withLock { state in
            state.response = response as? HTTPURLResponse
            let isTooLarge = response.expectedContentLength > Int64(request.responseLimit) && request.method != .head
            if isTooLarge { state.refusal = .tooLarge }
            return !isTooLarge
        }
    }

    /// Reads a piece of the body.
    ///
    /// It returns `false` if the body is now too long.
    func take(_ data: Data) -> Bool {
        state.withLock { state in
            guard data.count <= request.responseLimit - state.body.count else {
                state.refusal = .tooLarge
                return false
            }
            state.body.append(contentsOf: data)
            return true
        }
    }

    /// Ends the exchange.
    func finish(_ error: (any Error)?) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>? in
            guard state.result == nil else { return nil }
            state.result = state.outcome(of: request, error)
            defer { state.continuation = nil }
            return state.continuation
        }
        if let waiting, let result = state.withLock({ $0.result }) { waiting.resume(returning: result) }
    }
}

extension Exchange.State {
    fileprivate func outcome(of request: HTTPRequest, _ error: (any Error)?) -> Result<HTTPResponse, HTTPFailure> {
        // Foundation does not report whether anything was sent. So before a response, the phase can only be "may have reached
        // the server".
        let phase: HTTPFailure.Phase = response == nil ? .mayHaveReachedServer : .answered
        switch refusal {
        case .timedOut: return .failure(HTTPFailure(.timedOut, phase, "The request took longer than the deadline allows."))
        case .cancelled: return .failure(HTTPFailure(.cancelled, phase, "The task that sent the request was cancelled."))
        case .tooLarge:
            return .failure(HTTPFailure(.tooLarge, phase, "The response is longer than \(request.responseLimit) bytes."))
        case nil: break
        }
        if let error { return .failure(HTTPFailure(error, hasResponse: response != nil)) }
        guard let response, response.statusCode >= 200 else {
            return .failure(HTTPFailure(.malformedResponse, phase, "The server does not respond in HTTP."))
        }
        guard request.method == .head || response.expectedContentLength <= Int64(body.count) else {
            return .failure(HTTPFailure(.truncated, .answered, "The response is incomplete."))
        }
        return .success(HTTPResponse(status: response.statusCode, headers: response.fields, body: body))
    }
}

extension HTTPURLResponse {
    /// The header fields.
    ///
    /// Foundation keeps neither their order nor their repetitions.
    fileprivate var fields: HTTPHeaders {
        HTTPHeaders(
            allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HTTPHeaders.Field(name: name, value: value)
            }.sorted { $0.name < $1.name })
    }
}
