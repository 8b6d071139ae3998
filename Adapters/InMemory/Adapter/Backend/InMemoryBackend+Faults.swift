public import Lockstep
internal import LockstepPrimitives

/// The kind of a request to an in-memory backend.
public enum InMemoryRequestKind: String, Sendable, CaseIterable {
    /// A request for a new access token.
    case refresh
    /// A sign-up.
    case signUp
    /// A sign-in.
    case signIn
    /// A request that ends sessions.
    case signOut
    /// A request to send the message of a flow again.
    case resend
    /// A request for the message of a password reset.
    case reset
    /// A request with a code or a link, or a request that asks whether the user has opened the link.
    case verification
    /// A request with the new password of a password reset.
    case newPassword
    /// A request for the user.
    case user
    /// A request that changes the user.
    case change
    /// A request that deletes the account.
    case delete
    /// Any other request.
    case other
}

/// A fault that a test injects into an in-memory backend.
///
/// ```swift
/// await backend.inject(.answerLost(AuthError(.network, "The connection was lost.")), on: .signUp, times: 1)
/// ```
public enum InMemoryFault: Sendable {
    /// The backend does nothing, and the request fails with this error.
    case refusal(AuthError)
    /// The request waits until ``InMemoryBackend/release()`` is called.
    ///
    /// If the caller is cancelled before that, the call throws an error, and the backend does nothing.
    case hang
    /// The backend does the work, but the caller gets this error, as if the response were lost.
    case answerLost(AuthError)
    /// The backend does the work, but its response waits for ``InMemoryBackend/release()``.
    ///
    /// If the caller is cancelled before that, the call throws an error.
    case answerHeld
    /// The backend does the work, but returns the response to an earlier request of the same kind.
    case earlierAnswer
    /// The backend does the work, and appends this text to each token in its response.
    case tokenSuffix(String)
    /// A sign-in returns an unknown step with this name.
    case unknownStep(String)
    /// A sign-in on a web page returns this URL instead of the provider's page.
    ///
    /// The fault affects only requests that return a web page.
    case otherAddress(String)
    /// The backend does the work, but its message is lost.
    ///
    /// The fault affects only requests that send a message.
    case messageNotSent
}

/// Which requests fail, and how.
struct InMemoryFaultRule: Sendable {
    var fault: InMemoryFault
    var kind: InMemoryRequestKind?
    var skip: Int
    var times: Int?
}

extension InMemoryBackend {
    /// Injects a fault into the next requests.
    ///
    /// ```swift
    /// await backend.inject(.refusal(AuthError(.network, "No network.")), on: .signIn, times: 1)
    /// ```
    ///
    /// - Parameters:
    ///   - kind: The kind of requests that the fault affects. Default: every kind.
    ///   - skip: The number of requests that work before the fault starts. Default: 0.
    ///   - times: The number of requests that the fault affects. Default: all until ``clearFaults()``.
    public func inject(_ fault: InMemoryFault, on kind: InMemoryRequestKind? = nil, skipping skip: Int = 0, times: Int? = nil) {
        rules.append(InMemoryFaultRule(fault: fault, kind: kind, skip: skip, times: times))
    }

    /// Removes all faults.
    public func clearFaults() { rules = [] }

    /// Lets all waiting requests continue.
    public func release() {
        for wake in hanging.values { wake.resume(returning: true) }
        hanging = [:]
    }

    /// Waits until a number of requests are waiting for ``release()``.
    ///
    /// ```swift
    /// await backend.inject(.hang, on: .refresh, times: 1)
    /// let refresh = Task { try await client.accessToken() }
    /// await backend.untilHanging(1)
    /// await backend.release()
    /// print(try await refresh.value)
    /// ```
    public func untilHanging(_ count: Int) async {
        guard hanging.count < count else { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }

    /// Runs one request: records it, applies a fault if one matches, and otherwise does the work.
    func exchange<Response: Sendable>(
        _ kind: InMemoryRequestKind, sends: Bool = false, unknownStep: (@Sendable (String) -> Response)? = nil,
        otherAddress: (@Sendable (String) -> Response)? = nil, fileID: String = #fileID, line: Int = #line,
        _ work: (isolated InMemoryBackend) throws(AuthError) -> Response
    ) async throws(AuthError) -> Response {
        let number = traffic.count(kind, "\(fileID):\(line)")
        let ended = RequestObserver.current?.began("POST", "/" + kind.rawValue)
        do throws(AuthError) {
            let response = try await response(
                to: kind, sends: sends, unknownStep: unknownStep, otherAddress: otherAddress, work)
            ended?(.answered(status: 200, bytes: 0))
            return response
        } catch {
            if error.code == .accessTokenRefused { traffic.refuseToken(of: number) }
            ended?(error.provider?.status.map { .answered(status: $0, bytes: 0) } ?? .failed(error.code.rawValue))
            throw error
        }
    }

    private func response<Response: Sendable>(
        to kind: InMemoryRequestKind, sends: Bool, unknownStep: (@Sendable (String) -> Response)?,
        otherAddress: (@Sendable (String) -> Response)?,
        _ work: (isolated InMemoryBackend) throws(AuthError) -> Response
    ) async throws(AuthError) -> Response {
        switch takeFault(kind, sends: sends, hasSteps: unknownStep != nil, hasPages: otherAddress != nil) {
        case .refusal(let error): throw error
        case .answerLost(let error):
            do throws(AuthError) { _ = try work(self) } catch {}
            throw error
        case .earlierAnswer:
            let earlier = answers[kind] as? Response
            let response = try work(self)
            return earlier ?? response
        case .tokenSuffix(let suffix):
            let response = try work(self)
            return switch response {
            case let grant as InMemoryGrant: grant.ending(with: suffix) as? Response ?? response
            case let outcome as InMemoryOutcome: outcome.ending(with: suffix) as? Response ?? response
            default: response
            }
        case .answerHeld:
            let response = try work(self)
            guard await hang() else { throw .cancelled }
            return response
        case .hang:
            guard await hang() else { throw .cancelled }
        case .unknownStep(let name):
            if let unknownStep { return unknownStep(name) }
        case .otherAddress(let address):
            if let otherAddress { return otherAddress(address) }
        case .messageNotSent:
            let before = sent.count
            _ = try work(self)
            sent.removeSubrange(before...)
            for handle in proofs.keys { proofs[handle]?.forgetUnsent(at: clock.now, settings.resendInterval) }
            throw AuthError(
                .messageNotSent, "The backend could not send the message. Request it again.", retry: .now, remedies: [.resend],
                provider: ProviderDetail(code: "mailer_failed", status: 500))
        case nil: break
        }
        let response = try work(self)
        answers[kind] = response
        return response
    }

    private func takeFault(_ kind: InMemoryRequestKind, sends: Bool, hasSteps: Bool, hasPages: Bool) -> InMemoryFault? {
        for place in rules.indices {
            let rule = rules[place]
            guard rule.kind == nil || rule.kind == kind else { continue }
            switch rule.fault {
            case .messageNotSent where !sends: continue
            case .unknownStep where !hasSteps: continue
            case .otherAddress where !hasPages: continue
            default: break
            }
            if rule.skip > 0 {
                rules[place].skip -= 1
                continue
            }
            if let times = rule.times {
                guard times > 0 else { continue }
                rules[place].times = times - 1
            }
            return rule.fault
        }
        return nil
    }

    /// Waits until the test releases the request.
    ///
    /// - Returns: Whether to respond to the request: `false` if its caller was cancelled.
    private func hang() async -> Bool {
        nextHang += 1
        let ticket = nextHang
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                if abandonedHangs.remove(ticket) != nil || Task.isCancelled { return wake.resume(returning: false) }
                hanging[ticket] = wake
                let ready = watchers.filter { $0.count <= hanging.count }
                watchers.removeAll { $0.count <= hanging.count }
                for watcher in ready { watcher.wake.resume() }
            }
        } onCancel: {
            Task { await self.abandon(ticket) }
        }
    }

    private func abandon(_ ticket: Int) {
        guard let wake = hanging.removeValue(forKey: ticket) else {
            abandonedHangs.insert(ticket)
            return
        }
        wake.resume(returning: false)
    }
}

extension InMemoryProofRecord {
    /// The minimum interval does not start with a lost message.
    fileprivate mutating func forgetUnsent(at now: Instant, _ interval: Duration) {
        guard let last = messages.indices.last, messages[last].sentAt == now else { return }
        messages[last].sentAt = now - interval
    }
}
