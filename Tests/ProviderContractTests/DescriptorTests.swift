import LockstepContracts
import LockstepHarnesses
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// An environment closes everything that it opens: servers, connections, transports.
@Suite(.limitedConcurrency)
struct DescriptorTests {
    @Test func environmentLeavesNoFileOpen() async {
        // In a separate process, because other tests open and close files at the same time.
        await #expect(processExitsWith: .success) {
            for harness in [FirebaseHarness(), GoTrueHarness(), ClerkHarness()] as [any Harness] {
                // The first environment opens the files that the process keeps.
                try await DescriptorTests.life(on: harness)
                let before = try #require(OpenFiles.count)
                for _ in 0..<40 { try await DescriptorTests.life(on: harness) }
                // A leak of one file per environment makes 40. A transport's thread closes its own files a moment after the last
                // reference has gone.
                let clock = SystemClock()
                let deadline = clock.uptime + .seconds(20)
                while OpenFiles.count ?? 0 >= before + 40, clock.uptime < deadline { await Task.yield() }
                #expect(OpenFiles.count ?? 0 < before + 40, "\(harness.name): \(before) before, \(OpenFiles.count ?? 0) after")
            }
        }
    }

    private static func life(on harness: any Harness) async throws {
        let contract = try #require(Catalog["sign-in.password.completes"])
        let verdict = await contract.check(on: harness, harness.variants[0]).verdict
        #expect(verdict == .kept)
    }
}
