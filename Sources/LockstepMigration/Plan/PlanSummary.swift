internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// A plan in numbers.
///
/// The plan says how many users are created or left out, and how they sign in afterwards. The plan also says what happens to the
/// fields of the users. Each user that was read is created, adopted, skipped or refused, so these four numbers add up to
/// ``read``. The numbers in ``ways`` add up to ``created``.
public struct PlanSummary: Sendable, Hashable {
    /// The number of users that were read from the source.
    public var read = 0
    /// The number of users on the source, counted after the plan had read them; `nil` if the source cannot count.
    public var counted: Int?
    /// The number of users on the source, counted before the plan read them; `nil` if the source cannot count.
    ///
    /// The number differs from ``counted`` if users were added or deleted meanwhile.
    public var countedBefore: Int?
    /// The tenants of the source whose users are not in the plan; `nil` if the source does not show its tenants.
    public var tenants: [MoveTenant]? = []
    /// The sizes of the lists that the source has beside its users.
    public var lists: [ListCount] = []
    /// The users whom a file of the source names, although the source no longer has them.
    public var unlisted = Unlisted()
    /// The format of the file that is the source, with what it leaves out; `nil` for a backend.
    public var form: SourceForm?
    /// The number of users that the run will create.
    public var created = 0
    /// The number of users that are already on the target and already have the values that the run would write.
    public var adopted = 0
    /// For each reason, the number of users that the operator's choices leave out.
    public var skipped: [UserReason: Int] = [:]
    /// For each reason, the number of users that the plan rejects.
    public var refused: [UserReason: Int] = [:]
    /// The number of users to create, by the way in which they first sign in.
    public var ways: [WayIn: Int] = [:]
    /// The number of users to create who sign in with an identity provider, by provider.
    public var providers: [String: Int] = [:]
    /// The number of users to create who have a password hash, by the kind and cost of the hash.
    public var hashes: [String: Int] = [:]
    /// The treatment of each field of the users to create.
    public var fields: [FieldLine] = []
    /// The settings of the target that prevent users from being created or from signing in.
    public var obstacles: [MoveObstacle] = []
    /// The settings that matter for this plan, but that the target does not return.
    public var unknown: [MoveSetting] = []
    /// The emails that the target must send before all users can sign in.
    public var emails = Emails()
    /// Whether new users can still sign up on the source; `nil` if the source does not say.
    public var isSourceOpen: Bool?
    /// The way in which users are written, the time that this takes, and its side effects.
    public var writing: Writing?
    /// The email address of the known account, shortened; `nil` if no known account was given.
    public var probe: String?

    /// The treatment of one field.
    public struct FieldLine: Sendable, Hashable {
        /// The field.
        public let field: MoveField
        /// The treatment of the field.
        public let treatment: FieldTreatment
        /// The reason; `nil` if the field is copied unchanged.
        public let reason: FieldReason?
        /// The number of users to whom this treatment applies.
        public var count: Int
    }

    /// The emails that the target must send before all users can sign in.
    public struct Emails: Sendable, Hashable {
        /// The name of the target.
        public var sender = ""
        /// The number of emails that the target sends per hour; `nil` if unknown.
        public var perHour: Int?
        /// Whether the target or the operator has stated the number.
        ///
        /// If `false`, the number is the default of this kind of target.
        public var isTold = false

        /// Returns the number of hours that the target needs to send an email to each user.
        ///
        /// - Parameter users: The number of users.
        /// - Returns: The hours; `nil` if the number of emails per hour is unknown.
        public func hours(for users: Int) -> Int? { perHour.map { users / max($0, 1) + (users % max($0, 1) == 0 ? 0 : 1) } }
    }

    /// The way in which users are written, the time that this takes, and its side effects.
    public struct Writing: Sendable, Hashable {
        /// The way in which users are written, as a part of a sentence, such as "by SQL".
        public var road: String
        /// The minimum time in seconds; `nil` if unknown.
        ///
        /// Reading the users for the plan took this time, and the run reads them again. How fast the target writes is unknown,
        /// because a plan must not write test users.
        public var seconds: Int?
        /// The side effects; `nil` if the target's key does not allow reading them.
        public var effects: [MoveEffect]?
        /// A sentence about a way of writing that takes more values; `nil` if there is none.
        public var otherWay: String?
        /// A sentence about what slows the first sign-ins on the target; `nil` for nothing.
        public var firstSignIns: String?
    }

    /// The largest number of users that a plan can have.
    static let mostUsers = Int64(1) << 40

    /// Creates a plan without users.
    public init() {}

    /// The number of users that are left out because of the operator's choices.
    public var skippedCount: Int { skipped.values.reduce(0, +) }
    /// The number of users that the plan rejects.
    public var refusedCount: Int { refused.values.reduce(0, +) }
    /// The number of users to create who need an email from the target before they can sign in.
    public var mailedCount: Int { ways.filter(\.key.needsMail).values.reduce(0, +) }

    /// Whether the numbers are consistent.
    public var isConsistent: Bool {
        let counts = [counted, countedBefore].compactMap(\.self)
        let isCounted = counts.min().map { $0 <= read } ?? true && counts.max().map { read <= $0 } ?? true
        return read == created + adopted + skippedCount + refusedCount && isCounted && created == ways.values.reduce(0, +)
    }
}

// MARK: Counting

extension PlanSummary {
    /// Adds users with the same shape and the same outcome.
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
        case .skipped: skipped[count.reason ?? .anonymousUser, default: 0] += users
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

    /// Sorts the fields by the order of the table, and by their number of users.
    mutating func sortFields() {
        let order = Dictionary(uniqueKeysWithValues: MoveField.allCases.enumerated().map { ($1, $0) })
        fields.sort {
            (order[$0.field] ?? 0, -$0.count, $0.treatment.rawValue, $0.reason?.rawValue ?? "")
                < (order[$1.field] ?? 0, -$1.count, $1.treatment.rawValue, $1.reason?.rawValue ?? "")
        }
    }

    /// Records the effects of both sides' settings on all users.
    ///
    /// - Parameters:
    ///   - demands: The settings of the target.
    ///   - target: The target.
    ///   - source: The settings of the source.
    ///   - present: The number of users that the target already has.
    mutating func note(_ demands: DirectoryDemands, of target: MoveTarget, source: DirectoryDemands, present: Int) {
        // A backend may count anything.
        let present = min(present, Int(Self.mostUsers))
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
