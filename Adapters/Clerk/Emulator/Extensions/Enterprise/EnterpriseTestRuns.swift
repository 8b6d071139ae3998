import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// An administrator's test of a connection: the whole redirect to its provider and back, without a user.
struct EnterpriseTestRunRecord: Record {
    var id: String
    var connectionID: String
    /// `pending`, `success`, `failed`.
    var status: String
    /// The token that opens the page with the result.
    var token: String
    /// The provider's response and the failure, as both APIs show them.
    var details: JSONObject
    var createdAt: Instant
}

extension EnterpriseTestRunRecord {
    init() { self.init(id: "", connectionID: "", status: "", token: "", details: [:], createdAt: .distantPast) }

    static let table = Table<EnterpriseTestRunRecord>(
        "enterprise_test_runs",
        [
            Column("id", \.id, .key), Column("connection_id", \.connectionID, .belongs(to: "enterprise_connections")),
            Column("status", \.status), Column("token", \.token), Column("details", \.details),
            Column("created_at", \.createdAt),
        ],
        indexes: [Index("enterprise_test_runs_by_connection", on: "connection_id")])
}

/// Test runs of connections, for both APIs.
struct EnterpriseTestRuns {
    let context: RequestContext

    private static let purpose = "test_run"

    /// Creates a run, which begins when its URL is opened, once within ten minutes.
    func make(for connection: EnterpriseConnectionRecord) throws -> JSON {
        guard connection.missing.isEmpty else { throw ClerkError.enterpriseConnectionIncomplete(connection.missing) }
        let run = EnterpriseTestRunRecord(
            id: context.id(.testRun), connectionID: connection.id, status: "pending", token: context.token(), details: [:],
            createdAt: context.now)
        try context.db.save(run)
        let ticket = NonceRecord(
            nonce: context.token(), kind: .testRun, subject: run.id, payload: [:], expireAt: context.now + .seconds(600))
        try context.db.save(ticket)
        return ["url": .string("\(place(connection.id))/init_test_run?ticket=\(ticket.nonce)")]
    }

    /// Returns a page of a connection's runs, the newest first.
    func list(_ connection: EnterpriseConnectionRecord, statuses: [String]) throws -> JSON {
        var condition: SQL = "connection_id = \(connection.id)"
        for status in statuses where !["pending", "success", "failed"].contains(status) {
            throw ClerkError.invalidValue("status", String(status.prefix(40)))
        }
        if !statuses.isEmpty { condition += " AND status IN (\(list: statuses))" }
        let (runs, total) = try context.page(of: EnterpriseTestRunRecord.self, where: condition)
        return .page(runs.map(json), total: total)
    }

    /// Returns the URL for a browser that has opened the URL of a run.
    func begin(_ connectionID: String, ticket: String) throws -> String {
        guard let row = try context.db.find(NonceRecord.self, "nonce = \(ticket) AND kind = 'test_run'"),
            row.expireAt > context.now, let id = row.subject,
            let run = try context.db.find(
                EnterpriseTestRunRecord.self, "id = \(id) AND connection_id = \(connectionID) AND status = 'pending'")
        else { throw ClerkError.ticketInvalid }
        try context.db.run("DELETE FROM nonces WHERE nonce = \(ticket)")
        let connection = try context.enterpriseConnections.find(connectionID)
        let state = context.token()
        let (url, memory) = try EnterpriseIssuer(context: context, connection: connection)
            .begin(state: state, hint: nil, prompt: nil)
        var payload: JSONObject = ["purpose": .string(Self.purpose), "redirect_url": .string(place(connection.id))]
        for (name, value) in memory { payload[name] = value }
        try context.db.save(
            NonceRecord(nonce: state, kind: .redirect, subject: run.id, payload: payload, expireAt: context.now + .seconds(600)))
        return url
    }

    func isTest(_ flow: NonceRecord) -> Bool { flow.payload["purpose"]?.string == Self.purpose }

    /// Stores the result of a run.
    ///
    /// - Returns: the page with the result.
    func finish(_ flow: NonceRecord, _ answer: Result<EnterpriseIssuer.Answer, ClerkError>) throws -> String {
        guard let id = flow.subject, var run = try context.db.find(EnterpriseTestRunRecord.self, "id = \(id)") else {
            throw ClerkError.badCallback
        }
        try context.db.run("DELETE FROM nonces WHERE nonce = \(flow.nonce)")
        switch answer {
        case .success(let answer):
            run.status = "success"
            var user: JSONObject = ["user_id": .string(answer.profile.subject)]
            for (name, value) in [
                ("email_address", answer.profile.email), ("first_name", answer.profile.firstName),
                ("last_name", answer.profile.lastName),
            ] { user[name] = value.map { .string($0) } }
            var tokens: JSONObject = ["access_token": .string(answer.accessToken)]
            tokens["id_token"] = answer.idToken.map { .string($0) }
            tokens["user_info"] = answer.userInfo.map { .string(JSON.object($0).text()) }
            run.details = ["parsed_user_info": .object(user), "oauth": .object(tokens), "logs": []]
        case .failure(let refusal):
            run.status = "failed"
            let entry = refusal.entries[0]
            run.details = [
                "logs": [
                    [
                        "level": "error", "code": .string(entry.code), "short_message": .string(entry.message),
                        "message": .string(entry.longMessage),
                    ]
                ]
            ]
        }
        try context.db.save(run)
        return "\(place(run.connectionID))/test_runs/\(run.id)?token=\(run.token)"
    }

    /// Returns a page with the result of a run, for a person.
    func page(_ connectionID: String, run id: String, token: String) throws -> String {
        guard
            let run = try context.db.find(EnterpriseTestRunRecord.self, "id = \(id) AND connection_id = \(connectionID)"),
            Secret(run.token) == Secret(token)
        else { throw ClerkError.notFound(id) }
        let lines = json(run).text().escapedForHTMLText
        return "<!doctype html><title>Test run</title><h1>\(run.status)</h1><pre>\(lines)</pre>"
    }

    private func json(_ run: EnterpriseTestRunRecord) -> JSON {
        var json: JSONObject = [
            "id": .string(run.id), "status": .string(run.status), "connection_type": "oauth",
            "created_at": .time(run.createdAt),
        ]
        for (name, value) in run.details { json[name] = value }
        return .object(json)
    }

    private func place(_ connectionID: String) -> String { "\(context.state.base)/v1/enterprise_connections/\(connectionID)" }
}
