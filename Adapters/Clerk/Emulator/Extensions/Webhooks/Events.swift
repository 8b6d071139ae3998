import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// An event for the instance's webhook, which is stored until it is delivered.
struct EventRecord: QueuedEvent {
    var id: String
    var type: String
    /// The id of the object that the event is about.
    var subject: String
    /// The request that created the event.
    ///
    /// A later state of the same object in the same request replaces an earlier one.
    var batch: String
    /// The body of the delivery.
    var body: String
    var createdAt: Instant
    /// Deliveries that failed.
    var failures = 0
}

extension EventRecord {
    init() { self.init(id: "", type: "", subject: "", batch: "", body: "", createdAt: .distantPast) }

    static let table = Table<EventRecord>(
        "events",
        [
            Column("id", \.id, .key), Column("type", \.type), Column("subject", \.subject), Column("batch", \.batch),
            Column("body", \.body), Column("created_at", \.createdAt), Column("failures", \.failures),
        ])
}

extension RequestContext {
    /// Queues an event in the transaction; does nothing if there is no webhook.
    ///
    /// - `data`: The object as the Backend API shows it.
    func emit(_ type: String, _ subject: String, _ data: @autoclosure () throws -> JSON) throws {
        guard settings.webhookURL != nil else { return }
        let batch = stableText("batch") { randomness.text(16) }
        if type.hasSuffix(".updated") {
            let kind = type.dropLast("updated".count)
            let made = try db.count(EventRecord.self, "batch = \(batch) AND subject = \(subject) AND type = \(kind + "created")")
            if made > 0 { return try emit(kind + "created", subject, data()) }
        }
        // An event about a new object replaces the events about its earlier changes.
        let replaced = type.hasSuffix(".created") ? [type, type.dropLast("created".count) + "updated"] : [type]
        try db.run("DELETE FROM events WHERE batch = \(batch) AND subject = \(subject) AND type IN (\(list: replaced))")
        let body: JSON = [
            "data": try data(), "object": "event", "type": .string(type), "timestamp": .time(now), "instance_id": "ins_lockstep",
            "event_attributes": [
                "http_request": [
                    "client_ip": .string(request.remoteAddress), "user_agent": .string(request.headers["user-agent"] ?? ""),
                ]
            ],
        ]
        try db.save(
            EventRecord(
                id: IDGenerator(randomness: randomness).make(.event, at: now), type: type, subject: subject, batch: batch,
                body: body.text(), createdAt: now))
    }

    /// Queues the event of a message, so that an app can send the message itself.
    ///
    /// - `slug`: The template's name.
    func emitMessage(_ message: OutgoingMessage, slug: String) throws {
        guard settings.webhookURL != nil else { return }
        let id = IDGenerator(randomness: randomness).make(.message, at: now)
        switch message {
        case .mail(let mail):
            var data = JSONObject()
            data["otp_code"] = mail.code.map { .string($0) }
            data["magic_link"] = mail.link.map { .string($0) }
            let row = try users.holder(.email, mail.address)
            try emit(
                "email.created", id,
                [
                    "object": "email", "id": .string(id), "slug": .string(slug), "from_email_name": "noreply",
                    "to_email_address": .string(mail.address), "email_address_id": .text(row?.id),
                    "user_id": .text(row?.userID),
                    "subject": .string(mail.subject), "body": .string(mail.text), "body_plain": .string(mail.text),
                    "status": "queued", "data": .object(data), "delivered_by_clerk": true,
                ])
        case .text(let number, let text, let code):
            let row = try users.holder(.phone, number)
            try emit(
                "sms.created", id,
                [
                    "object": "sms_message", "id": .string(id), "slug": .string(slug), "from_phone_number": "+15555550100",
                    "to_phone_number": .string(number), "phone_number_id": .text(row?.id), "user_id": .text(row?.userID),
                    "message": .string(text), "status": "queued", "data": ["otp_code": .string(code)], "delivered_by_clerk": true,
                ])
        }
    }

    /// Queues the event of a deleted object.
    func emitDeleted(_ object: String, _ id: String) throws {
        let words = object.pieces(at: "_")
        let name = words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        try emit("\(name).deleted", id, ["object": .string(object), "id": .string(id), "deleted": true])
    }
}

extension EventRecord {
    /// The maximum number of attempts to send an event if the listener rejects it.
    static let attempts = 5

    /// Returns the call for the event, signed as by Svix and Standard Webhooks.
    func request(to address: String, secret: Secret, in environment: EmulationEnvironment) -> OutgoingRequest {
        let bytes = Array(body.utf8)
        let signing = WebhookSigning(id: id, secrets: [secret], prefixes: ["svix", "webhook"])
        var headers = signing.headers(of: bytes, at: environment.now, in: environment)
        headers["Content-Type"] = "application/json"
        return OutgoingRequest("POST", address, headers: headers, body: bytes, event: type, isNotice: true, signing: signing)
    }
}
