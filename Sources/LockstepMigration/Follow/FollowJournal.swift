/// What following the source needs of a journal.
///
/// As in ``MoveJournal``, a call that writes returns when its rows are on the disk.
public protocol FollowJournal: Sendable {
    /// Begins a pass, in which no user of the source was seen yet.
    func beginPass() async throws(MigrationError)

    /// Notes that the source still has users.
    func notePresent(_ numbers: [Int]) async throws(MigrationError)

    /// Returns users by their ids at the source.
    func followed(sourceIDs ids: [String]) async throws(MigrationError) -> [FollowedUser]

    /// Returns users who were carried over and whom the pass has not seen, in the order of their numbers.
    func absent(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser]

    /// Returns users whose change may have been sent, in the order of their numbers.
    func changing(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser]

    /// Notes that changes of users are about to be sent.
    func intendChanges(_ changes: [ChangeIntent]) async throws(MigrationError)

    /// Notes what became of changes.
    func settleChanges(_ changes: [ChangeSettlement]) async throws(MigrationError)

    /// Notes users who are new on the source, with what happens to them; users who were not carried over are planned again.
    ///
    /// - Throws: `collision` if the id at the target is another user's.
    func add(_ users: [PlannedUser]) async throws(MigrationError)

    /// Notes that users have gone from the source or the target.
    ///
    /// - Parameters:
    ///   - numbers: The users.
    ///   - side: The side that they have gone from, `source` or `target`.
    func bury(_ numbers: [Int], goneFrom side: String) async throws(MigrationError)
}

/// A user as the journal has it, with what was carried over last.
public struct FollowedUser: Sendable {
    let row: JournalUser
    /// What was carried over; `nil` if that is not known.
    let carried: CarriedUser?
    /// The change that may have been sent; `nil` for none.
    let intent: ChangeIntent?
}

/// An intent to change a user of the target.
public struct ChangeIntent: Sendable {
    let number: Int
    /// The digest of the record that the user will have.
    let digest: [UInt8]
    /// What is carried over with the change.
    let carried: CarriedUser
}

/// What became of the change of a user.
public struct ChangeSettlement: Sendable {
    /// A change that was made.
    struct Made: Sendable {
        let digest: [UInt8]
        let carried: CarriedUser
    }

    let number: Int
    /// What was changed; `nil` if nothing was.
    let made: Made?
}
