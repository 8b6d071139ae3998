/// The journal of a run, which stores only ids, digests and states of its users.
///
/// A call that writes returns when its rows are on disk. Each call is one transaction. Each request is recorded before it is
/// sent.
public protocol MoveJournal: FollowJournal, CanaryJournal {
    /// Returns the source and the target of the run; `nil` before it is planned.
    func head() async throws(MigrationError) -> RunHead?

    /// Binds the run to a source and a target, and deletes its users.
    func begin(_ head: RunHead) async throws(MigrationError)

    /// Records users who were on the target before the run.
    func note(_ users: [TargetUser]) async throws(MigrationError)

    /// Records users of the source with their mapping.
    ///
    /// - Parameter users: The users, in the source's order.
    /// - Throws: `MigrationError`.
    func plan(_ users: [PlannedUser]) async throws(MigrationError)

    /// Compares all users of the source with each other and with those of the target: a value that must be unique is the first user's.
    ///
    /// - Returns: How many users of each shape the journal has settled in which way.
    /// - Throws: `count` if the source has returned a user twice; `collision` if two users of the source have one id at the target.
    func settlePlan() async throws(MigrationError) -> [PlanCount]

    /// Records that the plan is complete.
    ///
    /// - Parameter summary: The plan, as ``PlanSummary`` writes it.
    /// - Throws: `MigrationError`.
    func finishPlan(_ summary: String) async throws(MigrationError)

    /// Returns users in the order of their numbers.
    ///
    /// - Parameters:
    ///   - states: The states that are wanted.
    ///   - number: Only users with a higher number.
    ///   - limit: The largest number of users.
    /// - Returns: The users in the order of their numbers.
    /// - Throws: `MigrationError`.
    func users(in states: Set<UserState>, after number: Int, limit: Int) async throws(MigrationError) -> [JournalUser]

    /// Returns users by their ids on the source.
    func users(sourceIDs ids: [String]) async throws(MigrationError) -> [JournalUser]

    /// Returns users by their ids on the target.
    func users(targetIDs ids: [String]) async throws(MigrationError) -> [JournalUser]

    /// Records that requests for users are about to be sent.
    func intend(_ users: [Intent]) async throws(MigrationError)

    /// Records the outcomes for users.
    func settle(_ users: [Settlement]) async throws(MigrationError)

    /// Records that users are about to be deleted.
    func intendRemoval(_ numbers: [Int]) async throws(MigrationError)

    /// Notes what became of users in an undo; `nil` takes back an intent of which nothing was sent.
    func settleRemoval(_ users: [(number: Int, removal: Removal?)]) async throws(MigrationError)

    /// Returns the number of users in each state.
    func counts() async throws(MigrationError) -> [UserState: Int]
}

/// The source and the target of a run.
public struct RunHead: Sendable, Hashable {
    /// The name and the project of the source.
    public var source: String
    /// The name and the project of the target.
    public var target: String
    /// The way the target is read and written.
    public var access: MoveTarget.Access
    /// The plan in the format of ``PlanSummary``; `nil` until it is complete.
    public var plan: String?

    /// The source and the target of a run.
    ///
    /// - Parameters:
    ///   - source: The name and the project of the source.
    ///   - target: The name and the project of the target.
    ///   - access: The way the target is read and written.
    ///   - plan: The plan; `nil` until it is complete.
    public init(source: String, target: String, access: MoveTarget.Access = .api, plan: String? = nil) {
        self.source = source
        self.target = target
        self.access = access
        self.plan = plan
    }
}

/// A user who was on the target before the run.
public struct TargetUser: Sendable {
    let id: String
    let digest: [UInt8]
    let claims: [Claim]
}

/// A value that must be unique on the target.
public struct Claim: Sendable, Hashable {
    enum Kind: Int, Sendable { case address, number, identity }

    /// The number of bytes of the digest that tell two values apart: of more the plan would only sort more.
    static let digestSize = 16

    let kind: Kind
    let digest: [UInt8]
}

/// The plan for a user of the source.
public struct PlannedUser: Sendable {
    let sourceID: String
    let targetID: String
    let state: UserState
    let reason: UserReason?
    let digest: [UInt8]
    /// What the run would carry over of the user.
    var carried: CarriedUser?
    let claims: [Claim]
    /// The number of the user's ``PlanShape``.
    var shape = 0
}

/// An intent to create a user.
public struct Intent: Sendable {
    let number: Int
    let digest: [UInt8]
    /// The last sign-in that is written, in milliseconds since 1970.
    var signedIn: Int64?
    /// What is carried over of the user.
    var carried: CarriedUser?
}

/// The outcome for a user.
public struct Settlement: Sendable {
    /// The user's number in the journal.
    public let number: Int
    /// The state.
    public let state: UserState
    /// The reason: a name from a fixed list, or an error code.
    public let reason: String?

    init(_ number: Int, _ state: UserState, _ reason: String? = nil) {
        self.number = number
        self.state = state
        self.reason = reason
    }
}

/// A user in the journal.
public struct JournalUser: Sendable {
    /// The position in the order of the source.
    public let number: Int
    /// The id on the source.
    public let sourceID: String
    /// The id on the target.
    public let targetID: String
    /// The state of the user.
    public let state: UserState
    /// The reason for the state.
    public let reason: String?
    /// The digest of the record that was or will be written.
    public let digest: [UInt8]
    /// The result of an undo.
    public let removal: Removal?
    /// The last sign-in that the run has written, in milliseconds since 1970.
    ///
    /// A different value means a sign-in on the target.
    public let signedIn: Int64?
    /// The source id of the user whose value this user duplicates.
    public let firstSourceID: String?
}
