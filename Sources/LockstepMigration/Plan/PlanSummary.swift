public import LockstepPrimitives

/// A plan in numbers: what becomes of the users, how they get in afterwards, what stays of their fields.
///
/// Its sums hold: the users read are those of all outcomes, and the users created those of all ways in.
public struct PlanSummary: Sendable, Hashable {
    /// How many users were read.
    public var read = 0
    /// How many users the project counts; `nil` if it does not say.
    public var counted: Int?
    /// How many users are created.
    public var created = 0
    /// How many users are there already, as the run would write them.
    public var adopted = 0
    /// How many users the choices leave out, by reason.
    public var skipped: [UserReason: Int] = [:]
    /// How many users are refused, by reason.
    public var refused: [UserReason: Int] = [:]
    /// How many of the users to create get in by each way.
    public var ways: [WayIn: Int] = [:]
    /// How many of them get in by each provider's page.
    public var providers: [String: Int] = [:]
    /// What becomes of the fields of the users to create.
    public var fields: [FieldLine] = []
    /// The probe's address, shortened; `nil` if no probe was given.
    public var probe: String?

    /// What becomes of one field.
    public struct FieldLine: Sendable, Hashable {
        /// The field.
        public let field: MoveField
        /// What becomes of it.
        public let treatment: FieldTreatment
        /// Why.
        public let reason: FieldReason?
        /// Of how many users.
        public var count: Int
    }

    /// A plan for no users.
    public init() {}

    /// How many users are left out.
    public var skippedCount: Int { skipped.values.reduce(0, +) }
    /// How many users are refused.
    public var refusedCount: Int { refused.values.reduce(0, +) }

    /// Whether the sums hold.
    public var isConsistent: Bool {
        read == created + adopted + skippedCount + refusedCount && counted.map { $0 == read } ?? true
            && created == ways.values.reduce(0, +)
    }

    /// Counts a user with what the journal has settled on.
    mutating func count(_ user: MappedUser, _ settlement: Settlement) {
        read += 1
        let reason = settlement.reason.flatMap(UserReason.init)
        switch settlement.state {
        case .planned:
            created += 1
            if let way = user.way { ways[way, default: 0] += 1 }
            if let provider = user.provider { providers[provider, default: 0] += 1 }
            for verdict in user.fields { count(verdict) }
        case .adopted: adopted += 1
        case .skipped: skipped[reason ?? .guest, default: 0] += 1
        default: refused[reason ?? .serverError, default: 0] += 1
        }
    }

    private mutating func count(_ verdict: FieldVerdict) {
        let place = fields.firstIndex {
            $0.field == verdict.field && $0.treatment == verdict.treatment && $0.reason == verdict.reason
        }
        if let place {
            fields[place].count += 1
        } else {
            fields.append(FieldLine(field: verdict.field, treatment: verdict.treatment, reason: verdict.reason, count: 1))
        }
    }
}

extension PlanSummary {
    /// The plan as JSON: what the journal keeps, and what a program reads.
    public var json: JSONObject {
        func counts<Key: RawRepresentable<String>>(_ values: [Key: Int]) -> JSON {
            .object(JSONObject(values.map { ($0.key.rawValue, .int(Int64($0.value))) }.sorted { $0.0 < $1.0 }))
        }
        let lines = fields.map { line -> JSON in
            [
                "field": .string(line.field.rawValue), "treatment": .string(line.treatment.rawValue),
                "reason": line.reason.map { .string($0.rawValue) } ?? .null, "users": .int(Int64(line.count)),
            ]
        }
        return [
            "read": .int(Int64(read)), "counted": counted.map { .int(Int64($0)) } ?? .null, "create": .int(Int64(created)),
            "adopt": .int(Int64(adopted)), "skip": counts(skipped), "refuse": counts(refused), "waysIn": counts(ways),
            "providers": .object(JSONObject(providers.sorted { $0.key < $1.key }.map { ($0.key, .int(Int64($0.value))) })),
            "fields": .array(lines), "probe": probe.map(JSON.string) ?? .null,
        ]
    }

    /// Reads a plan that ``json`` has written; `nil` for any other text.
    init?(journal text: String) {
        guard let object = (try? JSON.parse(Array(text.utf8)))?.object, let read = object["read"]?.int else { return nil }
        func counts<Key: RawRepresentable<String> & Hashable>(_ name: String, as type: Key.Type) -> [Key: Int] {
            var counts: [Key: Int] = [:]
            for (name, value) in object[name]?.object ?? [:] {
                if let key = Key(rawValue: name), let count = value.int { counts[key] = Int(count) }
            }
            return counts
        }
        self.read = Int(read)
        counted = object["counted"]?.int.map { Int($0) }
        created = object["create"]?.int.map { Int($0) } ?? 0
        adopted = object["adopt"]?.int.map { Int($0) } ?? 0
        skipped = counts("skip", as: UserReason.self)
        refused = counts("refuse", as: UserReason.self)
        ways = counts("waysIn", as: WayIn.self)
        for (name, value) in object["providers"]?.object ?? [:] { providers[name] = value.int.map { Int($0) } }
        probe = object["probe"]?.string
        fields = (object["fields"]?.array ?? []).compactMap { line in
            guard let field = line["field"]?.string.flatMap(MoveField.init),
                let treatment = line["treatment"]?.string.flatMap(FieldTreatment.init), let count = line["users"]?.int
            else { return nil }
            return FieldLine(
                field: field, treatment: treatment, reason: line["reason"]?.string.flatMap(FieldReason.init), count: Int(count))
        }
    }
}
