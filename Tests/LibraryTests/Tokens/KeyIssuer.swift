import LockstepPrimitives
import LockstepTokens
import Synchronization

/// An issuer that signs with one key at a time and publishes it.
final class Issuer: Sendable {
    private struct Outage: Error {}
    private struct State {
        var key: SigningKey?
        /// A key that no longer signs and is still published.
        var old: SigningKey?
        var generation = 0
        var count = 0
        var isBroken = false
    }
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    func breakDown(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    func withdrawTheOld() { state.withLock { $0.old = nil } }

    func rotate(keepingTheOld: Bool = false) throws {
        try state.withLock { state in
            state.generation += 1
            state.old = keepingTheOld ? state.key : nil
            state.key = try SigningKey.makeP256(id: "key-\(state.generation)")
        }
    }

    func token() throws -> String { try TokenWriter.sign(["iss": "issuer", "sub": "a"], with: key()) }

    func answer() throws -> [UInt8] {
        let isBroken = state.withLock { state in
            state.count += 1
            return state.isBroken
        }
        if isBroken { throw Outage() }
        let old = state.withLock { $0.old }
        return JSONWebKeySet(publishing: [try key()] + [old].compactMap(\.self)).json.bytes()
    }

    private func key() throws -> SigningKey {
        if let key = state.withLock({ $0.key }) { return key }
        try rotate()
        return try key()
    }
}

/// A fetch that hangs until it fails.
final class HangingFetch: Sendable {
    private struct Failed: Error {}
    private let (calls, calling) = AsyncStream<Void>.makeStream()
    private let waiting = Mutex<[CheckedContinuation<Void, any Error>]>([])

    func wait() async throws {
        try await withCheckedThrowingContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            calling.yield()
        }
    }

    func untilCalled() async {
        for await _ in calls { return }
    }

    func fail() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume(throwing: Failed()) }
    }
}
