public import LockstepPrimitives

/// The effect of a fault on a request, instead of the usual response.
public enum FaultEffect: Sendable {
    // The emulator never sees the request:

    /// Every request gets this response.
    case answer(EmulatorResponse)
    /// A response that is computed from the request.
    case answerTo(@Sendable (EmulatorRequest) -> EmulatorResponse)
    /// The connection is closed without a response.
    case close
    /// The connection stays open without a response; when the fault is released it is closed.
    case hang

    // The emulator sees the request later:

    /// The request waits until the fault is released, and then gets the usual response.
    case hold
    /// The request waits for this time on the backend's clock, and then gets the usual response.
    case delay(Duration)

    // The emulator has performed the request:

    /// The connection is closed without a response.
    case loseResponse
    /// The response waits until the fault is released.
    case holdResponse
    /// The response announces its full length and sends this many bytes of the body (by default, half of them). Then the
    /// connection is closed.
    case truncateResponse(after: Int? = nil)
    /// The body is cut in the middle, with a matching length, so that the JSON is incomplete.
    case breakResponse
    /// A response that is computed from the emulator's response.
    case changeResponse(@Sendable (EmulatorResponse) -> EmulatorResponse)
}

extension FaultEffect {
    /// Returns an effect that responds with a status; the emulator does not see the request.
    public static func status(_ status: Int, body: JSON? = nil, headers: Headers = .init()) -> FaultEffect {
        var response = body.map { EmulatorResponse.json($0, status: status) } ?? .empty(status: status)
        for field in headers.fields { response.headers.add(field.name, field.value) }
        return .answer(response)
    }

    /// Returns an effect that rejects the request and says when to retry.
    public static func retryAfter(seconds: Int, status: Int = 429) -> FaultEffect {
        .answer(.empty(status: status).with("Retry-After", String(max(0, seconds))))
    }

    /// A page with status 200, as sent by captive portals of hotels and trains.
    public static var captivePortal: FaultEffect {
        .answer(.html("<!doctype html><title>Welcome</title><p>Please accept the terms to use this network."))
    }

    /// A response with status 200 and an empty body.
    public static var emptyResponse: FaultEffect { .answer(.empty(status: 200)) }
}

extension EmulatorResponse {
    /// No response: the connection is closed.
    static var silence: EmulatorResponse {
        var response = EmulatorResponse(status: 200)
        response.delivery = .silence
        return response
    }

    /// The same as a fault leaves it.
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
