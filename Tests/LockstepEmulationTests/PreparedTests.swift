import LockstepEmulation
import LockstepTestConcurrency
import Synchronization
import Testing

@Suite(.limitedConcurrency) struct PreparedTests {
    private struct Mishap: Error {}

    @Test func valueIsPreparedOnce() async throws {
        let count = Mutex(0)
        let prepared = Prepared(on: Workers(count: 2)) {
            count.withLock { count in
                count += 1
                return count
            }
        }
        #expect(prepared.current == nil)
        #expect(count.withLock { $0 } == 0)
        prepared.prepare()
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await prepared.value } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(values == [1])
        #expect(prepared.current == 1)
        prepared.prepare()
        #expect(try await prepared.value == 1)
    }

    @Test func preparationIsRetriedAfterAFailure() async throws {
        let count = Mutex(0)
        let prepared = Prepared(on: Workers(count: 1)) {
            let attempt = count.withLock { count in
                count += 1
                return count
            }
            guard attempt > 1 else { throw Mishap() }
            return attempt
        }
        await #expect(throws: Mishap.self) { try await prepared.value }
        #expect(prepared.current == nil)
        #expect(try await prepared.value == 2)
        #expect(try await prepared.value == 2)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func givenValueNeedsNoPreparation() async throws {
        let prepared = Prepared("there", on: Workers(count: 1)) { throw Mishap() }
        #expect(prepared.current == "there")
        prepared.prepare()
        #expect(try await prepared.value == "there")
    }
}
