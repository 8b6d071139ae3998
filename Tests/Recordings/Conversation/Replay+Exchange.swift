internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport

extension Replay {
    /// A response, and its body if it is JSON.
    struct TestResponse: Sendable {
        let response: HTTPResponse
        let json: JSON?

        var text: String { String(decoding: response.body, as: UTF8.self) }

        init(_ response: HTTPResponse) {
            self.response = response
            let isJSON = response.headers["Content-Type"]?.lowercased().contains("json") ?? false
            let starts = response.body.first.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
            json = isJSON || starts ? try? response.json() : nil
        }
    }

    mutating func send(_ exchange: RecordedExchange) async throws -> TestResponse {
        let request = try prepared(exchange)
        for _ in 1..<exchange.times { _ = try await transport.send(request) }
        return TestResponse(try await transport.send(request))
    }

    /// Sends the requests at the same time.
    mutating func have(_ exchanges: [RecordedExchange], _ number: String) async throws {
        var requests: [HTTPRequest] = []
        for exchange in exchanges { requests.append(try prepared(exchange)) }
        let transport = transport
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for request in requests { group.addTask { TestResponse(try await transport.send(request)) } }
            return try await group.reduce(into: [TestResponse]()) { $0.append($1) }
        }
        let sorted = answers.sorted { ($0.response.status, $0.text) < ($1.response.status, $1.text) }
        for (index, pair) in zip(exchanges, sorted).enumerated() {
            hold(pair.1, against: pair.0, as: "\(number).\(index)", isAlone: false)
        }
    }

    private mutating func prepared(_ exchange: RecordedExchange) throws -> HTTPRequest {
        var preparation = Preparation(bindings: bindings, now: clock.now, issuerKey: issuerKey)
        let request = try preparation.filled(.object(exchange.request))
        bindings = preparation.bindings
        func pairs(_ name: String) -> [(name: String, value: String)] {
            (request[name]?.object ?? [:]).map { (name: $0.name, value: $0.value.string ?? $0.value.text()) }
        }
        let headers = HTTPHeaders(pairs("headers").map { .init(name: $0.name, value: $0.value) })
        let body: HTTPBody =
            if let json = request["json"] {
                .json(json)
            } else if request["form"] != nil {
                .form(HTTPForm(pairs("form")))
            } else if let raw = request["raw"] {
                HTTPBody(Array((raw.string ?? raw.text()).utf8), type: nil)
            } else {
                .none
            }
        let base = request["at"]?.string.flatMap { server.bases[$0] } ?? server.base
        return HTTPRequest(
            HTTPMethod(rawValue: request["method"]?.string ?? ""), base + (request["path"]?.string ?? ""),
            query: HTTPForm(pairs("query")), headers: headers, body: body)
    }

    /// Compares a response with the recorded one, and stores its values.
    mutating func hold(_ answer: TestResponse, against exchange: RecordedExchange, as number: String, isAlone: Bool) {
        let status = answer.response.status
        var json = answer.json
        if let wanted = exchange.json, let got = json, !recording.unordered.isEmpty {
            json = comparison(number).aligned(got, with: wanted)
        }
        if let json { bindings.bind(json, as: "\(number).json", step: number) }
        if let location = answer.response.headers["Location"] {
            bindings.bind(.string(location), as: "\(number).headers.location", step: number)
            bindings.bind(SplitAddress(location).json, as: "\(number).location", step: number)
        }
        var comparison = comparison("\(number) \(exchange.name)")
        if status != exchange.status {
            comparison.add(
                "status", "\(exchange.status)", "\(status) with \(Comparison.shown(answer.json ?? .string(answer.text)))")
        }
        if let wanted = exchange.json {
            if let json {
                comparison.compare(wanted, json, at: "json")
            } else {
                comparison.add("json", wanted, .string(answer.text))
            }
        } else if status / 100 != 3, !(exchange.headers["content-type"]?.string ?? "").contains("text/html") {
            comparison.compare(.string(exchange.text), .string(answer.text), at: "text")
        }
        hold(answer.response.headers, against: exchange, isAlone ? recording.checked : [], &comparison)
        differences += comparison.differences
    }

    private func hold(
        _ headers: HTTPHeaders, against exchange: RecordedExchange, _ checked: [String], _ comparison: inout Comparison
    ) {
        let always = Self.alwaysCompared.filter { exchange.headers[$0] != nil }
        for name in Set(checked + exchange.checked + always).sorted() {
            let values = headers.values(of: name)
            var got = values.isEmpty ? nil : values.joined(separator: "\n")
            var wanted = exchange.headers[name]
            if name == "content-type" {
                got = got.map(Self.mediaType)
                wanted = wanted?.string.map { .string(Self.mediaType($0)) }
            }
            switch (wanted, got) {
            case (nil, nil): break
            case (nil, let got?): comparison.add("header \(name)", "nothing", .string(got))
            case (let wanted?, nil): comparison.add("header \(name)", Comparison.shown(wanted), "nothing")
            case (let wanted?, let got?): comparison.compare(wanted, .string(got), at: "header \(name)")
            }
        }
    }

    /// Headers that are compared if they were recorded.
    private static let alwaysCompared = [
        "location", "x-supabase-api-version", "x-sb-error-code", "x-total-count", "sb-auth-user-id", "sb-auth-session-id",
    ]

    private static func mediaType(_ text: String) -> String {
        String(text.prefix { $0 != ";" }).trimmed.lowercased()
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
