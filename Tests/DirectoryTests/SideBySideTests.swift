import LockstepDirectoryContracts
import LockstepTestConcurrency
import Synchronization
import Testing

/// Batches of backends with one request for each user.
@Suite(.limitedConcurrency) struct SideBySideTests {
    /// Counts running calls, and lets them end in any order.
    private final class CallCounter: Sendable {
        private let state = Mutex<(begun: [Int], underWay: Int, most: Int)>(([], 0, 0))
        var begun: [Int] { state.withLock(\.begun) }
        var most: Int { state.withLock(\.most) }

        func run(_ number: Int) async {
            state.withLock {
                $0.begun.append(number)
                $0.underWay += 1
                $0.most = max($0.most, $0.underWay)
            }
            for _ in 0..<((number * 7) % 5 + 3) { await Task.yield() }
            state.withLock { $0.underWay -= 1 }
        }
    }

    @Test func outcomesKeepTheirOrderAtTheGivenWidth() async {
        let calls = CallCounter()
        let outcomes = await DirectoryOutcome.all(of: Array(0..<50), width: 4, marks: { _ in [] }) { number throws(AuthError) in
            await calls.run(number)
            if number % 10 == 3 { throw AuthError(.emailAlreadyInUse, "\(number)") }
            return "\(number)"
        }
        #expect((2...4).contains(calls.most))
        for (number, outcome) in outcomes.enumerated() {
            switch outcome {
            case .done(let id): #expect(id == "\(number)" && number % 10 != 3)
            case .refused(let error): #expect(error.message == "\(number)" && number % 10 == 3)
            default: Issue.record("\(outcome)")
            }
        }
    }

    /// After a lost response no call starts, and each started call has its own outcome.
    ///
    /// All calls from the thirteenth on are lost. The number of started calls does not depend on how soon the first loss is
    /// seen.
    @Test func lostResponseEndsTheBatchAndLosesNoOther() async {
        let calls = CallCounter()
        let outcomes = await DirectoryOutcome.all(of: Array(0..<50), width: 4, marks: { _ in [] }) { number throws(AuthError) in
            await calls.run(number)
            if number == 10 || number > 11 { throw AuthError(.network, "lost") }
            return "\(number)"
        }
        let begun = Set(calls.begun)
        #expect(begun.count <= 12 + 4)
        for (number, outcome) in outcomes.enumerated() {
            switch outcome {
            case .done: #expect(begun.contains(number))
            case .notSent: #expect(!begun.contains(number))
            default: #expect(begun.contains(number) && (number == 10 || number > 11))
            }
        }
    }

    /// Two users with one address run one after the other, so the first is created and the second rejected.
    @Test func elementsThatExcludeEachOtherRunInOrder() async {
        let ledger = Ledger()
        let names = ["a", "b", "a", "c", "a", "b"]
        let outcomes = await DirectoryOutcome.all(of: Array(names.enumerated()).map { "\($0.offset)\($0.element)" }, width: 6) {
            [String($0.suffix(1))]
        } _: { name throws(AuthError) in
            for _ in 0..<5 { await Task.yield() }
            guard ledger.add(name) else { throw AuthError(.emailAlreadyInUse, "taken") }
            return name
        }
        #expect(outcomes.map { $0.error == nil } == [true, true, false, true, false, false])
    }

    @Test func cancelledBatchReportsUnsentUsers() async {
        let calls = CallCounter()
        let batch = Task {
            await DirectoryOutcome.all(of: Array(0..<20), width: 2, marks: { _ in [] }) { number throws(AuthError) in
                await calls.run(number)
                while !Task.isCancelled { await Task.yield() }
                throw .cancelled
            }
        }
        while calls.begun.count < 2 { await Task.yield() }
        batch.cancel()
        let outcomes = await batch.value
        #expect(outcomes.count == 20 && calls.begun.count == 2)
        #expect(outcomes.allSatisfy { $0.error?.code == .cancelled })
    }
}

/// The created users.
private final class Ledger: Sendable {
    private let names = Mutex<[String]>([])

    /// Returns whether there was no user with the same letter.
    func add(_ name: String) -> Bool {
        names.withLock { list in
            defer { list.append(name) }
            return !list.contains { $0.hasSuffix(name.suffix(1)) }
        }
    }
}
