public import LockstepPrimitives
internal import Synchronization

/// A call that an emulator made to another server about an event.
///
/// Its body contains secrets. To show the call, use ``ControlPanel/shownDeliveries``.
public struct Delivery: Sendable {
    /// The number of the call, counted from 1.
    public internal(set) var number: Int
    /// The time when the call ended, on the backend's clock.
    public let date: Instant
    /// The provider's name for the event: `user.created`, `before-user-created`.
    public let event: String
    /// The URL of the call.
    public let address: String
    /// The first 16 KiB of the call's body.
    public let body: [UInt8]
    /// The status code of the response, or the reason why no response arrived.
    public let outcome: Result<Int, OutgoingError>
    /// The number of calls for this event so far, including this one.
    public let attempt: Int
    /// The call itself, if its body was kept completely.
    let call: OutgoingRequest?
}

/// The latest calls to other servers about events.
public final class Deliveries: Sendable {
    private struct State {
        var entries: [Delivery] = []
        var count = 0
        var resets = 0
    }

    private static let capacity = 200
    private static let bodyLimit = 16 << 10

    private let state = Mutex(State())
    private let changes: ChangeLog

    /// Creates an empty list of calls.
    ///
    /// - Parameter changes: The counter that counts each call as a change.
    public init(_ changes: ChangeLog = ChangeLog()) { self.changes = changes }

    /// The recorded calls, oldest first.
    public var entries: [Delivery] { state.withLock { $0.entries } }

    /// Returns the calls that were recorded since a reader's last look, oldest first.
    func entries(after place: inout ReadingPlace) -> [Delivery] {
        state.withLock { state in
            let number = place.advance(to: state.count, resets: state.resets)
            return Array(state.entries.suffix(max(0, state.count - number)))
        }
    }

    func add(_ request: OutgoingRequest, _ event: String, _ outcome: Result<Int, OutgoingError>, at date: Instant) -> Delivery {
        let delivery = state.withLock { state in
            state.count += 1
            if state.entries.count == Self.capacity { state.entries.removeFirst() }
            let delivery = Delivery(
                number: state.count, date: date, event: event, address: request.address,
                body: Array(request.body.prefix(Self.bodyLimit)), outcome: outcome, attempt: request.attempt,
                call: request.body.count <= Self.bodyLimit ? request : nil)
            state.entries.append(delivery)
            return delivery
        }
        changes.note(.deliveries)
        return delivery
    }

    func reset() { state.withLock { $0 = State(resets: $0.resets + 1) } }
}

extension Delivery {
    /// The call in the form of a recorded request, for the code that masks secrets.
    var exchange: TranscriptEntry {
        let headers = Headers([("Content-Type", "application/json")])
        return TranscriptEntry(
            number: number, date: date, duration: .zero,
            request: EmulatorRequest(method: "POST", target: "/", headers: headers, body: body),
            response: .empty(), isFaulty: false)
    }
}

extension TranscriptMask {
    /// Returns the call as JSON without secrets.
    func json(of delivery: Delivery) -> JSON {
        var members: JSONObject = [
            "number": .int(Int64(delivery.number)), "date": .string(delivery.date.rfc3339), "event": .string(delivery.event),
            "address": .string(shown(address: delivery.address)), "body": shownBody(of: delivery.exchange.request),
            "status": .null, "failure": .null, "attempt": .int(Int64(delivery.attempt)),
        ]
        switch delivery.outcome {
        case .success(let status): members["status"] = .int(Int64(status))
        case .failure(let error): members["failure"] = .string(error.description)
        }
        return .object(members)
    }
}
