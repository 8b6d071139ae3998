public import LockstepPrimitives

extension PlanSummary {
    /// The plan as a JSON object, for the journal and for programs.
    public var json: JSONObject {
        func counts<Key: RawRepresentable<String>>(_ values: [Key: Int]) -> JSON {
            .object(JSONObject(values.map { ($0.key.rawValue, .int(Int64($0.value))) }.sorted { $0.0 < $1.0 }))
        }
        func named(_ values: [String: Int]) -> JSON {
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, .int(Int64($0.value))) }))
        }
        func number(_ value: Int?) -> JSON { value.map { .int(Int64($0)) } ?? .null }
        let lines = fields.map { line -> JSON in
            [
                "field": .string(line.field.rawValue), "treatment": .string(line.treatment.rawValue),
                "reason": line.reason.map { .string($0.rawValue) } ?? .null, "users": .int(Int64(line.count)),
            ]
        }
        let obstacles = obstacles.map { obstacle -> JSON in
            [
                "kind": .string(obstacle.kind.rawValue), "name": obstacle.name.map(JSON.string) ?? .null,
                "users": .int(Int64(obstacle.users)),
            ]
        }
        let writing = writing.map { writing -> JSON in
            let effects = writing.effects.map { effects -> JSON in
                .array(effects.map { ["what": .string($0.what), "names": .array($0.names.map(JSON.string))] })
            }
            return [
                "road": .string(writing.road), "seconds": number(writing.seconds), "effects": effects ?? .null,
                "otherWay": writing.otherWay.map(JSON.string) ?? .null,
                "firstSignIns": writing.firstSignIns.map(JSON.string) ?? .null,
            ]
        }
        return [
            "read": .int(Int64(read)), "counted": number(counted), "countedBefore": number(countedBefore),
            "tenants": tenants.map { .array($0.map { ["name": .string($0.name), "users": .int(Int64($0.users))] }) } ?? .null,
            "lists": .array(lists.map(\.json)),
            "unlisted": ["users": .int(Int64(unlisted.count)), "ids": .array(unlisted.ids.map(JSON.string))],
            "form": form.map { ["name": .string($0.name), "lacks": .array($0.lacks.map(JSON.string))] } ?? .null,
            "create": .int(Int64(created)), "adopt": .int(Int64(adopted)), "skip": counts(skipped), "refuse": counts(refused),
            "waysIn": counts(ways), "providers": named(providers), "hashes": named(hashes), "fields": .array(lines),
            "obstacles": .array(obstacles), "unknown": .array(unknown.map { .string($0.rawValue) }),
            "emails": [
                "sender": .string(emails.sender), "users": .int(Int64(mailedCount)), "perHour": number(emails.perHour),
                "isTold": .bool(emails.isTold), "hours": number(emails.hours(for: mailedCount)),
            ],
            "sourceSignUpOpen": isSourceOpen.map(JSON.bool) ?? .null, "writing": writing ?? .null,
            "probe": probe.map(JSON.string) ?? .null,
        ]
    }

    /// Reads a plan that ``json`` has written; `nil` for any other text.
    init?(journal text: String) {
        guard let object = (try? JSON.parse(Array(text.utf8)))?.object, let read = object["read"]?.count else { return nil }
        func number(_ value: JSON?) -> Int? { value?.count }
        func counts<Key: RawRepresentable<String> & Hashable>(_ name: String, as type: Key.Type) -> [Key: Int] {
            var counts: [Key: Int] = [:]
            for (name, value) in object[name]?.object ?? [:] {
                if let key = Key(rawValue: name), let count = number(value) { counts[key] = count }
            }
            return counts
        }
        func named(_ name: String) -> [String: Int] {
            var counts: [String: Int] = [:]
            for (name, value) in object[name]?.object ?? [:] { counts[name] = number(value) }
            return counts
        }
        self.read = read
        counted = number(object["counted"])
        countedBefore = number(object["countedBefore"])
        tenants = object["tenants"]?.array?.map { MoveTenant(name: $0["name"]?.string ?? "", users: number($0["users"]) ?? 0) }
        lists = (object["lists"]?.array ?? []).compactMap(ListCount.init)
        unlisted = Unlisted(
            count: number(object["unlisted"]?["users"]) ?? 0,
            ids: (object["unlisted"]?["ids"]?.array ?? []).compactMap(\.string))
        form = (object["form"]?["name"]?.string).map { name in
            SourceForm(name: name, lacks: (object["form"]?["lacks"]?.array ?? []).compactMap(\.string))
        }
        created = number(object["create"]) ?? 0
        adopted = number(object["adopt"]) ?? 0
        skipped = counts("skip", as: UserReason.self)
        refused = counts("refuse", as: UserReason.self)
        ways = counts("waysIn", as: WayIn.self)
        providers = named("providers")
        hashes = named("hashes")
        fields = (object["fields"]?.array ?? []).compactMap(FieldLine.init)
        obstacles = (object["obstacles"]?.array ?? []).compactMap(MoveObstacle.init)
        unknown = (object["unknown"]?.array ?? []).compactMap { $0.string.flatMap(MoveSetting.init) }
        emails = Emails(
            sender: object["emails"]?["sender"]?.string ?? "", perHour: number(object["emails"]?["perHour"]),
            isTold: object["emails"]?["isTold"]?.bool ?? false)
        isSourceOpen = object["sourceSignUpOpen"]?.bool
        writing = object["writing"].flatMap(Writing.init)
        probe = object["probe"]?.string
    }
}

extension PlanSummary.ListCount {
    fileprivate var json: JSON {
        [
            "list": .string(kind.rawValue), "entries": entries.map { .int(Int64($0)) } ?? .null, "users": .int(Int64(users)),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let kind = json["list"]?.string.flatMap(MoveList.Kind.init), let users = json["users"]?.count else { return nil }
        self.init(kind: kind, entries: json["entries"]?.count, users: users)
    }
}

extension PlanSummary.FieldLine {
    fileprivate init?(_ json: JSON) {
        guard let field = json["field"]?.string.flatMap(MoveField.init),
            let treatment = json["treatment"]?.string.flatMap(FieldTreatment.init), let count = json["users"]?.count
        else { return nil }
        self.init(
            field: field, treatment: treatment, reason: json["reason"]?.string.flatMap(FieldReason.init), count: count)
    }
}

extension MoveObstacle {
    fileprivate init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let users = json["users"]?.count else { return nil }
        self.init(Key(kind, json["name"]?.string), users: users)
    }
}

extension PlanSummary.Writing {
    fileprivate init?(_ json: JSON) {
        guard let road = json["road"]?.string else { return nil }
        let effects = json["effects"]?.array?.map { effect in
            MoveEffect(effect["what"]?.string ?? "", (effect["names"]?.array ?? []).compactMap(\.string))
        }
        self.init(
            road: road, seconds: json["seconds"]?.count, effects: effects, otherWay: json["otherWay"]?.string,
            firstSignIns: json["firstSignIns"]?.string)
    }
}

extension JSON {
    /// A number of users, or of seconds; `nil` for anything else, and for numbers so large that a sum could overflow.
    fileprivate var count: Int? {
        int.flatMap { (0...PlanSummary.mostUsers).contains($0) ? Int($0) : nil }
    }
}
