public import LockstepDirectory

/// What following the source has done, or would do.
public struct FollowReport: Sendable, Hashable {
    /// What a follow has found out about a user whom it leaves alone.
    public enum Finding: String, Sendable, CaseIterable {
        /// The user was changed on both sides.
        case changedOnBothSides
        /// The target cannot change these values of the user.
        case notUpdatable
        /// The target rejected the change, the creation or the deletion.
        case rejected
        /// The user was deleted on the source, and has signed in on the target since.
        case deletedButSignedIn
        /// The user was deleted on the source and changed on the target.
        case deletedButChanged
        /// The user was deleted on the source, and was on the target before the run.
        case deletedButAdopted
        /// The user is new on the source, and the plan's rules reject the user.
        case refused
        /// The user was deleted on one side, and is not created again.
        case staysDeleted

        /// The finding in words.
        public var sentence: String {
            switch self {
            case .changedOnBothSides: "changed on both sides"
            case .notUpdatable: "the target cannot change"
            case .rejected: "the target rejected the request"
            case .deletedButSignedIn: "deleted on the source, but has signed in on the target"
            case .deletedButChanged: "deleted on the source, but changed on the target"
            case .deletedButAdopted: "deleted on the source, but was on the target before the run"
            case .refused: "new on the source, but rejected"
            case .staysDeleted: "deleted on one side, and not created again"
            }
        }

        /// Whether the target differs from the source because of it.
        var isDifference: Bool { self != .staysDeleted }
    }

    /// A user whom a follow leaves alone.
    public struct Named: Sendable, Hashable {
        /// The id at the source.
        public let sourceID: String
        /// The id at the target.
        public let targetID: String
        /// What was found out.
        public let finding: Finding
        /// The values in question, or the reason, by their names.
        public let details: [String]
    }

    /// How many passes were made.
    public var passes = 0
    /// How many users the last pass has read.
    public var read = 0
    /// How many users were created, or would be.
    public var created = 0
    /// How many users were changed, or would be.
    public var changed = 0
    /// How many users were deleted, or would be.
    public var deleted = 0
    /// Users whom the last pass left alone, the first thousand.
    public var named: [Named] = []
    /// How many users the last pass left alone, by finding.
    public var findings: [Finding: Int] = [:]
    /// The tables of the target's whose rows refer to the users who would be deleted.
    public var references: [DirectoryReference] = []
    /// Whether the last pass found nothing to do.
    public var isSettled = false

    /// The largest number of users that a report names.
    static let limit = 1000

    /// How many users were created, changed and deleted, or would be.
    public var total: Int { created + changed + deleted }

    /// Whether the target is like the source.
    public var isSuccess: Bool { isSettled && findings.allSatisfy { !$0.key.isDifference || $0.value == 0 } }

    /// Forgets what the last pass has named; who was rejected is named once only.
    mutating func forgetFindings() {
        named.removeAll { $0.finding != .refused }
        findings = findings.filter { $0.key == .refused }
    }

    /// Forgets that a user was rejected.
    mutating func forgetRefusal(of sourceID: String) {
        guard let place = named.firstIndex(where: { $0.sourceID == sourceID && $0.finding == .refused }) else { return }
        named.remove(at: place)
        findings[.refused] = (findings[.refused] ?? 1) - 1
    }

    mutating func name(_ row: JournalUser, _ finding: Finding, _ details: [String] = []) {
        name(sourceID: row.sourceID, targetID: row.targetID, finding, details)
    }

    mutating func name(sourceID: String, targetID: String, _ finding: Finding, _ details: [String] = []) {
        findings[finding, default: 0] += 1
        guard named.count < Self.limit else { return }
        named.append(Named(sourceID: sourceID, targetID: targetID, finding: finding, details: details))
    }
}
