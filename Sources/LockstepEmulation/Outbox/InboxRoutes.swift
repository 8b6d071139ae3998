internal import LockstepPrimitives

/// The part of Mailpit's HTTP API that tests use, for an outbox (https://mailpit.axllent.org/docs/api-v1/).
struct InboxRoutes {
    let outbox: Outbox

    func add(to router: inout Router, at prefix: String) {
        let outbox = outbox
        let api = prefix + "/api/v1"
        router.on("GET", api + "/messages") { request in Self.list(outbox.mails, all: outbox.mails, request) }
        router.on("GET", api + "/search") { request in
            let all = outbox.mails
            return Self.list(try Self.found(in: all, request), all: all, request)
        }
        router.on("GET", api + "/message/{id}") { request in
            .json(Self.whole(try outbox.mail(of: request)))
        }
        router.on("PUT", api + "/messages") { request in
            let body = try request.values(Self.marks)
            outbox.mark(body.texts("IDs"), read: body.flag("Read") ?? false)
            return .text("ok")
        }
        router.on("DELETE", api + "/messages") { request in
            outbox.delete(try request.values(Self.marks).texts("IDs"))
            return .text("ok")
        }
        router.on("DELETE", api + "/search") { request in
            let ids = try Self.found(in: outbox.mails, request).map(\.id)
            if !ids.isEmpty { outbox.delete(ids) }
            return .text("ok")
        }
        router.on("GET", api + "/message/{id}/headers") { request in
            let fields = MailSource(mail: try outbox.mail(of: request)).headers.map {
                (name: $0.name, value: JSON.array([.string($0.value)]))
            }
            return .json(.object(JSONObject(fields)))
        }
        router.on("GET", api + "/message/{id}/raw") { request in
            .text(MailSource(mail: try outbox.mail(of: request)).text)
        }
        router.on("GET", prefix + "/view/{id}.html") { request in try outbox.mail(of: request).view }
        router.on("GET", prefix + "/view/{id}.txt") { request in
            .text(try outbox.mail(of: request).text)
        }
        router.on("GET", api + "/info") { _ in
            let mails = outbox.mails
            return .json([
                "Version": "lockstep", "Messages": .int(Int64(mails.count)), "Unread": .int(Int64(mails.count { !$0.isRead })),
            ])
        }
    }

    /// The members of a body that selects emails.
    ///
    /// Without ids, it selects all emails.
    private static let marks: BodySchema = ["IDs": .list(.text), "Read": .flag]

    private static func list(_ mails: [Mail], all: [Mail], _ request: EmulatorRequest) -> EmulatorResponse {
        let start = max(0, request.query["start"].flatMap { Int($0) } ?? 0)
        let limit = max(0, request.query["limit"].flatMap { Int($0) } ?? 50)
        let page = mails.dropFirst(start).prefix(limit)
        return .json([
            "total": .int(Int64(all.count)), "unread": .int(Int64(all.count { !$0.isRead })), "count": .int(Int64(page.count)),
            "messages_count": .int(Int64(mails.count)), "messages_unread": .int(Int64(mails.count { !$0.isRead })),
            "start": .int(Int64(start)), "tags": [], "messages": .array(page.map(summary)),
        ])
    }

    private static func summary(_ mail: Mail) -> JSON {
        [
            "ID": .string(mail.id), "MessageID": .string(mail.id + "@lockstep.test"), "Read": .bool(mail.isRead),
            "From": address(mail.from), "To": [address(mail.to)], "Cc": [], "Bcc": [], "ReplyTo": [],
            "Subject": .string(mail.subject), "Created": .string(mail.date.rfc3339), "Tags": [],
            "Size": .int(Int64(mail.text.utf8.count + mail.html.utf8.count)), "Attachments": 0,
            "Snippet": .string(String(mail.text.prefix(250))),
        ]
    }

    private static func whole(_ mail: Mail) -> JSON {
        [
            "ID": .string(mail.id), "MessageID": .string(mail.id + "@lockstep.test"), "From": address(mail.from),
            "To": [address(mail.to)], "Cc": [], "Bcc": [], "ReplyTo": [], "ReturnPath": .string(mail.from),
            "Subject": .string(mail.subject), "Date": .string(mail.date.rfc3339), "Tags": [], "Text": .string(mail.text),
            "HTML": .string(mail.html), "Size": .int(Int64(mail.text.utf8.count + mail.html.utf8.count)), "Inline": [],
            "Attachments": [],
        ]
    }

    private static func address(_ text: String) -> JSON { ["Name": "", "Address": .string(text)] }

    /// Returns the emails that match every word of the query: `to:`, `from:`, `subject:`, `is:read`, `is:unread`, or a word
    /// anywhere.
    ///
    /// Quotes keep words together.
    private static func found(in mails: [Mail], _ request: EmulatorRequest) throws(ControlError) -> [Mail] {
        let words = words(of: (try request.searchText("query") ?? "").lowercased())
        return mails.filter { mail in
            let (to, from, subject) = (mail.to.lowercased(), mail.from.lowercased(), mail.subject.lowercased())
            let text = mail.text.lowercased()
            return words.allSatisfy { word in
                if word.hasPrefix("to:") { return to.contains(bytesOf: String(word.dropFirst(3))) }
                if word.hasPrefix("from:") { return from.contains(bytesOf: String(word.dropFirst(5))) }
                if word.hasPrefix("subject:") { return subject.contains(bytesOf: String(word.dropFirst(8))) }
                if word == "is:read" { return mail.isRead }
                if word == "is:unread" { return !mail.isRead }
                return [to, from, subject, text].contains { $0.contains(bytesOf: word) }
            }
        }
    }

    private static func words(of query: String) -> [String] {
        var words: [String] = [""]
        var isQuoted = false
        for scalar in query.unicodeScalars {
            if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == " ", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].unicodeScalars.append(scalar)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}

extension Outbox {
    /// Returns the email in the path, and marks it as read.
    fileprivate func mail(of request: EmulatorRequest) throws(ControlError) -> Mail {
        let id = request[placeholder: "id"]
        guard let mail = open(id) else {
            throw ControlError(404, "No mail \"\(id.prefix(100))\". GET \(ControlRoutes.prefix)/messages lists them.")
        }
        return mail
    }
}
