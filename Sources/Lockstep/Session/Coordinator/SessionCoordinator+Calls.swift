internal import LockstepPrimitives
internal import Synchronization

extension SessionCoordinator {
    /// Runs a call with one deadline for all its waits, and reports its beginning and end.
    ///
    /// A call of the app first restores the session, and ends expired flows. Work in the background has no caller, so it
    /// has no deadline.
    func call<Value: Sendable>(
        _ name: String, inBackground: Bool = false, _ body: @Sendable () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let start = effects.clock.uptime
        let outcome = await CallDeadline.$uptime.withValue(inBackground ? nil : start + options.deadline) {
            // If this call runs inside a call of another client, that client's observer may be set.
            await RequestObserver.$current.withValue(observer()) { () async -> Result<Value, AuthError> in
                effects.report(.callBegan, [.call: name, .provider: adapter.name])
                let outcome: Result<Value, AuthError>
                do throws(AuthError) {
                    if !inBackground { try await prepare() }
                    outcome = .success(try await body())
                } catch {
                    outcome = .failure(error)
                }
                let code = if case .failure(let error) = outcome { error.code.rawValue } else { "ok" }
                effects.report(
                    .callEnded,
                    [.call: name, .provider: adapter.name, .outcome: code, .milliseconds: milliseconds(since: start)])
                return outcome
            }
        }
        return try outcome.get()
    }

    private func prepare() async throws(AuthError) {
        if !isRestored { try await ensureRestored() }
        // Abandoned flows must not keep their secrets.
        guard context.state.withLock({ $0.flows.hasOld(on: effects.clock) }) else { return }
        change { state in
            state.flows.endOld(on: self.effects.clock)
            state.askForProof(self.adapter, self.effects)
        }
        await persist(.flow)
    }

    /// Starts work that no call waits for.
    ///
    /// Its events have their own call id, and its requests contain no caller's trace.
    func inBackground(_ name: String, _ body: @escaping @Sendable () async -> Void) {
        context.state.withLock { state in
            state.store.lastWork += 1
            let ticket = state.store.lastWork
            state.store.background[ticket] = Task {
                await TraceContext.$current.withValue(nil) {
                    // The body throws nothing.
                    try? await self.call(name, inBackground: true) { () async throws(AuthError) in await body() }
                }
                self.context.state.withLock { $0.store.background[ticket] = nil }
            }
        }
    }

    /// Waits until the background work has ended.
    func settle() async {
        let limit = CallDeadline.left(of: options.deadline, on: effects.clock)
        _ = await effects.clock.wait(atMost: limit) { [context] in
            while let work = context.state.withLock({ $0.store.background.values.first }) { await work.value }
        }
    }

    // MARK: Requests

    /// Calls the adapter on its own executor, and returns by the deadline even if the adapter's call has not ended.
    ///
    /// If the backend responds again, unsent revocations are sent.
    ///
    /// - `deadline`: The limit; the remaining time of the caller's call if that is shorter.
    /// - `late`: Handles a response that came after the deadline, because the change on the backend must not be lost.
    ///
    /// Throws the adapter's error, `timedOut` at the deadline, or `cancelled` if the caller's task is cancelled.
    func ask<Value: Sendable>(
        within deadline: Duration? = nil, late: @escaping @Sendable (Value) async -> Void = { _ in },
        _ question: @escaping @Sendable () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let limit = CallDeadline.left(of: deadline ?? options.deadline, on: effects.clock)
        let lateResponse: @Sendable (Result<Value, AuthError>) async -> Void = { result in
            guard case .success(let response) = result else { return }
            // The call has ended, so the late response is handled without the call's deadline.
            await CallDeadline.$uptime.withValue(nil) { await late(response) }
        }
        let end = await effects.clock.wait(atMost: limit, on: adapter.executor, late: lateResponse) {
            do throws(AuthError) { return .success(try await question()) } catch { return .failure(error) }
        }
        guard case .value(let result) = end else { throw context.end(of: end) }
        let response = try result.get()
        if context.state.withLock({ $0.store.hasUnsentRevocations }) {
            inBackground("sendRevocations") { await self.sendRevocations() }
        }
        return response
    }

    /// Sends a request for the signed-in user.
    ///
    /// If the backend rejects the access token, the request is sent again with a new token.
    ///
    /// All such requests go through this method. All callers whose token was rejected share one refresh, and a second
    /// rejection is final. This method also adds the remedies to an error.
    ///
    /// - Throws: The error of `question`, and the error of a failed refresh.
    func asUser<Value: Sendable>(
        _ question: @Sendable (Session) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let (session, renewals) = (try await validSession(), self.renewals)
        do throws(AuthError) {
            return try await question(session)
        } catch  where error.code == .accessTokenRefused {
            let renewed = try await self.session(satisfying: .otherThan(session.accessToken, since: renewals))
            guard renewed.user.id.exact == session.user.id.exact else { throw .anotherUser }
            do throws(AuthError) { return try await question(renewed) } catch { throw remedied(error, renewed) }
        } catch {
            throw remedied(error, session)
        }
    }

    /// Adds the ways to sign in again if the backend requires a recent sign-in.
    private func remedied(_ error: AuthError, _ session: Session) -> AuthError {
        guard error.code == .reauthenticationRequired, error.remedies.isEmpty, let reauthentication = adapter.reauthentication
        else { return error }
        var error = error
        error.remedies = [.reauthenticate(reauthentication.ways(for: session))]
        return error
    }

    // MARK: Events

    private func observer() -> RequestObserver? {
        guard !effects.events.isNone else { return nil }
        let id = Hex.encode(effects.randomness.bytes(4))
        let count = RequestCount()
        return RequestObserver(callID: id) { [effects] method, route in
            let start = effects.clock.uptime
            let fields: [AuthEvent.Field: String] = [
                .method: method, .route: route, .request: "\(id).\(count.next())", .callID: id,
            ]
            effects.events(AuthEvent(.requestBegan, at: effects.clock.now, fields))
            return { end in
                var event = AuthEvent(.requestEnded, at: effects.clock.now, fields)
                event[.milliseconds] = String((effects.clock.uptime - start).milliseconds)
                switch end {
                case .answered(let status, let bytes):
                    event[.outcome] = "ok"
                    event[.status] = String(status)
                    event[.bytes] = String(bytes)
                case .failed(let code): event[.outcome] = code
                }
                effects.events(event)
            }
        }
    }

    private func milliseconds(since start: Duration) -> String { String((effects.clock.uptime - start).milliseconds) }
}

/// Numbers the requests of one call.
private final class RequestCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
