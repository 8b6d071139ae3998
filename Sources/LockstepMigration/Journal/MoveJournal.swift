/// The memory of a run: ids, digests and states of its users, and nothing else about them.
///
/// A call that writes returns when its rows are on the disk. Each is one transaction, and no request is sent before the intent to
/// send it was written.
public protocol MoveJournal: FollowJournal, CanaryJournal {
    /// Returns what the run is bound to; `nil` before it was planned.
    func head() async throws(MigrationError) -> RunHead?

    /// Binds the run, and empties it.
    func begin(_ head: RunHead) async throws(MigrationError)

    /// Notes users who are at the target before the run.
    func note(_ users: [TargetUser]) async throws(MigrationError)

    /// Notes users of the source with what the mapping makes of them.
    ///
    /// - Parameter users: The users, in the source's order.
    func plan(_ users: [PlannedUser]) async throws(MigrationError)

    /// Compares all users of the source with each other and with those of the target: a value that must be unique is the first user's.
    ///
    /// - Returns: How many users of each shape the journal has settled in which way.
    /// - Throws: `count` if the source has returned a user twice; `collision` if two users of the source have one id at the target.
    func settlePlan() async throws(MigrationError) -> [PlanCount]

    /// Notes that the plan is complete.
    ///
    /// - Parameter summary: The plan, as ``PlanSummary`` writes it.
    func finishPlan(_ summary: String) async throws(MigrationError)

    /// Returns users in the order of their numbers.
    ///
    /// - Parameters:
    ///   - states: The states that are wanted.
    ///   - number: Only users with a higher number.
    ///   - limit: The largest number of users.
    func users(in states: Set<UserState>, after number: Int, limit: Int) async throws(MigrationError) -> [JournalUser]

    /// Returns users by their ids at the source.
    func users(sourceIDs ids: [String]) async throws(MigrationError) -> [JournalUser]

    /// Returns users by their ids at the target.
    func users(targetIDs ids: [String]) async throws(MigrationError) -> [JournalUser]

    /// Notes that requests for users are about to be sent.
    func intend(_ users: [Intent]) async throws(MigrationError)

    /// Notes what became of users.
    func settle(_ users: [Settlement]) async throws(MigrationError)

    /// Notes that users are about to be deleted.
    func intendRemoval(_ numbers: [Int]) async throws(MigrationError)

    /// Notes what became of users in an undo; `nil` takes back an intent of which nothing was sent.
    func settleRemoval(_ users: [(number: Int, removal: Removal?)]) async throws(MigrationError)

    /// Begins a verification, in which no user was seen yet.
    func beginVerification() async throws(MigrationError)

    /// Returns users who were made and whom the verification has not seen.
    func unseen(after number: Int, limit: Int) async throws(MigrationError) -> [JournalUser]

    /// Returns how many users are in each state.
    func counts() async throws(MigrationError) -> [UserState: Int]
}

/// What a run is bound to.
public struct RunHead: Sendable, Hashable {
    /// The mark of the source.
    public var source: String
    /// The mark of the target.
    public var target: String
    /// How the target is read and written.
    public var access: MoveTarget.Access
    /// The plan as ``PlanSummary`` writes it; `nil` until it is complete.
    public var plan: String?

    /// What a run is bound to.
    ///
    /// - Parameters:
    ///   - source: The mark of the source.
    ///   - target: The mark of the target.
    ///   - access: How the target is read and written.
    ///   - plan: The plan; `nil` until it is complete.
    public init(source: String, target: String, access: MoveTarget.Access = .api, plan: String? = nil) {
        self.source = source
        self.target = target
        self.access = access
        self.plan = plan
    }
}

/// A user who is at the target before the run.
public struct TargetUser: Sendable {
    let id: String
    let digest: [UInt8]
    let claims: [Claim]
}

/// A value that one user of the target may have only.
public struct Claim: Sendable, Hashable {
    enum Kind: Int, Sendable { case address, number, identity }

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

/// An intent to make a user.
public struct Intent: Sendable {
    let number: Int
    let digest: [UInt8]
    /// The last sign-in that is written, in milliseconds since 1970.
    var signedIn: Int64?
    /// What is carried over of the user.
    var carried: CarriedUser?
}

/// What became of a user.
public struct Settlement: Sendable {
    /// The user's number in the journal.
    public let number: Int
    /// The state.
    public let state: UserState
    /// The reason, by a name of a closed list or a code of an error.
    public let reason: String?

    init(_ number: Int, _ state: UserState, _ reason: String? = nil) {
        self.number = number
        self.state = state
        self.reason = reason
    }
}

/// A user as the journal has it.
public struct JournalUser: Sendable {
    /// The place in the source's order.
    public let number: Int
    /// The id at the source.
    public let sourceID: String
    /// The id at the target.
    public let targetID: String
    /// How far the user is.
    public let state: UserState
    /// The reason of the state.
    public let reason: String?
    /// The digest of the record as it was written, or will be.
    public let digest: [UInt8]
    /// What an undo has noted.
    public let removal: Removal?
    /// The last sign-in that was written, in milliseconds since 1970: another one is a sign-in on the target.
    public let signedIn: Int64?
    /// The id at the source of the user who has the value that this one is a duplicate of.
    public let firstSourceID: String?
}
