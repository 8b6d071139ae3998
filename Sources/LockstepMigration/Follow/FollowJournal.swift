/// The part of a journal that following the source needs.
///
/// As in ``MoveJournal``, a call that writes returns when its rows are on disk.
public protocol FollowJournal: Sendable {
    /// Begins a pass: no user of the source was seen yet.
    func beginPass() async throws(MigrationError)

    /// Records users that the source still has.
    func notePresent(_ numbers: [Int]) async throws(MigrationError)

    /// Returns users by their ids on the source.
    func followed(sourceIDs ids: [String]) async throws(MigrationError) -> [FollowedUser]

    /// Returns users who were carried over but not seen in this pass, in the order of their numbers.
    func absent(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser]

    /// Returns users whose change may have been sent, in the order of their numbers.
    func changing(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser]

    /// Records that changes of users are about to be sent.
    func intendChanges(_ changes: [ChangeIntent]) async throws(MigrationError)

    /// Records the outcomes of changes.
    func settleChanges(_ changes: [ChangeSettlement]) async throws(MigrationError)

    /// Records the plan for users who are new on the source; users who were not carried over are planned again.
    ///
    /// - Throws: `collision` if the id at the target is another user's.
    func add(_ users: [PlannedUser]) async throws(MigrationError)

    /// Records that users were deleted from the source or the target.
    ///
    /// - Parameters:
    ///   - numbers: The users.
    ///   - side: The side that they have gone from, `source` or `target`.
    /// - Throws: `MigrationError`.
    func bury(_ numbers: [Int], goneFrom side: String) async throws(MigrationError)
}

/// A user in the journal, with the data that was carried over last.
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

/// The outcome of the change of a user.
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
