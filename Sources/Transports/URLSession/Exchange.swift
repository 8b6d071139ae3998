import Foundation
import LockstepHTTP
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way, and what has come back of it.
final class Exchange: Sendable {
    /// Why it was ended from this side.
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

    /// Starts it and waits for its end.
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

    /// Says why it is being ended; the first reason counts.
    func refuse(_ refusal: Refusal) {
        state.withLock { if $0.refusal == nil { $0.refusal = refusal } }
    }

    /// Takes the head of the answer; `false` where the body would be too long.
    func take(_ response: URLResponse) -> Bool {
        state.withLock { state in
            state.response = response as? HTTPURLResponse
            let isTooLarge = response.expectedContentLength > Int64(request.responseLimit) && request.method != .head
            if isTooLarge { state.refusal = .tooLarge }
            return !isTooLarge
        }
    }

    /// Takes a piece of the body; `false` where it is too long by that.
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

    /// Ends it.
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
        // Foundation does not tell whether anything went out, so that "may have" is all that can be said before an answer.
        let phase: HTTPFailure.Phase = response == nil ? .mayHaveReachedServer : .answered
        switch refusal {
        case .timedOut: return .failure(HTTPFailure(.timedOut, phase, "It took longer than the deadline allows."))
        case .cancelled: return .failure(HTTPFailure(.cancelled, phase, "The task that asked for it was cancelled."))
        case .tooLarge:
            return .failure(HTTPFailure(.tooLarge, phase, "The answer is longer than \(request.responseLimit) bytes."))
        case nil: break
        }
        if let error { return .failure(HTTPFailure(error, hasResponse: response != nil)) }
        guard let response, response.statusCode >= 200 else {
            return .failure(HTTPFailure(.malformedResponse, phase, "The server does not answer in HTTP."))
        }
        guard request.method == .head || response.expectedContentLength <= Int64(body.count) else {
            return .failure(HTTPFailure(.truncated, .answered, "The answer ended too early."))
        }
        return .success(HTTPResponse(status: response.statusCode, headers: response.fields, body: body))
    }
}

extension HTTPURLResponse {
    /// Foundation keeps neither the order of the fields nor which of them came twice.
    fileprivate var fields: HTTPHeaders {
        HTTPHeaders(
            allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HTTPHeaders.Field(name: name, value: value)
            }.sorted { $0.name < $1.name })
    }
}
