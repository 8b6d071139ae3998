internal import LockstepEmulation
internal import LockstepPrimitives

/// The events for `functions.auth.user().onCreate` and `.onDelete`, which the functions emulator of the settings
/// receives.
///
/// An event is queued in the request's transaction, so a request that is rolled back sends no event. Imported accounts
/// are not new. `DELETE /emulator/v1/…/accounts` deletes all accounts without events, as in Firebase's emulator.
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
        try context.db.insert(AccountEventRecord(address: address, body: body.text()))
    }
}

extension UserRepository {
    /// Stores an account that did not exist, and queues its event.
    ///
    /// - `made`: The account before its first sign-in, if `beforeSignIn` has changed it since; the event contains this
    ///   account.
    func create(_ user: User, asMade made: User? = nil) throws {
        try insert(user)
        try AccountEvents(context: context).queue(.create, made ?? user)
    }

    /// Removes an account, and queues its event.
    func remove(_ user: User) throws {
        try delete(user)
        try AccountEvents(context: context).queue(.delete, user)
    }
}

extension User {
    /// The account as a background function gets it: without secrets, times as texts.
    fileprivate var eventData: JSON {
        func time(_ milliseconds: Int64?) -> String? { milliseconds.map { Instant(milliseconds: $0).rfc3339 } }
        return JSONObject(given: [
            "uid": localID, "email": email, "emailVerified": emailVerified, "displayName": displayName, "photoURL": photoURL,
            "phoneNumber": phoneNumber, "disabled": isDisabled,
            "metadata": JSONObject(given: ["creationTime": time(createdAt), "lastSignInTime": time(lastLoginAt)]),
            "customClaims": customAttributes.flatMap { try? JSON.parse($0) } ?? [:],
            "providerData": JSON.list(identities?.map(\.eventData)), "tenantId": tenantID, "mfaInfo": JSON.list(factors),
        ]).json
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

/// An event for the functions emulator.
///
/// It is sent once: as in Firebase's emulator, an event that is not accepted is lost.
struct AccountEventRecord: QueuedEvent {
    /// The number of the row, in the order of the events; `nil` before it is stored.
    var id: Int64?
    var address = ""
    var body = ""
    /// Always 0: an event is sent once.
    var failures = 0

    static let table = Table<AccountEventRecord>(
        "account_events", [Column("id", \.id, .key), Column("address", \.address), Column("body", \.body)])

    /// The call for the event.
    func request(within deadline: Duration) -> OutgoingRequest {
        OutgoingRequest(
            "POST", address, headers: ["Content-Type": "application/json"], body: Array(body.utf8), deadline: deadline,
            event: (try? JSON.parse(body))?["eventType"]?.string ?? "", isNotice: true)
    }
}
