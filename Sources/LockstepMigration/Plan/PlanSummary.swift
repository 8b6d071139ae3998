internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// A plan in numbers: the outcomes for users, their sign-in methods afterwards, and the treatment of their fields.
///
/// The sums are consistent: the outcomes add up to the users read, and the sign-in methods to the users created.
public struct PlanSummary: Sendable, Hashable {
    /// The number of users that were read.
    public var read = 0
    /// The number of users that the project reports after reading; `nil` if it does not report one.
    public var counted: Int?
    /// The number of users that the project reported before reading.
    ///
    /// It differs if users were added or removed in the meantime.
    public var countedBefore: Int?
    /// The number of users to create.
    public var created = 0
    /// The number of users that already exist with the values that the run would write.
    public var adopted = 0
    /// The number of users that the choices leave out, by reason.
    public var skipped: [UserReason: Int] = [:]
    /// The number of rejected users, by reason.
    public var refused: [UserReason: Int] = [:]
    /// The number of users to create, by the method of their first sign-in.
    public var ways: [WayIn: Int] = [:]
    /// The number of them who sign in with each provider.
    public var providers: [String: Int] = [:]
    /// The number of them with each kind and cost of hash.
    public var hashes: [String: Int] = [:]
    /// The treatment of the fields of the users to create.
    public var fields: [FieldLine] = []
    /// The settings of the target that block users.
    public var obstacles: [MoveObstacle] = []
    /// The relevant settings that the target does not report.
    public var unknown: [MoveSetting] = []
    /// The emails that the target must send before users can sign in.
    public var emails = Emails()
    /// Whether new users can still sign up on the source; `nil` if it does not report that.
    public var isSourceOpen: Bool?
    /// The way users are written, and its side effects.
    public var writing: Writing?
    /// The probe's address, shortened; `nil` if no probe was given.
    public var probe: String?

    /// The treatment of one field.
    public struct FieldLine: Sendable, Hashable {
        /// The field.
        public let field: MoveField
        /// The treatment.
        public let treatment: FieldTreatment
        /// The reason.
        public let reason: FieldReason?
        /// The number of users.
        public var count: Int
    }

    /// The emails that users need to sign in.
    public struct Emails: Sendable, Hashable {
        /// The target's name.
        public var sender = ""
        /// The number of emails per hour; `nil` if unknown.
        public var perHour: Int?
        /// Whether the number comes from the target or the operator; otherwise it is the default.
        public var isTold = false

        /// Returns the hours until each of `users` users has an email; `nil` if unknown.
        public func hours(for users: Int) -> Int? { perHour.map { users / max($0, 1) + (users % max($0, 1) == 0 ? 0 : 1) } }
    }

    /// The writing of the users.
    public struct Writing: Sendable, Hashable {
        /// The way in words, such as "by SQL".
        public var road: String
        /// The least duration in seconds: reading the users took as long, and they are read again; `nil` if unknown.
        public var seconds: Int?
        /// The side effects; `nil` if the target's key does not allow reading them.
        public var effects: [MoveEffect]?
    }

    /// The largest number of users that a plan can have.
    static let mostUsers = Int64(1) << 40

    /// Creates a plan without users.
    public init() {}

    /// The number of users that are left out.
    public var skippedCount: Int { skipped.values.reduce(0, +) }
    /// The number of rejected users.
    public var refusedCount: Int { refused.values.reduce(0, +) }
    /// The number of users to create who need an email from the target before they can sign in.
    public var mailedCount: Int { ways.filter(\.key.needsMail).values.reduce(0, +) }

    /// Whether the sums are consistent.
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
