import LockstepPrimitives
import LockstepTokens
import Synchronization
import Testing

@Suite struct LazySigningKeyTests {
    @Test func makesOneKeyForAll() async throws {
        let count = Mutex(0)
        let lazy = LazySigningKey(on: globalConcurrentExecutor) {
            count.withLock { $0 += 1 }
            return try SigningKey.makeEd25519(id: "one", randomness: SystemRandomness())
        }
        #expect(lazy.current == nil)
        #expect(count.withLock { $0 } == 0)
        lazy.prepare()
        let pems = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await lazy.key().verificationKey.pem } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(pems.count == 1)
        #expect(lazy.current?.id == "one")
        #expect(count.withLock { $0 } == 1)
    }

    @Test func triesAgainAfterAFailure() async throws {
        struct Mishap: Error {}
        let count = Mutex(0)
        let lazy = LazySigningKey(on: globalConcurrentExecutor) {
            let attempt = count.withLock { count in
                count += 1
                return count
            }
            guard attempt > 1 else { throw Mishap() }
            return .secret("made at the second attempt")
        }
        await #expect(throws: Mishap.self) { try await lazy.key() }
        #expect(try await lazy.key().algorithm == .hs256)
        #expect(try await lazy.key().algorithm == .hs256)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func aKeyThatIsThereNeedsNoMaking() async throws {
        let lazy = LazySigningKey(.secret("there", id: "x"), on: globalConcurrentExecutor)
        #expect(lazy.current?.id == "x")
        #expect(try await lazy.key().id == "x")
    }
}
