import Foundation
import LockstepSystem
import Testing

@Suite struct ThreadExecutorTests {
    actor Counter {
        let executor: ThreadExecutor
        var threads: Set<ObjectIdentifier> = []
        var count = 0

        init() throws { executor = try ThreadExecutor() }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

        func step() -> Int {
            threads.insert(ObjectIdentifier(Thread.current))
            count += 1
            return count
        }
    }

    @Test func actorRunsOnTheExecutorsThread() async throws {
        let counter = try Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = await counter.step() } }
        }
        #expect(await counter.count == 200)
        #expect(await counter.threads.count == 1)
    }

    @Test func taskRunsOnTheExecutorsThread() async throws {
        let executor = try ThreadExecutor()
        let outside = await currentThread()
        let inside = await withTaskExecutorPreference(executor) { await currentThread() }
        #expect(outside != inside)
    }

    @Test func blockingWorkDoesNotBlockThePool() async throws {
        let first = try await BlockingThread.run { 1 }
        await #expect(throws: SystemError.self) {
            try await BlockingThread.run { throw SystemError(SystemError.timedOut, "try") }
        }
        #expect(first == 1)
    }
}

@concurrent private func currentThread() async -> ObjectIdentifier { thread() }

private func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
