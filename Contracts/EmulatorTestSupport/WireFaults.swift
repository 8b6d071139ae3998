@_exported public import LockstepContracts
@_exported public import LockstepEmulation
internal import LockstepPrimitives
internal import Synchronization

/// Faults for the requests between an adapter and its emulator, over real connections.
public final class WireFaults: Faults {
    private let panel: ControlPanel
    package let cable: DisconnectableTransport
    private let forms: FaultForms
    private let elsewhere: [FaultTarget: ControlPanel]
    private let sendsMessages: Bool
    private let struck = Mutex<[LockstepEmulation.Fault]>([])
    /// The faults in `struck` that hold requests and have not been released.
    private let holding = Mutex<[LockstepEmulation.Fault]>([])

    /// Creates faults for the requests to an emulator.
    ///
    /// For your own server, use the control panel of a ``Gateway`` in front of it.
    ///
    /// - Parameters:
    ///   - cable: The transport of the adapter.
    ///   - forms: The errors of the provider.
    ///   - elsewhere: The control panels of other servers, for the kinds of requests that other servers receive.
    ///   - sendsMessages: Whether the outbox of the panel sends the messages. The value is `false` for a gateway.
    public init(
        _ panel: ControlPanel, _ cable: DisconnectableTransport, forms: FaultForms, elsewhere: [FaultTarget: ControlPanel] = [:],
        sendsMessages: Bool = true
    ) {
        self.sendsMessages = sendsMessages
        self.panel = panel
        self.elsewhere = elsewhere
        self.cable = cable
        self.forms = forms
    }

    /// Causes requests to fail.
    ///
    /// - Parameters:
    ///   - fault: The effect on the requests.
    ///   - requests: The kind of requests that fail.
    ///   - skip: The number of matching requests that get the usual response first.
    ///   - times: The number of requests that fail; `nil` for no limit.
    /// - Throws: ``EnvironmentError`` if the backend does not support this fault.
    public func inject(_ fault: LockstepContracts.Fault, on requests: FaultTarget, skipping skip: Int, times: Int?) async throws {
        let match = try match(requests)
        let times = times ?? .max
        switch fault {
        case .offline: cable.cut(match, skip: skip, times: times)
        case .faulty: cable.cut(match, skip: skip, times: times, leadingTo: .insecure)
        case .messageNotSent:
            guard sendsMessages else { throw EnvironmentError("This server cannot make its messages fail.") }
            guard skip == 0 else { throw EnvironmentError("The emulators' outbox cannot accept messages before it fails.") }
            panel.outbox.failNext(min(times, 1_000_000))
        default:
            // Hanging requests are counted at one server. The same applies to a limited number of requests.
            let isEverywhere = requests == .any && times == .max && fault != .hang && fault != .answerHeld
            let panels = isEverywhere ? [panel] + elsewhere.values : [elsewhere[requests] ?? panel]
            for panel in panels {
                let effect = try effect(of: fault, match, panel)
                if skip > 0 { try strike(panel, match, .delay(.zero), times: skip) }
                try strike(panel, match, effect, times: times)
            }
        }
    }

    /// Removes all faults.
    ///
    /// Requests that hang continue to hang.
    ///
    /// - Throws: Nothing.
    public func clear() async throws {
        cable.mend()
        struck.withLock { faults in
            for fault in faults { fault.disable() }
        }
    }

    /// Waits until at least `count` requests hang.
    ///
    /// - Parameter count: The number of requests.
    /// - Throws: Nothing.
    public func untilHanging(_ count: Int) async throws {
        let faults = holding.withLock(\.self)
        guard let fault = faults.last else { throw HarnessFailure("No request hangs.") }
        let before = faults.dropLast().reduce(0) { $0 + $1.strikes }
        await fault.waitUntilTriggered(count - before)
    }

    /// Releases all requests that hang.
    ///
    /// - Throws: Nothing.
    public func release() async throws {
        let faults = holding.withLock { faults in
            defer { faults = [] }
            return faults
        }
        for fault in faults { fault.release() }
    }

    private func strike(_ panel: ControlPanel, _ match: RequestMatch, _ effect: FaultEffect, times: Int) throws {
        let fault = try panel.fail(next: times, match, with: effect)
        struck.withLock { $0.append(fault) }
        switch effect {
        case .hold, .holdResponse: holding.withLock { $0.append(fault) }
        default: break
        }
    }

    private func match(_ target: FaultTarget) throws -> RequestMatch {
        if let match = forms.requests[target] { return match }
        guard target == .any else { throw EnvironmentError("This provider has no separate request for \(target.rawValue).") }
        // The adapter does not send the requests of a browser that opens a link.
        var match = RequestMatch()
        match.leavesOutPages = true
        return match
    }

    private func effect(
        of fault: LockstepContracts.Fault, _ match: RequestMatch, _ panel: ControlPanel
    ) throws -> FaultEffect {
        switch fault {
        case .answerLost: return .loseResponse
        case .proxyRefusal(let status, let form): return .answer(.refusal(status, form))
        case .earlierAnswer:
            let earlier = panel.transcript.entries.last { match.matches($0.request) && $0.response.status == 200 }
            guard let earlier else { throw EnvironmentError("No request of this kind has succeeded.") }
            return .changeResponse { _ in earlier.response }
        case .closed: return .close
        case .hang: return .hold
        case .answerHeld: return .holdResponse
        case .status(let status, let wait):
            var response = EmulatorResponse.html("<!doctype html><title>\(status)</title><h1>\(status)</h1>", status: status)
            if let wait { response = response.with("Retry-After", String(wait.components.seconds)) }
            return .answer(response)
        case .garbage(.captivePortal): return .captivePortal
        case .garbage(.empty): return .emptyResponse
        case .garbage(.truncatedJSON):
            let whole = forms.wrongTypes.bytes()
            return .answer(
                EmulatorResponse(
                    status: 200, headers: ["Content-Type": "application/json"], body: Array(whole.prefix(whole.count / 2))))
        case .garbage(.foreignObject): return .answer(.json(["status": "ok"]))
        case .garbage(.wrongTypes): return .answer(.json(forms.wrongTypes))
        case .garbage(.byteOrderMark): return .changeResponse { $0.withByteOrderMark() }
        case .garbage(.repeatedNames): return .changeResponse { $0.withRepeatedNames() }
        case .unknownCode(let code, let status): return .answer(forms.refusal(code, status))
        case .refusedCredential:
            guard !forms.credentialRefusals.isEmpty else {
                throw EnvironmentError("The harness names no error for a rejected credential.")
            }
            let refusal = forms.credentialRefusals[struck.withLock(\.count) % forms.credentialRefusals.count]
            return .answer(forms.refusal(refusal.code, refusal.status))
        case .rateLimited(let wait): return .answer(forms.rateLimit(wait))
        case .quoting(let quotation): return .answerTo { [forms] request in forms.quoting(request, quotation) }
        case .unknownStep(let name):
            guard let step = forms.unknownStep else {
                throw EnvironmentError("This provider's wire format has no names for steps.")
            }
            return .answer(step(name))
        case .absurdNumbers(let numbers): return .changeResponse { $0.with(numbers) }
        case .tokenSuffix(let suffix): return .changeResponse { [forms] in $0.with(suffix, after: forms.tokenNames) }
        case .otherAddress(let address): return .changeResponse { $0.with(address: address) }
        case .offline, .faulty, .messageNotSent: throw HarnessFailure("The emulator does not simulate this fault.")
        }
    }
}

extension EmulatorResponse {
    /// Returns an error of a proxy in front of the backend.
    fileprivate static func refusal(_ status: Int, _ form: ProxyForm) -> EmulatorResponse {
        switch form {
        case .page: .html("<!doctype html><title>\(status)</title><h1>\(status)</h1>", status: status)
        case .empty: .empty(status: status)
        case .text: EmulatorResponse(status: status, headers: ["Content-Type": "text/plain"], body: Array("Refused".utf8))
        case .json: .json(["message": "No policy allows this request.", "request_id": "5f0e7c1f2a9b"], status: status)
        }
    }

    /// Returns the same response with U+FEFF before its body, like some gateways and editors.
    fileprivate func withByteOrderMark() -> EmulatorResponse {
        var copy = self
        copy.body = [0xEF, 0xBB, 0xBF] + body
        return copy
    }

    /// Returns the same response with another URL in place of every web URL.
    fileprivate func with(address: String) -> EmulatorResponse {
        guard let json = try? JSON.parse(body) else { return self }
        var copy = self
        copy.body = json.with(address: address).bytes()
        return copy
    }

    /// Returns the same response with a text after each token in its body.
    fileprivate func with(_ suffix: String, after names: Set<String>) -> EmulatorResponse {
        guard let json = try? JSON.parse(body) else { return self }
        var copy = self
        copy.body = json.with(suffix, after: names).bytes()
        return copy
    }

    /// Returns the same response with every member of its object twice, first with another value.
    ///
    /// Two parsers may then read different values.
    fileprivate func withRepeatedNames() -> EmulatorResponse {
        guard let object = (try? JSON.parse(body))?.object, !object.isEmpty else { return self }
        var copy = self
        let others = JSONObject(object.map { ($0.name, JSON.string("other")) })
        copy.body = Array(JSON.object(others).bytes().dropLast()) + Array(",".utf8) + JSON.object(object).bytes().dropFirst()
        return copy
    }
}

extension JSON {
    fileprivate func with(_ suffix: String, after names: Set<String>) -> JSON {
        switch self {
        case .object(let object):
            .object(
                JSONObject(
                    object.map { name, value in
                        guard names.contains(name), let token = value.string else {
                            return (name, value.with(suffix, after: names))
                        }
                        return (name, .string(token + suffix))
                    }))
        case .array(let elements): .array(elements.map { $0.with(suffix, after: names) })
        default: self
        }
    }

    fileprivate func with(address: String) -> JSON {
        switch self {
        case .object(let object): .object(JSONObject(object.map { ($0.name, $0.value.with(address: address)) }))
        case .array(let elements): .array(elements.map { $0.with(address: address) })
        case .string(let text) where text.hasPrefix("https://") || text.hasPrefix("http://"): .string(address)
        default: self
        }
    }
}
