import LockstepCurl
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTokens

/// Has a recorded conversation again, over real HTTP with a fresh server whose time passes by hand.
final class Replay {
    private static let transport = CurlTransport()
    /// One key for all: making one takes longer than most conversations.
    static let issuerKey = try? SigningKey.makeRSA(id: "issuer-key")

    private let recording: Recording
    private let server: EmulatorServer<GoTrueEmulator>
    private let issuer: EmulatorServer<RecordedIssuer>
    private let hook: EmulatorServer<FaultyHook>
    private let key: SigningKey
    private var bindings: Bindings
    private(set) var differences: [String] = []

    init(_ recording: Recording) throws {
        guard let key = Self.issuerKey else { throw TokenError(.invalidKey, "no key") }
        self.key = key
        self.recording = recording
        issuer = try EmulatorServer { RecordedIssuer($0, key: key) }
        hook = try EmulatorServer { _ in FaultyHook() }
        let place = issuer.base + RecordedIssuer.path
        let hookBase = hook.base
        let pairs = try recording.settings().map { pair in
            var pair = pair
            if pair.name == "GOTRUE_EXTERNAL_KEYCLOAK_URL" { pair.value = place }
            if pair.name == "GOTRUE_HOOK_SEND_SMS_URI" { pair.value = hookBase + "/sms-faults" }
            return pair
        }
        var options = EmulatorOptions()
        options.clock = MovableClock(base: StillClock())
        server = try GoTrueEmulator.start(
            GoTrueSettings(environment: pairs + [("LOCKSTEP_PASSWORD_COST", "least")]), options: options)
        var values = ["env.base": server.base, "env.issuer": place]
        for (name, value) in server.emulator.variables { values["env.\(name)"] = value.string ?? "" }
        bindings = Bindings(values)
    }

    deinit {
        server.stop()
        issuer.stop()
        hook.stop()
    }

    func run() async throws {
        for (index, step) in recording.steps.enumerated() {
            if step["request"] != nil {
                let answer = try await send(step["request"] ?? .null)
                hold(answer, against: step, as: "\(index)", isAlone: true)
            } else if let calls = step["together"]?.array {
                try await haveTogether(calls, index)
            } else if let seconds = step["advance"]?.int {
                server.panel.advance(by: .seconds(seconds))
            } else {
                guard take(step, index) else { return }
            }
        }
    }

    private struct Answer: Sendable {
        var response: HTTPResponse
        var json: JSON?
    }

    private func request(_ recorded: JSON) throws -> HTTPRequest {
        let preparation = Preparation(bindings: bindings, now: server.environment.now, issuerKey: key)
        let request = try preparation.filled(recorded)
        func pairs(_ name: String) -> [(name: String, value: String)] {
            (request[name]?.object ?? [:]).map { (name: $0.name, value: $0.value.string ?? "") }
        }
        var headers = HTTPHeaders()
        for (name, value) in pairs("headers") where name.lowercased() != "content-type" { headers.append(name, value) }
        let type = pairs("headers").first { $0.name.lowercased() == "content-type" }?.value
        let body: HTTPBody =
            if let json = request["json"] {
                .json(json)
            } else if request["form"] != nil {
                .form(HTTPForm(pairs("form")))
            } else if let raw = request["raw"]?.string {
                HTTPBody(Array(raw.utf8), type: type)
            } else {
                .none
            }
        let base = request["at"]?.string == "issuer" ? issuer.base + RecordedIssuer.path : server.base
        return HTTPRequest(
            HTTPMethod(rawValue: request["method"]?.string ?? "GET"), base + (request["path"]?.string ?? "/"),
            query: HTTPForm(pairs("query")), headers: headers, body: body)
    }

    private func send(_ recorded: JSON) async throws -> Answer {
        let request = try request(recorded)
        for _ in 1..<Int(recorded["times"]?.int ?? 1) { _ = try await Self.transport.send(request) }
        return try await Self.exchange(request)
    }

    private static func exchange(_ request: HTTPRequest) async throws -> Answer {
        let response = try await transport.send(request)
        return Answer(response: response, json: try? JSON.parse(response.body))
    }

    private func haveTogether(_ calls: [JSON], _ index: Int) async throws {
        let requests = try calls.map { try request($0["request"] ?? .null) }
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for request in requests { group.addTask { try await Self.exchange(request) } }
            return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        let sorted = answers.sorted {
            ($0.response.status, String(decoding: $0.response.body, as: UTF8.self)) < (
                $1.response.status, String(decoding: $1.response.body, as: UTF8.self)
            )
        }
        for (number, pair) in zip(calls, sorted).enumerated() {
            hold(pair.1, against: pair.0, as: "\(index).\(number)", isAlone: false)
        }
    }

    private func hold(_ answer: Answer, against step: JSON, as index: String, isAlone: Bool) {
        let wanted = step["response"] ?? .null
        let label = "step \(index)"
        if let json = answer.json { bindings.bind(json, as: "\(index).json", step: index) }
        if let location = answer.response.headers["location"] {
            bindings.bind(.string(location), as: "\(index).headers.location", step: index)
            bindings.bind(SplitAddress(location).json, as: "\(index).location", step: index)
        }
        var comparison = Comparison(bindings, now: server.environment.now, unordered: recording.unordered)
        comparison.compare(wanted["status"] ?? .null, .int(Int64(answer.response.status)), at: label + " status")
        if let json = wanted["json"] {
            comparison.compare(json, answer.json ?? .null, at: label)
        } else if answer.response.status / 100 != 3 {
            let text = String(decoding: answer.response.body, as: UTF8.self)
            comparison.compare(.string(wanted["text"]?.string ?? ""), .string(text), at: label + " text")
        }
        if isAlone { compareHeaders(wanted, answer, &comparison, label) }
        differences += comparison.differences
    }

    private func compareHeaders(_ wanted: JSON, _ answer: Answer, _ comparison: inout Comparison, _ label: String) {
        let recorded = wanted["headers"]?.object ?? [:]
        let always = [
            "location", "x-supabase-api-version", "x-sb-error-code", "x-total-count", "sb-auth-user-id", "sb-auth-session-id",
        ].filter { recorded[$0] != nil }
        for name in Set(recording.checked + always + (wanted["checked"]?.array?.compactMap(\.string) ?? [])).sorted() {
            let isType = name == "content-type"
            let got = answer.response.headers[name].map { isType ? String($0.prefix { $0 != ";" }) : $0 }
            let value = recorded[name].map { isType ? .string(String(($0.string ?? "").prefix { $0 != ";" })) : $0 }
            switch (value, got) {
            case (nil, nil): break
            case (let value?, let got?): comparison.compare(value, .string(got), at: "\(label) \(name)")
            case (nil, _): comparison.add("\(label) \(name): not in the real answer")
            case (_, nil): comparison.add("\(label) \(name): missing")
            }
        }
    }

    /// Looks into the outbox.
    private func take(_ step: JSON, _ index: Int) -> Bool {
        let outbox = server.panel.outbox
        if let address = step["no_mail"]?["to"]?.string {
            if outbox.takeMail(to: bindings.filled(address)) != nil { differences.append("step \(index): an unexpected mail") }
            return true
        }
        if let wanted = step["mail"] { return takeMail(wanted, index) }
        let number = bindings.filled(step["sms"]?["to"]?.string ?? "").drop { $0 == "+" }
        guard let message = outbox.shortMessages.first(where: { $0.to == number }), let code = message.code else {
            differences.append("step \(index): no message to \(number)")
            return false
        }
        bindings.bind(["code": .string(code)], as: "\(index).sms", step: "\(index)")
        return true
    }

    private func takeMail(_ wanted: JSON, _ index: Int) -> Bool {
        let outbox = server.panel.outbox
        let address = bindings.filled(wanted["to"]?.string ?? "")
        // The newest that was not taken: older ones are passed over.
        var newest: Mail?
        while let mail = outbox.takeMail(to: address) { newest = mail }
        guard let mail = newest else {
            differences.append("step \(index): no mail to \(address)")
            return false
        }
        let readable = mail.subject + " " + (mail.link == nil ? mail.html : "")
        let shown = readable.split { !$0.isNumber }.first { $0.count == 6 }.map(String.init)
        var comparison = Comparison(bindings, now: server.environment.now, unordered: [])
        if let link = wanted["links"]?[0] { comparison.compare(link, .string(mail.link ?? ""), at: "step \(index) link") }
        if (wanted["code"]?.string == nil) != (shown == nil) { comparison.add("step \(index): code \(shown ?? "none")") }
        differences += comparison.differences
        var values: JSONObject = ["links": .array([.string(mail.link ?? "")])]
        if let shown { values["code"] = .string(shown) }
        values["query"] = SplitAddress(mail.link ?? "").json["query"]
        bindings.bind(.object(values), as: "\(index).mail", step: "\(index)")
        return true
    }
}
