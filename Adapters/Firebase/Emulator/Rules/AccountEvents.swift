internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The events behind `functions.auth.user().onCreate` and `.onDelete`, for the functions emulator of the settings.
///
/// An event is queued in the request's transaction: a request that is rolled back tells of nothing. Imported accounts are not new, and
/// `DELETE /emulator/v1/…/accounts` empties a project without a word, as in Firebase's emulator.
struct AccountEvents {
    let context: RequestContext

    /// The last part of the event's type.
    enum Kind: String {
        case create, delete
    }

    func queue(_ kind: Kind, _ user: User) throws {
        guard let emulator = context.settings.functionsEmulator, !context.settings.pausesFunctions else { return }
        let project = context.scope.project
        let body: JSON = [
            "eventId": .string(context.uuid()),
            "eventType": .string("providers/firebase.auth/eventTypes/user.\(kind.rawValue)"),
            "resource": ["name": .string("projects/\(project)"), "service": "firebaseauth.googleapis.com"], "params": [:],
            "timestamp": .string(context.now.rfc3339), "data": user.eventData,
        ]
        let address = "\(emulator)/functions/projects/\(project)/trigger_multicast"
        try context.db.run("INSERT INTO account_events (address, body) VALUES (\(address), \(body.text()))")
    }
}

extension UserRepository {
    /// Stores an account that did not exist, and tells of it.
    ///
    /// - Parameter made: the account before its first sign-in, where `beforeSignIn` has changed it since: that is what is told.
    func create(_ user: User, asMade made: User? = nil) throws {
        try insert(user)
        try AccountEvents(context: context).queue(.create, made ?? user)
    }

    /// Removes an account, and tells of it.
    func remove(_ user: User) throws {
        try delete(user)
        try AccountEvents(context: context).queue(.delete, user)
    }
}

extension User {
    /// The account as a background function gets it: without secrets, times as texts.
    fileprivate var eventData: JSON {
        func time(_ milliseconds: Int64?) -> JSON? { milliseconds.map { .string(Instant(milliseconds: $0).rfc3339) } }
        var metadata: JSONObject = [:]
        metadata["creationTime"] = time(createdAt)
        metadata["lastSignInTime"] = time(lastLoginAt)
        var members: JSONObject = ["uid": .string(localID)]
        members["email"] = email.map(JSON.string)
        members["emailVerified"] = emailVerified.map(JSON.bool)
        members["displayName"] = displayName.map(JSON.string)
        members["photoURL"] = photoURL.map(JSON.string)
        members["phoneNumber"] = phoneNumber.map(JSON.string)
        members["disabled"] = isDisabled.map(JSON.bool)
        members["metadata"] = .object(metadata)
        members["customClaims"] = customAttributes.flatMap { try? JSON.parse($0) } ?? [:]
        members["providerData"] = identities.map { .array($0.map(\.eventData)) }
        members["tenantId"] = tenantID.map(JSON.string)
        members["mfaInfo"] = factors.map { .array($0.map(\.json)) }
        return .object(members)
    }
}

extension Identity {
    fileprivate var eventData: JSON {
        var members = json.object ?? [:]
        // The one member whose name differs.
        members["photoURL"] = members["photoUrl"]
        members["photoUrl"] = nil
        return .object(members)
    }
}

/// Sends queued events to the functions emulator, one after the other, each once: as there, one that it does not take is lost.
actor AccountEventSender {
    private let database: Database
    private let environment: EmulationEnvironment
    private var isSending = false

    init(database: Database, environment: EmulationEnvironment) {
        self.database = database
        self.environment = environment
    }

    /// Sends what is queued, in order.
    func send(within deadline: Duration) async {
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while let event = try? next() {
            let request = OutgoingRequest(
                "POST", event.address, headers: ["Content-Type": "application/json"], body: Array(event.body.utf8),
                deadline: deadline)
            _ = try? await request.run(in: environment)
        }
    }

    /// Takes the oldest event out of the queue.
    private func next() throws -> (address: String, body: String)? {
        try database.write { db in
            let first: (id: Int64, address: String, body: String)? = try db.first(
                "SELECT id, address, body FROM account_events ORDER BY id LIMIT 1"
            ) { row throws(SQLiteError) in (try row[0], try row[1], try row[2]) }
            guard let first else { return nil }
            try db.run("DELETE FROM account_events WHERE id = \(first.id)")
            return (first.address, first.body)
        }
    }
}
