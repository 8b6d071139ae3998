public import LockstepPrimitives

/// What happens to a request instead of being answered as usual.
public enum FaultEffect: Sendable {
    // The emulator never sees the request:

    /// This response to every request.
    case answer(EmulatorResponse)
    /// A response that is made from the request.
    case answerTo(@Sendable (EmulatorRequest) -> EmulatorResponse)
    /// The connection is closed without a response.
    case close
    /// The connection stays open without a response; when the fault is released it is closed.
    case hang

    // The emulator sees the request later:

    /// The request waits until the fault is released, and is then answered as usual.
    case hold
    /// The request waits so long on the backend's clock, and is then answered as usual.
    case delay(Duration)

    // The emulator has performed the request:

    /// The connection is closed without a response.
    case loseResponse
    /// The response waits until the fault is released.
    case holdResponse
    /// The length is announced, that many bytes of the body are sent (half of them where not given), then the connection is
    /// closed.
    case truncateResponse(after: Int? = nil)
    /// The body ends in the middle, and the length says that it is whole: broken JSON.
    case breakResponse
    /// The response is replaced by one that is made from the emulator's own.
    case changeResponse(@Sendable (EmulatorResponse) -> EmulatorResponse)
}

extension FaultEffect {
    /// A response of that status, without the emulator seeing the request.
    public static func status(_ status: Int, body: JSON? = nil, headers: Headers = .init()) -> FaultEffect {
        var response = body.map { EmulatorResponse.json($0, status: status) } ?? .empty(status: status)
        for field in headers.fields { response.headers.add(field.name, field.value) }
        return .answer(response)
    }

    /// A refusal that says when to retry.
    public static func retryAfter(seconds: Int, status: Int = 429) -> FaultEffect {
        .answer(.empty(status: status).with("Retry-After", String(max(0, seconds))))
    }

    /// A page with status 200, as hotels and trains put it in place of every response.
    public static var captivePortal: FaultEffect {
        .answer(.html("<!doctype html><title>Welcome</title><p>Please accept the terms to use this network."))
    }

    /// Status 200 and no body at all.
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
