public import LockstepDirectory

/// The result of following the changes of the source; in a dry run, the expected result.
public struct FollowReport: Sendable, Hashable {
    /// The reason why the run leaves a user unchanged, at least in part.
    public enum Finding: String, Sendable, CaseIterable {
        /// The user was changed on both sides.
        case changedOnBothSides
        /// The target cannot change these values of the user.
        case notUpdatable
        /// The run has changed other values of the user, but the target cannot change these, or has rejected their change.
        case changedInPart
        /// The target rejected the change, the creation or the deletion of the user.
        case rejected
        /// The user was deleted on the source, and has signed in on the target since.
        case deletedButSignedIn
        /// The user was deleted on the source and changed on the target.
        case deletedButChanged
        /// The user was deleted on the source, but was already on the target before the run.
        case deletedButAdopted
        /// The user is new on the source, but the rules of the plan reject the user.
        case refused
        /// The user is on the target, but the rules of the plan now reject the user: a second factor was added, for example.
        case nowRefused
        /// The user was deleted on one side, so the run does not create the user again.
        case staysDeleted

        /// The reason as a sentence.
        public var sentence: String {
            switch self {
            case .changedOnBothSides: "changed on both sides"
            case .notUpdatable, .changedInPart: "the target cannot change"
            case .rejected: "the target rejected the request"
            case .deletedButSignedIn: "deleted on the source, but has signed in on the target"
            case .deletedButChanged: "deleted on the source, but changed on the target"
            case .deletedButAdopted: "deleted on the source, but was on the target before the run"
            case .refused: "new on the source, but rejected"
            case .nowRefused: "created before, but now rejected by the rules of the plan"
            case .staysDeleted: "deleted on one side, and not created again"
            }
        }

        /// Whether the target differs from the source for this reason.
        var isDifference: Bool { self != .staysDeleted }
    }

    /// A user whom the run leaves unchanged, at least in part.
    public struct Named: Sendable, Hashable {
        /// The id of the user on the source.
        public let sourceID: String
        /// The id of the user on the target; `nil` if the target has not made it.
        public let targetID: String?
        /// The reason why the user is left unchanged.
        public let finding: Finding
        /// The names of the values to which the reason applies, or a further reason.
        public let details: [String]
    }

    /// The number of passes.
    public var passes = 0
    /// The number of users that the last pass has read from the source.
    public var read = 0
    /// The number of created users; in a dry run, the number of users to create.
    public var created = 0
    /// The number of changed users; in a dry run, the number of users to change.
    public var changed = 0
    /// The number of deleted users; in a dry run, the number of users to delete.
    public var deleted = 0
    /// The users whom the last pass left unchanged, at most a thousand.
    public var named: [Named] = []
    /// For each reason, the number of users that the last pass left unchanged.
    public var findings: [Finding: Int] = [:]
    /// The tables on the target with rows that refer to the users to delete.
    public var references: [DirectoryReference] = []
    /// Whether the last pass found nothing more to do.
    public var isSettled = false
    /// The users of whom an earlier pass has changed a part.
    var changedInPart = NumberSet()

    /// The largest number of users that a report names.
    static let limit = 1000

    /// The number of created, changed and deleted users; in a dry run, the expected number.
    public var total: Int { created + changed + deleted }

    /// Whether the target now matches the source.
    public var isSuccess: Bool { isSettled && findings.allSatisfy { !$0.key.isDifference || $0.value == 0 } }

    /// Removes the users that the last pass has reported.
    ///
    /// Rejected users are reported only once.
    mutating func forgetFindings() {
        named.removeAll { $0.finding != .refused }
        findings = findings.filter { $0.key == .refused }
    }

    /// Removes the report that a user was rejected.
    mutating func forgetRefusal(of sourceID: String) {
        guard let place = named.firstIndex(where: { $0.sourceID.exact == sourceID.exact && $0.finding == .refused }) else {
            return
        }
        named.remove(at: place)
        findings[.refused] = (findings[.refused] ?? 1) - 1
    }

    mutating func name(_ row: JournalUser, _ finding: Finding, _ details: [String] = []) {
        name(sourceID: row.sourceID, targetID: row.targetID, finding, details)
    }

    mutating func name(sourceID: String, targetID: String?, _ finding: Finding, _ details: [String] = []) {
        findings[finding, default: 0] += 1
        guard named.count < Self.limit else { return }
        named.append(Named(sourceID: sourceID, targetID: targetID, finding: finding, details: details))
    }
}
