@testable import LockstepMigration

extension MortalJournal {
    func beginPass() async throws(MigrationError) {
        try look()
        try await journal.beginPass()
    }
    func notePresent(_ numbers: [Int]) async throws(MigrationError) {
        try look()
        try await journal.notePresent(numbers)
    }
    func followed(sourceIDs ids: [String]) async throws(MigrationError) -> [FollowedUser] {
        try look()
        return try await journal.followed(sourceIDs: ids)
    }
    func absent(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser] {
        try look()
        return try await journal.absent(after: number, limit: limit)
    }
    func changing(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser] {
        try look()
        return try await journal.changing(after: number, limit: limit)
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
    func noteCanaries(_ ids: [String]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.noteCanaries(ids) }
    }
    func canaries() async throws(MigrationError) -> [String] {
        try look()
        return try await journal.canaries()
    }
    func forgetCanaries(_ ids: [String]) async throws(MigrationError) {
        try await write { () throws(MigrationError) in try await journal.forgetCanaries(ids) }
    }
}
