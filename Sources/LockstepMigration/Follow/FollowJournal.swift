/// The functions of a journal that are needed to follow changes of the source.
///
/// A call that writes does not return until its rows are on the disk, as for ``MoveJournal``.
public protocol FollowJournal: Sendable {
    /// Begins a pass over the source.
    ///
    /// At the beginning of a pass, no user is marked as seen.
    ///
    /// - Throws: `journal` if the pass cannot be written.
    func beginPass() async throws(MigrationError)

    /// Records users whom the source still has.
    ///
    /// - Parameter numbers: The numbers that the journal gives to the users.
    /// - Throws: `journal` if the users cannot be written.
    func notePresent(_ numbers: [Int]) async throws(MigrationError)

    /// Returns the users with the given ids on the source.
    ///
    /// - Parameter ids: The ids on the source.
    /// - Returns: The users whom the journal contains.
    /// - Throws: `journal` if the users cannot be read.
    func followed(sourceIDs ids: [String]) async throws(MigrationError) -> [FollowedUser]

    /// Returns users who were copied but not seen in this pass, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: The last number to skip; only users with a higher number are returned.
    ///   - limit: The maximum number of users.
    /// - Returns: The users.
    /// - Throws: `journal` if the users cannot be read.
    func absent(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser]

    /// Returns users for whom a change may have been sent, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: The last number to skip; only users with a higher number are returned.
    ///   - limit: The maximum number of users.
    /// - Returns: The users.
    /// - Throws: `journal` if the users cannot be read.
    func changing(after number: Int, limit: Int) async throws(MigrationError) -> [FollowedUser]

    /// Records changes to users before the run sends them.
    ///
    /// - Parameter changes: The changes.
    /// - Throws: `journal` if the changes cannot be written.
    func intendChanges(_ changes: [ChangeIntent]) async throws(MigrationError)

    /// Records the outcomes of changes to users.
    ///
    /// - Parameter changes: The outcomes.
    /// - Throws: `journal` if the outcomes cannot be written.
    func settleChanges(_ changes: [ChangeSettlement]) async throws(MigrationError)

    /// Records the plan for users who are new on the source.
    ///
    /// Users who were not copied are planned again.
    ///
    /// - Parameter users: The users.
    /// - Throws: `collision` if another user already has the id on the target; `journal`.
    func add(_ users: [PlannedUser]) async throws(MigrationError)

    /// Records that users were deleted from the source or from the target.
    ///
    /// - Parameters:
    ///   - numbers: The numbers that the journal gives to the users.
    ///   - side: Where they were deleted: `source` or `target`.
    /// - Throws: `MigrationError`.
    func bury(_ numbers: [Int], goneFrom side: String) async throws(MigrationError)
}

/// A user in the journal, with digests of the data that was last copied.
public struct FollowedUser: Sendable {
    let row: JournalUser
    /// The values that were copied; `nil` if they are unknown.
    let carried: CarriedUser?
    /// The change that may have been sent; `nil` if no change was sent.
    let intent: ChangeIntent?
}

/// A change to a user that the run will send to the target.
public struct ChangeIntent: Sendable {
    let number: Int
    /// The digest of the record that the user will have.
    let digest: [UInt8]
    /// The values that the change copies.
    let carried: CarriedUser
}

/// The outcome of a change to a user.
public struct ChangeSettlement: Sendable {
    /// A change that was made.
    struct Made: Sendable {
        let digest: [UInt8]
        let carried: CarriedUser
    }

    let number: Int
    /// The values that were changed; `nil` if nothing was changed.
    let made: Made?
}
