import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import Testing

/// Firebase's own emulator answered so; in emulator mode this one does.
struct RecordingTests {
    /// Conversations that are answered otherwise on purpose, with the reason.
    private static let declined = [
        "request-no-body": "a POST without a body is an empty one, and no failure of the server",
        "import-real-hashes-are-useless": "users imported with real hashes can sign in",
        "idp-takes-over-unverified-user": "a password that is gone leaves no salt behind",
    ]

    @Test(arguments: try Recording.all("firebase"))
    func isHadAgain(_ recording: Recording) async throws {
        let differences = try await differences(recording)
        if let reason = Self.declined[recording.id] {
            #expect(!differences.isEmpty, "\(recording.id) is as recorded, though \(reason)")
        } else {
            #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        }
    }

    private func differences(_ recording: Recording) async throws -> [String] {
        let stage = try Stage(.emulator, clock: MovableClock(base: StillClock())) { $0.project = "demo-recorded" }
        var bindings = Bindings(base: stage.server.base, project: "demo-recorded")
        var differences: [String] = []
        for (number, step) in recording.steps.enumerated() {
            if let seconds = step["advance"]?.int {
                stage.pass(Int(seconds))
                continue
            }
            guard let request = step["request"], let wanted = step["response"] else { continue }
            let answer = try await stage.send(try Self.request(request, bindings, at: stage))
            bindings.bind(answer.json, as: "\(number).json", step: number)
            var comparison = Comparison(bindings, now: stage.server.environment.now)
            comparison.compare(
                ["status": wanted["status"] ?? .null], ["status": .int(Int64(answer.status))], at: "step \(number)")
            if let json = wanted["json"] { comparison.compare(json, answer.json, at: "step \(number)") }
            for name in ["location", "access-control-allow-origin", "access-control-allow-headers"] {
                guard let header = wanted["headers"]?[name] else { continue }
                let got = answer.response.headers[name].map(JSON.string) ?? .null
                comparison.compare(header, got, at: "step \(number) \(name)")
            }
            differences += comparison.differences
        }
        return differences
    }

    private static func request(_ recorded: JSON, _ bindings: Bindings, at stage: Stage) throws -> HTTPRequest {
        let request = bindings.filled(recorded, now: stage.server.environment.now)
        func pairs(_ name: String) -> [(name: String, value: String)] {
            (request[name]?.object ?? [:]).map { (name: $0.name, value: $0.value.string ?? "") }
        }
        var headers = HTTPHeaders()
        for (name, value) in pairs("headers") where name != "Content-Type" { headers.append(name, value) }
        let type = pairs("headers").first { $0.name == "Content-Type" }?.value ?? "application/json"
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
        let method = HTTPMethod(rawValue: request["method"]?.string ?? "GET")
        return HTTPRequest(
            method, stage.server.base + (request["path"]?.string ?? "/"), query: HTTPForm(pairs("query")), headers: headers,
            body: body)
    }
}
