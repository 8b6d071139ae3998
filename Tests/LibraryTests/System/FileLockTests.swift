import Foundation
import LockstepSystem
import Synchronization
import Testing

@Suite struct FileLockTests {
    @Test func secondHolderWaitsForTheFirst() throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let lock = FileLock(path: folder + "/lock")
        let first = try #require(try lock.tryAcquire())
        #expect(try !lock.isFree)
        first.release()
        first.release()
        #expect(try lock.isFree)
    }

    @Test func droppedHoldIsReleased() throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let lock = FileLock(path: folder + "/lock")
        do { _ = try lock.tryAcquire() }
        #expect(try lock.isFree)
    }

    #if os(Linux)
    /// A forked child has a copy of each descriptor until it executes its program.
    @Test(arguments: [true, false]) func copiedDescriptorDoesNotKeepTheLock(isReleased: Bool) throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let lock = FileLock(path: folder + "/lock")
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        do {
            let hold = try #require(try lock.tryAcquire())
            let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            copies = numbers.compactMap { number in
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return file == folder + "/lock" ? Int32(number).map { dup($0) } : nil
            }
            #expect(!copies.isEmpty)
            #expect(try !lock.isFree)
            if isReleased { hold.release() }
        }
        #expect(try lock.isFree)
    }
    #endif

    @Test func removedLockFileAdmitsOneHolder() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let lock = FileLock(path: folder + "/lock", isRemoved: true)
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await BlockingThread.run {
                        for _ in 0..<100 {
                            let hold = try lock.acquireBlocking()
                            room.enter()
                            room.leave()
                            hold.release()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(room.most == 1)
        #expect(try Folder.names(folder).isEmpty)
    }

    @Test func blockingAcquireWaitsForTheLock() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let lock = FileLock(path: folder + "/lock")
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await BlockingThread.run {
                        for _ in 0..<50 {
                            let hold = try lock.acquireBlocking()
                            room.enter()
                            room.leave()
                            hold.release()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(room.most == 1)
    }

    private final class Room: Sendable {
        private let state = Mutex((inside: 0, most: 0))

        func enter() {
            state.withLock { state in
                state.inside += 1
                state.most = max(state.most, state.inside)
            }
        }

        func leave() { state.withLock { $0.inside -= 1 } }

        var most: Int { state.withLock { $0.most } }
    }
}

extension FileLock {
    fileprivate var isFree: Bool {
        get throws { try tryAcquire() != nil }
    }
}
