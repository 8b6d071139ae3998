internal import LockstepDirectory
internal import LockstepPrimitives

/// A call on a directory.
enum DirectoryCall: CaseIterable {
    case page, pageAfter, all, byID, byEmail, many, count, demands, create, createMany, update, delete, deleteMany
}

/// Makes calls on one directory, and checks the results.
struct DirectoryHand: Sendable {
    let directory: any UserDirectory
    let dice: Dice
    let users: [DirectoryUser]

    static let secrets = ["Canary-Horse-7391-Q", "canaryHash7391"]

    var password: NewDirectoryUser.Password { .text("Canary-Horse-7391-Q") }

    /// Makes the call.
    ///
    /// - Returns: The faults of its result.
    /// - Throws: The errors of the directory.
    func `do`(_ call: DirectoryCall) async throws(AuthError) -> [String] {
        switch call {
        case .page: return faults(of: try await directory.page(after: nil, size: size))
        case .pageAfter: return faults(of: try await directory.page(after: DirectoryCursor(rawValue: cursor), size: size))
        case .all: return try await all()
        case .byID:
            let id = id
            let user = try await directory.user(id: id)
            return faults(of: user)
                + (user.id == id || user.id == id.lowercased() ? [] : ["another user than \(id) came: \(user.id)"])
        case .byEmail:
            let email = email
            return try await directory.user(email: email).map(faults) ?? []
        case .many:
            let requests = (0..<dice.roll(5)).map { _ in request }
            let found = try await directory.users(requests)
            return found.compactMap(\.self).flatMap { faults(of: $0) }
                + (found.count == requests.count ? [] : ["\(requests.count) requests have \(found.count) users"])
        case .count:
            let count = try await directory.count()
            return count < 0 ? ["a count of \(count)"] : []
        case .demands:
            let demands = try await directory.demands()
            return (demands.userQuota ?? 0) < 0 ? ["a negative quota"] : []
        case .create: return faults(of: try await directory.create(user))
        case .createMany:
            let many = (0..<dice.roll(5)).map { _ in user }
            return faults(of: await directory.create(many), many.count)
        case .update:
            let id = id
            let user = try await directory.update(id, changes)
            return faults(of: user)
                + (user.id == id || user.id == id.lowercased() ? [] : ["another user than \(id) was changed: \(user.id)"])
        case .delete:
            try await directory.delete(id)
            return []
        case .deleteMany:
            let ids = (0..<dice.roll(5)).map { _ in id }
            return faults(of: await directory.delete(ids), ids.count)
        }
    }

    private func all() async throws(AuthError) -> [String] {
        var ids: Set<String> = []
        var faults: [String] = []
        for try await user in directory.all(pageSize: dice.pick([1, 2, 3, 100])) {
            // In a stable order only the backend can repeat a user of an older page, and these responses are not from a backend.
            if !ids.insert(user.id).inserted, directory.order != .stable { faults.append("a user comes twice") }
            faults += self.faults(of: user)
            if ids.count > 5000 { return faults + ["the list has no end"] }
        }
        return faults
    }

    /// Uses a user like a tool: calculates with the times, and creates the user elsewhere.
    private func faults(of user: DirectoryUser) -> [String] {
        let now = Instant(seconds: 1_800_000_000)
        for time in [
            user.createdAt, user.updatedAt, user.lastSignInAt, user.emailConfirmedAt, user.phoneConfirmedAt, user.bannedUntil,
            user.passwordChangedAt, user.sessionsValidSince,
        ] {
            guard let time else { continue }
            _ = (now - time, time + .seconds(1), time.rfc3339)
        }
        let copy = NewDirectoryUser(user)
        _ = copy.requiredFeatures.reduce(copy) { $0.removing($1) }
        return user.id.isEmpty ? ["a user without an id"] : []
    }

    private func faults(of page: DirectoryPage) -> [String] {
        var faults = page.users.flatMap { self.faults(of: $0) }
        if let total = page.total, total < 0 { faults.append("a total of \(total)") }
        return faults
    }

    private func faults(of outcomes: [DirectoryOutcome], _ count: Int) -> [String] {
        outcomes.count == count ? [] : ["\(count) users have \(outcomes.count) outcomes"]
    }

    private var size: Int { dice.pick([1, 2, 3, 100, 0, -1, .min, .max]) }
    private var id: String { dice.hits(oneIn: 5) || users.isEmpty ? dice.pick(HostileValues.texts) : dice.pick(users).id }
    private var email: String {
        dice.hits(oneIn: 5) || users.isEmpty ? dice.pick(HostileValues.texts) : dice.pick(users).email ?? ""
    }

    private var request: RequestedUser {
        dice.pick([
            .id(id), .email(email), .phone("+15551230000"), .identity(.google, subject: id), .externalID(id),
        ])
    }

    private var cursor: String {
        dice.pick([
            "1", "2:5", "2147483647:2147483647", "9223372036854775807", "-1:-9223372036854775808", id, "\(id)@1",
            "\(id)@-9223372036854775808",
        ])
    }

    private var time: Instant? {
        dice.pick([
            nil, Instant(seconds: 1_500_000_000), .distantPast, .distantFuture, Instant(milliseconds: .min + 1),
            Instant(seconds: -12_219_292_801), Instant(milliseconds: -1),
        ])
    }

    private var user: NewDirectoryUser {
        let hash = dice.pick([
            "$2b$06$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2",
            "$argon2id$v=19$m=4294967295,t=9,p=1$c2FsdHNhbHQ$aGFzaA",
            "$scrypt$ln=63,r=8,p=1$c2FsdA$aGFzaA", "$pbkdf2-sha256$i=-1$c2FsdA$aGFzaA", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
        ])
        var user = NewDirectoryUser(email: dice.hits(oneIn: 6) ? email : "canary\(dice.roll(9))@example.com")
        switch dice.roll(4) {
        case 0: user.password = password
        case 1: user.password = .hash(Secret(dice.hits(oneIn: 2) ? hash : TextMutation(dice: dice).mutated(hash)))
        default: break
        }
        if dice.hits(oneIn: 3), directory.features.contains(.creationTimes) { user.createdAt = time }
        if dice.hits(oneIn: 3), directory.features.contains(.signInTimes) { user.lastSignInAt = time }
        if dice.hits(oneIn: 3), directory.features.contains(.chosenIDs) { user.id = id }
        if dice.hits(oneIn: 3) { user.appMetadata = ["plan": "gold"] }
        return user
    }

    private var changes: DirectoryChanges {
        var changes = DirectoryChanges()
        if dice.hits(oneIn: 2) { (changes.email, changes.isEmailConfirmed) = (email, true) }
        if dice.hits(oneIn: 3) { changes.password = "Canary-Horse-7391-Q" }
        if dice.hits(oneIn: 3) { changes.appMetadata = ["plan": nil, "size": .int(.min)] }
        if dice.hits(oneIn: 3) { changes.displayName = dice.pick(HostileValues.texts) }
        if dice.hits(oneIn: 3) { changes.isDisabled = dice.hits(oneIn: 2) }
        return changes
    }
}
