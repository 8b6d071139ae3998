internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// A plan in numbers: what happens to the users, how they get in afterwards, what stays of their fields.
///
/// Its sums hold: the users read are those of all outcomes, and the users created those of all ways in.
public struct PlanSummary: Sendable, Hashable {
    /// How many users were read.
    public var read = 0
    /// How many users the project counts, after they were read; `nil` if it does not say.
    public var counted: Int?
    /// How many users the project counted before they were read; another number if users came or went meanwhile.
    public var countedBefore: Int?
    /// How many users are created.
    public var created = 0
    /// How many users are there already, as the run would write them.
    public var adopted = 0
    /// How many users the choices leave out, by reason.
    public var skipped: [UserReason: Int] = [:]
    /// How many users are rejected, by reason.
    public var refused: [UserReason: Int] = [:]
    /// How many of the users to create get in by each way.
    public var ways: [WayIn: Int] = [:]
    /// How many of them get in by each provider's page.
    public var providers: [String: Int] = [:]
    /// How many of them have a hash of each kind and cost.
    public var hashes: [String: Int] = [:]
    /// What happens to the fields of the users to create.
    public var fields: [FieldLine] = []
    /// The settings of the target that block users.
    public var obstacles: [MoveObstacle] = []
    /// The settings that matter and that the target does not show.
    public var unknown: [MoveSetting] = []
    /// The emails that the target has to send before users get in.
    public var emails = Emails()
    /// Whether new users can sign up at the source, so that it has more users later; `nil` if it does not show that.
    public var isSourceOpen: Bool?
    /// How the users are written, and what else that sets in motion.
    public var writing: Writing?
    /// The probe's address, shortened; `nil` if no probe was given.
    public var probe: String?

    /// What happens to one field.
    public struct FieldLine: Sendable, Hashable {
        /// The field.
        public let field: MoveField
        /// What happens to it.
        public let treatment: FieldTreatment
        /// Why.
        public let reason: FieldReason?
        /// Of how many users.
        public var count: Int
    }

    /// Emails by which users get in.
    public struct Emails: Sendable, Hashable {
        /// The target's name.
        public var sender = ""
        /// How many it sends in an hour; `nil` if that is not known.
        public var perHour: Int?
        /// Whether the target or the operator has said so; otherwise it is what is usual there.
        public var isTold = false

        /// How many hours it takes until each of so many users has one; `nil` if that is not known.
        public func hours(for users: Int) -> Int? { perHour.map { (users + $0 - 1) / max($0, 1) } }
    }

    /// The writing of the users.
    public struct Writing: Sendable, Hashable {
        /// The way in words, such as "by SQL".
        public var road: String
        /// About how many seconds it takes; `nil` if that is not known.
        public var seconds: Int?
        /// What else runs or is touched; `nil` if the target's key may not read it.
        public var effects: [MoveEffect]?
    }

    /// A plan for no users.
    public init() {}

    /// How many users are left out.
    public var skippedCount: Int { skipped.values.reduce(0, +) }
    /// How many users are rejected.
    public var refusedCount: Int { refused.values.reduce(0, +) }
    /// How many of the users to create need an email of the target before they get in.
    public var mailedCount: Int { ways.filter(\.key.needsMail).values.reduce(0, +) }

    /// Whether the sums hold.
    public var isConsistent: Bool {
        let counts = [counted, countedBefore].compactMap(\.self)
        let isCounted = counts.min().map { $0 <= read } ?? true && counts.max().map { read <= $0 } ?? true
        return read == created + adopted + skippedCount + refusedCount && isCounted && created == ways.values.reduce(0, +)
    }
}

// MARK: Counting

extension PlanSummary {
    /// Adds users of one shape whom the journal has settled alike.
    mutating func add(_ shape: PlanShape, _ count: PlanCount) {
        let users = count.users
        read += users
        switch count.state {
        case .planned:
            created += users
            ways[shape.way, default: 0] += users
            if let provider = shape.provider { providers[provider, default: 0] += users }
            if let kind = shape.hashKind { hashes[kind, default: 0] += users }
            for verdict in Set(shape.fields) { add(verdict, users) }
            for setting in shape.uses where !unknown.contains(setting) { unknown.append(setting) }
        case .adopted: adopted += users
        case .skipped: skipped[count.reason ?? .guest, default: 0] += users
        default: refused[count.reason ?? .serverError, default: 0] += users
        }
        // Users who are rejected because of a setting count for the setting.
        guard count.state == .planned || [.noWayIn, .valueMissing].contains(count.reason) else { return }
        for key in shape.obstacles { add(key, users) }
    }

    private mutating func add(_ verdict: FieldVerdict, _ users: Int) {
        let place = fields.firstIndex {
            $0.field == verdict.field && $0.treatment == verdict.treatment && $0.reason == verdict.reason
        }
        if let place {
            fields[place].count += users
        } else {
            fields.append(FieldLine(field: verdict.field, treatment: verdict.treatment, reason: verdict.reason, count: users))
        }
    }

    private mutating func add(_ key: MoveObstacle.Key, _ users: Int) {
        if let place = obstacles.firstIndex(where: { $0.kind == key.kind && $0.name == key.name }) {
            obstacles[place].users += users
        } else {
            obstacles.append(MoveObstacle(key, users: users))
        }
    }

    /// Brings the fields into the order of the table, the more users the earlier.
    mutating func sortFields() {
        let order = Dictionary(uniqueKeysWithValues: MoveField.allCases.enumerated().map { ($1, $0) })
        fields.sort {
            (order[$0.field] ?? 0, -$0.count, $0.treatment.rawValue, $0.reason?.rawValue ?? "")
                < (order[$1.field] ?? 0, -$1.count, $1.treatment.rawValue, $1.reason?.rawValue ?? "")
        }
    }

    /// Notes what the settings of both sides mean for all users together.
    ///
    /// - Parameters:
    ///   - demands: The settings of the target.
    ///   - target: The target.
    ///   - source: The settings of the source.
    ///   - present: How many users the target has already.
    mutating func note(_ demands: DirectoryDemands, of target: MoveTarget, source: DirectoryDemands, present: Int) {
        if let quota = demands.userQuota, present + created > quota {
            add(.init(.userQuota, Self.grouped(quota)), min(present + created - quota, created))
        }
        obstacles.sort { ($1.users, $0.kind.rawValue, $0.name ?? "") < ($0.users, $1.kind.rawValue, $1.name ?? "") }
        let told = demands.mailsPerHour ?? target.mailsPerHour
        emails = Emails(sender: target.title, perHour: told ?? target.usualMailsPerHour, isTold: told != nil)
        isSourceOpen = source.isSignUpOpen
        let isShown: [MoveSetting: Bool] = [
            .email: demands.email != nil, .phone: demands.phone != nil, .password: demands.password != nil,
            .providers: demands.providers != nil, .secondFactors: demands.secondFactors != nil,
            .userQuota: demands.userQuota != nil, .emailLimit: told != nil,
        ]
        let used = Set(unknown).union([.userQuota] + (mailedCount > 0 ? [.emailLimit] : []))
        unknown = MoveSetting.allCases.filter { used.contains($0) && isShown[$0] == false }
    }
}
