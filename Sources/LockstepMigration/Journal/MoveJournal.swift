/// The journal of a run, which records what happens to each user.
///
/// The journal stores only ids, digests and states of users. Each call is one transaction. A call that writes does not return until its
/// rows are on the disk. A request is recorded before it is sent.
public protocol MoveJournal: FollowJournal, CanaryJournal {
    /// Returns the source and the target of the run.
    ///
    /// - Returns: The source and the target; `nil` before the run is planned.
    /// - Throws: `journal` if the source and the target cannot be read.
    func head() async throws(MigrationError) -> RunHead?

    /// Binds the run to a source and a target, and deletes all users from the journal.
    ///
    /// - Parameter head: The source and the target.
    /// - Throws: `journal` if the source and the target cannot be written.
    func begin(_ head: RunHead) async throws(MigrationError)

    /// Records users who are on the target before the run.
    ///
    /// - Parameter users: The users.
    /// - Throws: `journal` if the users cannot be written.
    func note(_ users: [TargetUser]) async throws(MigrationError)

    /// Records users of the source, with the plan for creating them on the target.
    ///
    /// - Parameter users: The users, in the order of the source.
    /// - Throws: `MigrationError`.
    func plan(_ users: [PlannedUser]) async throws(MigrationError)

    /// Returns the number of users of the target who have an external id that is not the id of a user of the source.
    ///
    /// Call it after all users were noted and planned, and before ``settlePlan()``.
    ///
    /// - Throws: `journal` if the users cannot be read.
    func foreignExternalIDs() async throws(MigrationError) -> Int

    /// Compares all users of the source with each other and with the users of the target.
    ///
    /// If several users have a value that must be unique, the first of them keeps it.
    ///
    /// - Returns: The number of users for each combination of properties and planned treatment.
    /// - Throws: `count` if the source has returned a user twice; `collision` if two users of the source have the same id on
    ///   the target.
    func settlePlan() async throws(MigrationError) -> [PlanCount]

    /// Records that the plan is complete.
    ///
    /// - Parameter summary: The plan, as ``PlanSummary`` writes it.
    /// - Throws: `MigrationError`.
    func finishPlan(_ summary: String) async throws(MigrationError)

    /// Returns users in the order of their numbers.
    ///
    /// - Parameters:
    ///   - states: The states of the users to return.
    ///   - number: The last number to skip; only users with a higher number are returned.
    ///   - limit: The maximum number of users.
    /// - Returns: The users.
    /// - Throws: `MigrationError`.
    func users(in states: Set<UserState>, after number: Int, limit: Int) async throws(MigrationError) -> [JournalUser]

    /// Returns the users with the given ids on the source.
    ///
    /// - Parameter ids: The ids on the source.
    /// - Returns: The users whom the journal contains.
    /// - Throws: `journal` if the users cannot be read.
    func users(sourceIDs ids: [String]) async throws(MigrationError) -> [JournalUser]

    /// Returns the users with the given ids on the target.
    ///
    /// - Parameter ids: The ids on the target.
    /// - Returns: The users whom the journal contains.
    /// - Throws: `journal` if the users cannot be read.
    func users(targetIDs ids: [String]) async throws(MigrationError) -> [JournalUser]

    /// Records requests that will create users.
    ///
    /// - Parameter users: The users.
    /// - Throws: `journal` if the users cannot be written.
    func intend(_ users: [Intent]) async throws(MigrationError)

    /// Records the outcomes of requests that create users.
    ///
    /// - Parameter users: The outcomes, one for each user.
    /// - Throws: `collision` if another user of the source already has an id that the target has made; `journal`.
    func settle(_ users: [Settlement]) async throws(MigrationError)

    /// Records that users will be deleted.
    ///
    /// - Parameter numbers: The numbers that the journal gives to the users.
    /// - Throws: `journal` if the users cannot be written.
    func intendRemoval(_ numbers: [Int]) async throws(MigrationError)

    /// Records the outcomes of an undo.
    ///
    /// - Parameter users: The users with their outcomes. `nil` means that no request was sent, so the record that the user will
    ///   be deleted is removed.
    /// - Throws: `journal` if the outcomes cannot be written.
    func settleRemoval(_ users: [(number: Int, removal: Removal?)]) async throws(MigrationError)

    /// Returns the number of users in each state.
    func counts() async throws(MigrationError) -> [UserState: Int]
}

/// The source and the target of a run.
public struct RunHead: Sendable, Hashable {
    /// The name of the provider and the project of the source.
    public var source: String
    /// The name of the provider and the project of the target.
    public var target: String
    /// The way in which the run reads and writes the target.
    public var access: MoveTarget.Access
    /// The plan, in the format of ``PlanSummary``; `nil` until the plan is complete.
    public var plan: String?

    /// Creates the description of a run's source and target.
    ///
    /// - Parameters:
    ///   - source: The name of the provider and the project of the source.
    ///   - target: The name of the provider and the project of the target.
    ///   - access: The way in which the run reads and writes the target.
    ///   - plan: The plan; `nil` until the plan is complete.
    public init(source: String, target: String, access: MoveTarget.Access = .api, plan: String? = nil) {
        self.source = source
        self.target = target
        self.access = access
        self.plan = plan
    }
}

/// A user who is on the target before the run.
public struct TargetUser: Sendable {
    let id: String
    /// The id in another system; `nil` for none.
    var externalID: String?
    let digest: [UInt8]
    let claims: [Claim]
}

/// A value that must be unique on the target.
public struct Claim: Sendable, Hashable {
    enum Kind: Int, Sendable { case address, number, identity, username }

    /// The number of bytes of a digest that distinguish two values.
    ///
    /// More bytes would only slow down the plan.
    static let digestSize = 16

    let kind: Kind
    let digest: [UInt8]
}

/// A user of the source, with the decision of the plan about the user.
public struct PlannedUser: Sendable {
    let sourceID: String
    /// The id on the target; `nil` until the target has made it.
    var targetID: String?
    let state: UserState
    let reason: UserReason?
    let digest: [UInt8]
    /// The values of the user that the run would copy.
    var carried: CarriedUser?
    let claims: [Claim]
    /// The number of the user's ``PlanShape``.
    var shape = 0
}

/// The record of a request that will create a user.
public struct Intent: Sendable {
    let number: Int
    let digest: [UInt8]
    /// The digests of the values between two requests; empty if one request creates the user.
    var stages: [[UInt8]] = []
    /// The time of the last sign-in to write, in milliseconds since 1970.
    var signedIn: Int64?
    /// The values of the user that are copied.
    var carried: CarriedUser?
}

/// The outcome for a user.
public struct Settlement: Sendable {
    /// The number that the journal gives to the user.
    public let number: Int
    /// The state of the user.
    public let state: UserState
    /// The reason for the state: a name from a fixed list, or an error code.
    public let reason: String?
    /// The id that the target has made for the user; `nil` if it is not known yet, or was known before.
    public let targetID: String?

    init(_ number: Int, _ state: UserState, _ reason: String? = nil, targetID: String? = nil) {
        self.number = number
        self.state = state
        self.reason = reason
        self.targetID = targetID
    }
}

/// A user in the journal.
public struct JournalUser: Sendable {
    /// The number of the user: the position in the order of the source.
    public let number: Int
    /// The id of the user on the source.
    public let sourceID: String
    /// The id of the user on the target; `nil` until the target has made it.
    public let targetID: String?
    /// The state of the user.
    public let state: UserState
    /// The reason for the state.
    public let reason: String?
    /// The digest of the values that the run has written or will write.
    public let digest: [UInt8]
    /// The digests of the values between two requests, if the run has sent several for the user.
    public let stages: [[UInt8]]
    /// The outcome of an undo for the user; `nil` if the user was not part of an undo.
    public let removal: Removal?
    /// The time of the last sign-in that the run has written, in milliseconds since 1970.
    ///
    /// If the target has a different time, the user has signed in there.
    public let signedIn: Int64?
    /// The source id of another user who has the same unique value and keeps it; `nil` if there is no such user.
    public let firstSourceID: String?
}
