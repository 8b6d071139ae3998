import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Synchronization
import Testing

@testable import LockstepMigration

/// Users who are at the target before a plan, and the duplicates among those of the source.
@Suite(.limitedConcurrency) struct TargetUsersTests {
    private static func google(_ subject: String, email: String) -> JSON {
        [["providerId": "google.com", "rawId": .string(subject), "email": .string(email)]]
    }

    /// A world with duplicates of each kind within the source, and a target whose users have values of others.
    private static func fill(_ world: MoveWorld, _ rows: GoTrueDatabase, others: Int) async throws {
        try await world.importUsers([
            MoveWorld.user(1), MoveWorld.user(2), MoveWorld.user(3, ["phoneNumber": "+4915112345671"]),
            MoveWorld.user(4, ["providerUserInfo": google("g4", email: MoveWorld.email(4))]),
        ])
        var taken: [NewDirectoryUser] = [NewDirectoryUser(email: "USER2@Example.com"), NewDirectoryUser(phone: "+4915112345671")]
        var third = NewDirectoryUser(email: "someone@example.com")
        third.providerIdentities = [DirectoryIdentity(.google, subject: "g4")]
        taken.append(third)
        let all = taken + (0..<others).map { NewDirectoryUser(email: "other\($0)@example.org") }
        for outcome in await rows.create(all) { #expect(outcome.error == nil, "\(outcome)") }
    }

    private static func move(_ world: MoveWorld, _ target: MoveTarget) async throws -> UserMove {
        let move = try await world.move(try world.run())
        return UserMove(
            from: move.source, to: target, MoveChoices(guests: .skip), key: move.key, journal: move.journal, clock: HastyClock())
    }

    @Test func largeTargetIsAskedForThoseWhoMayBeInTheWay() async throws {
        try await MoveWorld.with { world in
            let rows = try await RowsTarget()
            try await Self.fill(world, try rows.rows(), others: 20)
            for (limit, pages) in [(0, 0), (10_000, 1)] {
                let watched = WatchedRows(rows: try rows.rows())
                var target = try rows.target(watched)
                target.scannedUsers = limit
                let plan = try await Self.move(world, target).plan()
                #expect(plan.created == 1 && plan.refused == [.addressTaken: 1, .numberTaken: 1, .identityTaken: 1])
                #expect(watched.calls.pages == pages, "\(watched.calls)")
                #expect((watched.calls.lookUps > 0) == (limit == 0), "\(watched.calls)")
            }
        }
    }

    @Test func emptyTargetIsAskedForItsCountOnly() async throws {
        try await MoveWorld.with(users: 3) { world in
            let rows = try await RowsTarget()
            let watched = WatchedRows(rows: try rows.rows())
            let plan = try await Self.move(world, try rows.target(watched)).plan()
            #expect(plan.created == 3 && watched.calls == .init(counts: 1))
            // By the API, too.
            _ = try await world.move(try world.run()).plan()
            let requests = world.target.panel.transcript.entries.map(\.request).filter { !$0.path.hasSuffix("/settings") }
            #expect(requests.count == 1 && requests[0].query["per_page"] == "1", "\(requests.map(\.path))")
        }
    }

    /// GoTrue's API finds no user by number: its list is read instead.
    @Test func backendWithoutLookUpsIsReadAsAWhole() async throws {
        try await MoveWorld.with(users: 3) { world in
            for number in [1, 7, 8, 9] { _ = try await world.goTrue().create(NewDirectoryUser(email: MoveWorld.email(number))) }
            var target = MoveWorld.target(try world.goTrue())
            target.scannedUsers = 0
            let plan = try await Self.move(world, target).plan()
            #expect(plan.created == 2 && plan.refused == [.addressTaken: 1])
        }
    }

    /// A target that has the users of an earlier run already.
    @Test(arguments: [0, 10_000]) func usersOfAnEarlierRunAreAdopted(_ limit: Int) async throws {
        try await MoveWorld.with(users: 5) { world in
            let rows = try await RowsTarget()
            let first = try await Self.move(world, try rows.target())
            _ = try await first.plan()
            _ = try await first.apply(isPartial: false)
            try await rows.sql("UPDATE auth.users SET raw_app_meta_data = '{\"x\": 1}' WHERE email = 'user3@example.com'")
            for number in 0..<5 {
                _ = try await rows.rows().create(NewDirectoryUser(email: "other\(number)@example.org"))
            }
            var target = try rows.target()
            target.scannedUsers = limit
            let plan = try await Self.move(world, target).plan()
            #expect(plan.adopted == 4 && plan.refused == [.idTaken: 1] && plan.isConsistent)
        }
    }

    /// Cases: J03, J04.
    @Test func duplicatesWithinTheSourceAreFoundByCaseLettersAndDigits() async throws {
        try await MoveWorld.with { world in
            let rows = try await RowsTarget()
            var target = try rows.target()
            target.acceptsAddress = { _ in true }
            let move = try await Self.move(world, target)
            func user(_ id: String, _ email: String?, phone: String? = nil, google subject: String? = nil) -> DirectoryUser {
                var user = DirectoryUser(id: id)
                (user.email, user.isEmailConfirmed, user.phone, user.isPhoneConfirmed) = (
                    email, email != nil, phone, phone != nil
                )
                if let subject { user.providerIdentities = [DirectoryIdentity(.google, subject: subject, email: email)] }
                return user
            }
            let source = ListedUsers([
                user("1", "ada@example.com"), user("2", "ADA@example.com"), user("3", "a.da@example.com"),
                user("4", "ren\u{E9}@example.com"), user("5", "REN\u{C9}@example.com"), user("6", "rene\u{301}@example.com"),
                user("7", nil, phone: "+49 151 1"), user("8", nil, phone: "+491511"), user("9", nil, google: "g"),
                user("10", nil, google: "g"), user("11", nil, google: "G"),
            ])
            let plan = try await UserMove(
                from: MoveSource(source, project: "demo"), to: target, MoveChoices(), key: move.key, journal: move.journal,
                clock: HastyClock()
            ).plan()
            #expect(plan.refused == [.addressTwice: 3, .numberTwice: 1, .identityTwice: 1])
            let refused = try await move.journal.users(in: [.refused], after: 0, limit: 100)
            #expect(refused.map(\.sourceID) == ["2", "5", "6", "8", "10"])
        }
    }
}

/// Users in the order of a list, as a file has them.
struct ListedUsers: UserDirectory {
    let list: [DirectoryUser]
    /// How many users it claims to have.
    let claim: Int

    init(_ list: [DirectoryUser], claiming count: Int? = nil) {
        self.list = list
        claim = count ?? list.count
    }

    var name: String { "firebase" }
    var backend: String { "list" }
    var features: Set<DirectoryFeature> { [] }
    func count() async throws(AuthError) -> Int { claim }
    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        let start = cursor.flatMap { Int($0.rawValue) } ?? 0
        let end = min(start + size, list.count)
        return DirectoryPage(
            users: Array(list[start..<end]), next: end < list.count ? DirectoryCursor(rawValue: String(end)) : nil)
    }
    func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let user = list.first(where: { $0.id == id }) else { throw AuthError(.userNotFound, "none") }
        return user
    }
    func user(email: String) async throws(AuthError) -> DirectoryUser? { list.first { $0.email == email } }
    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { throw AuthError(.unsupported, "a list") }
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        throw AuthError(.unsupported, "a list")
    }
    func delete(_ id: String) async throws(AuthError) { throw AuthError(.unsupported, "a list") }
}

/// Rows of a database, with a count of what is asked of them.
struct WatchedRows: UserDirectory {
    struct Calls: Sendable, Equatable {
        var pages = 0
        var lookUps = 0
        var counts = 0
    }

    private final class Counter: Sendable { let state = Mutex(Calls()) }

    let rows: any UserDirectory
    private let counter: Counter

    init(rows: any UserDirectory) {
        self.rows = rows
        counter = Counter()
    }

    private init(rows: any UserDirectory, _ counter: Counter) {
        self.rows = rows
        self.counter = counter
    }

    var calls: Calls { counter.state.withLock { $0 } }
    var name: String { rows.name }
    var backend: String { rows.backend }
    var features: Set<DirectoryFeature> { rows.features }
    var order: DirectoryOrder { rows.order }
    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        counter.state.withLock { $0.pages += 1 }
        return try await rows.page(after: cursor, size: size)
    }
    func user(id: String) async throws(AuthError) -> DirectoryUser { try await rows.user(id: id) }
    func user(email: String) async throws(AuthError) -> DirectoryUser? { try await rows.user(email: email) }
    func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        counter.state.withLock { $0.lookUps += 1 }
        return try await rows.users(requests)
    }
    func count() async throws(AuthError) -> Int {
        counter.state.withLock { $0.counts += 1 }
        return try await rows.count()
    }
    func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value {
        let counter = counter
        return try await rows.withSnapshot { rows in try await body(WatchedRows(rows: rows, counter)) }
    }
    func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser { try await rows.create(user) }
    func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try await rows.update(id, changes)
    }
    func delete(_ id: String) async throws(AuthError) { try await rows.delete(id) }
}
