public import LockstepPrimitives

/// The effect of a fault on a request.
///
/// ```swift
/// let busy = try server.panel.fail("POST", "/token*", with: .retryAfter(seconds: 30))
/// let lost = try server.panel.fail("PUT", "/user", with: .loseResponse)
/// print(busy.remaining, lost.remaining)
/// ```
public enum FaultEffect: Sendable {
    // The emulator never sees the request:

    /// The request gets this response.
    ///
    /// The emulator does not handle the request.
    case answer(EmulatorResponse)
    /// The request gets a response that the function computes from it.
    ///
    /// The emulator does not handle the request.
    case answerTo(@Sendable (EmulatorRequest) -> EmulatorResponse)
    /// The server closes the connection without a response.
    ///
    /// The emulator does not handle the request.
    case close
    /// The server keeps the connection open without a response.
    ///
    /// When the fault is released, the server closes it.
    case hang

    // The emulator sees the request later:

    /// The request waits until the fault is released.
    ///
    /// Then it gets the usual response.
    case hold
    /// The request waits for this time on the backend's clock.
    ///
    /// Then it gets the usual response.
    case delay(Duration)

    // The emulator has performed the request:

    /// The emulator handles the request.
    ///
    /// Then the server closes the connection without a response.
    case loseResponse
    /// The emulator handles the request.
    ///
    /// The response waits until the fault is released.
    case holdResponse
    /// The response stops in the middle of its body.
    ///
    /// `Content-Length` is the full length. After this many bytes of the body (default: half), the server closes the
    /// connection.
    case truncateResponse(after: Int? = nil)
    /// The body of the response is cut in the middle, so that its JSON is incomplete.
    ///
    /// `Content-Length` is the length of the shorter body.
    case breakResponse
    /// The request gets a response that the function computes from the emulator's response.
    case changeResponse(@Sendable (EmulatorResponse) -> EmulatorResponse)
}

extension FaultEffect {
    /// Returns an effect that responds with this status.
    ///
    /// The emulator does not handle the request.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - body: The JSON body; `nil` for none.
    ///   - headers: The header fields. Default: none.
    public static func status(_ status: Int, body: JSON? = nil, headers: Headers = .init()) -> FaultEffect {
        var response = body.map { EmulatorResponse.json($0, status: status) } ?? .empty(status: status)
        for field in headers.fields { response.headers.add(field.name, field.value) }
        return .answer(response)
    }

    /// Returns an effect that rejects a request with the header `Retry-After`.
    ///
    /// - Parameters:
    ///   - seconds: The number of seconds to wait before the next try.
    ///   - status: The status code. Default: 429.
    public static func retryAfter(seconds: Int, status: Int = 429) -> FaultEffect {
        .answer(.empty(status: status).with("Retry-After", String(max(0, seconds))))
    }

    /// A web page with status 200, such as the page of a captive portal in a hotel or train.
    public static var captivePortal: FaultEffect {
        .answer(.html("<!doctype html><title>Welcome</title><p>Please accept the terms to use this network."))
    }

    /// A response with status 200 and an empty body.
    public static var emptyResponse: FaultEffect { .answer(.empty(status: 200)) }
}

extension EmulatorResponse {
    /// No response.
    ///
    /// The connection is closed.
    static var silence: EmulatorResponse {
        var response = EmulatorResponse(status: 200)
        response.delivery = .silence
        return response
    }

    /// Returns the response after a fault has affected it.
    func applying(_ effect: FaultEffect) -> EmulatorResponse {
        var copy = self
        switch effect {
        case .loseResponse: return .silence
        case .truncateResponse(let count): copy.delivery = .truncated(after: count ?? body.count / 2)
        case .breakResponse: copy.body = Array(body.prefix(body.count / 2))
        case .changeResponse(let change): return change(self)
        default: break
        }
        return copy
    }
}
