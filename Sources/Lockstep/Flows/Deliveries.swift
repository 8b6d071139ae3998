internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

/// The links that this device has opened, as digests in the notes of the device.
///
/// They survive a relaunch of the app.
///
/// The list keeps the newest sixteen links.
struct OpenedLinkNotes: Sendable {
    private let note: String

    /// The links that the backend has accepted.
    static let used = OpenedLinkNotes(note: "lockstep.usedLinks")
    /// The links that were sent to the backend without a response.
    ///
    /// The backend may have accepted them.
    static let unanswered = OpenedLinkNotes(note: "lockstep.unansweredLinks")

    /// Returns a digest that names a link.
    static func name(of identity: String) -> String {
        String(Hex.encode(HashFunction.sha256.digest(Array(identity.utf8))).prefix(24))
    }

    func insert(_ name: String, in device: FlowMemory) {
        write([name] + names(in: device).filter { $0 != name }, in: device)
    }

    func remove(_ name: String, in device: FlowMemory) { write(names(in: device).filter { $0 != name }, in: device) }

    func contains(_ name: String, in device: FlowMemory) -> Bool { names(in: device).contains(name) }

    private func names(in device: FlowMemory) -> [String] {
        device[device: note]?.reveal().split(separator: " ").map(String.init) ?? []
    }

    private func write(_ names: [String], in device: FlowMemory) {
        device[device: note] = names.isEmpty ? nil : Secret(names.prefix(16).joined(separator: " "))
    }
}

/// One handling of a link.
final class Delivery: Sendable {
    private let state = Mutex<Int?>(nil)

    /// The sequence number of the flow that was in progress when the link was read; `nil` before that.
    var flow: Int? { state.withLock { $0 } }

    func begin(for flow: Int) { state.withLock { $0 = flow } }
}

/// The links that were delivered.
///
/// A second delivery of the same link gets the same result, without a second request.
///
/// The list keeps no secrets of a link or its result. A digest names the link, and a session is only a reference to the
/// current session.
final class Deliveries: Sendable {
    /// The remembered result of a delivery.
    struct Memory: Sendable {
        enum Result: Sendable {
            /// The current session.
            case session
            case step(AuthStep)
            /// An error that every later attempt with the link would get, too.
            case refusal(AuthError)
        }

        let result: Result
        let generation: Int
        /// The sequence number of the flow to which the link was delivered.
        let flow: Int
    }

    fileprivate struct State {
        var running: [[UInt8]: (delivery: Delivery, task: Task<CallbackOutcome, Never>)] = [:]
        var known: [[UInt8]: Memory] = [:]
        var order: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// The maximum number of remembered results.
    fileprivate static let limit = 16

    /// Returns the outcome of a link: the outcome of its first delivery, if that is still valid.
    ///
    /// - `isOld`: Returns whether a running delivery belongs to another flow.
    /// - `recall`: Returns the outcome for a remembered result; `nil` if the result is obsolete.
    /// - `remember`: Returns the result to remember for an outcome; `nil` if the link may be tried again.
    func outcome(
        of link: String, isOld: (Delivery) -> Bool, recall: (Memory) -> CallbackOutcome?,
        remember: @escaping @Sendable (CallbackOutcome, Delivery) -> Memory?,
        by handling: @escaping @Sendable (Delivery) async -> CallbackOutcome
    ) async -> CallbackOutcome {
        let name = HashFunction.sha256.digest(Array(link.utf8))
        enum Found {
            case known(CallbackOutcome)
            case running(Task<CallbackOutcome, Never>)
        }
        let found: Found = state.withLock { state in
            if let running = state.running[name], !isOld(running.delivery) { return .running(running.task) }
            if let outcome = state.known[name].flatMap(recall) { return .known(outcome) }
            state.forget(name)
            let delivery = Delivery()
            let task = Task {
                let outcome = await handling(delivery)
                let memory = remember(outcome, delivery)
                self.state.withLock { $0.end(name, delivery, memory) }
                return outcome
            }
            state.running[name] = (delivery, task)
            return .running(task)
        }
        return switch found {
        case .known(let outcome): outcome
        case .running(let task): await task.value
        }
    }
}

extension Deliveries.State {
    fileprivate mutating func forget(_ name: [UInt8]) {
        known[name] = nil
        order.removeAll { $0 == name }
    }

    fileprivate mutating func end(_ name: [UInt8], _ delivery: Delivery, _ memory: Deliveries.Memory?) {
        // A newer delivery of the same link has replaced this one.
        guard running[name]?.delivery === delivery else { return }
        running[name] = nil
        guard let memory else { return }
        known[name] = memory
        order.append(name)
        if order.count > Deliveries.limit { forget(order[0]) }
    }
}
