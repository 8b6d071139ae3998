import LockstepMigration
import LockstepSystem
import Synchronization

/// A journal that prints a line for each of its writes, and can end its process at one of them.
final class ToldJournal: MoveJournal {
    /// When the process ends: just before the rows of a write are on the disk, or just after.
    enum Moment: String, CaseIterable, Sendable { case before, after }

    private let journal: SQLiteJournal
    private let end: (write: Int, moment: Moment)?
    private let writes = Mutex(0)

    init(_ journal: SQLiteJournal, endingAt write: Int? = nil, _ moment: Moment = .before) {
        self.journal = journal
        end = write.map { ($0, moment) }
    }

    /// The status of a process that its journal has ended.
    static let status: Int32 = 9

    private func write<Value: Sendable>(_ body: () async throws(MigrationError) -> Value) async throws(MigrationError) -> Value {
        let number = writes.withLock { number in
            number += 1
            return number
        }
        if let end, end == (number, .before) { CurrentProcess.exit(Self.status) }
        let value = try await body()
        if let end, end == (number, .after) { CurrentProcess.exit(Self.status) }
        try? StandardStream.output.write("write\n")
        return value
    }

    func head() async throws(MigrationError) -> RunHead? { try await journal.head() }
    func begin(_ head: RunHead) async throws(MigrationError) { try await journal.begin(head) }
    func note(_ users: [TargetUser]) async throws(MigrationError) { try await journal.note(users) }
    func plan(_ users: [PlannedUser]) async throws(MigrationError) { try await journal.plan(users) }
    func settlePlan() async throws(MigrationError) -> [PlanCount] { try await journal.settlePlan() }
    func finishPlan(_ summary: String) async throws(MigrationError) { try await journal.finishPlan(summary) }
    func users(in states: Set<UserState>, after number: Int, limit: Int) async throws(MigrationError) -> [JournalUser] {
        try await journal.users(in: states, after: number, limit: limit)
    }
    func users(sourceIDs ids: [String]) async throws(MigrationError) -> [JournalUser] { try await journal.users(sourceIDs: ids) }
    func users(targetIDs ids: [String]) async throws(MigrationError) -> [JournalUser] { try await journal.users(targetIDs: ids) }
    func intend(_ users: [Intent]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.intend(users) }
    }
    func settle(_ users: [Settlement]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.settle(users) }
    }
    func intendRemoval(_ numbers: [Int]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.intendRemoval(numbers) }
    }
    func settleRemoval(_ users: [(number: Int, removal: Removal?)]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.settleRemoval(users) }
    }
    func beginVerification() async throws(MigrationError) { try await journal.beginVerification() }
    func unseen(after number: Int, limit: Int) async throws(MigrationError) -> [JournalUser] {
        try await journal.unseen(after: number, limit: limit)
    }
    func counts() async throws(MigrationError) -> [UserState: Int] { try await journal.counts() }
}

extension ToldJournal {
    func beginPass() async throws(MigrationError) { try await journal.beginPass() }
    func notePresent(_ numbers: [Int]) async throws(MigrationError) { try await journal.notePresent(numbers) }
    func followed(sourceIDs ids: [String]) async throws(MigrationError) -> [FollowedUser] {
        try await journal.followed(sourceIDs: ids)
    }
    func absent(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser] {
        try await journal.absent(after: number, limit: limit)
    }
    func changing(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser] {
        try await journal.changing(after: number, limit: limit)
    }
    func intendChanges(_ changes: [ChangeIntent]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.intendChanges(changes) }
    }
    func settleChanges(_ changes: [ChangeSettlement]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.settleChanges(changes) }
    }
    func add(_ users: [PlannedUser]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.add(users) }
    }
    func bury(_ numbers: [Int], goneFrom side: String) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.bury(numbers, goneFrom: side) }
    }
}
