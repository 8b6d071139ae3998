import LockstepPrimitives
import LockstepRecordings
import LockstepTestConcurrency
import Testing

/// The comparison finds every field that differs from the recording.
///
/// Only the spelling can differ.
@Suite(.limitedConcurrency)
struct DifferenceTests {
    private static let runner = Result { try RecordingRunner() }

    private func outcome(_ steps: JSON, checked: JSON = [], unordered: JSON = []) async throws -> Outcome {
        let document: JSON = [
            "id": "made-up", "provider": "gotrue", "variant": "full", "steps": steps, "checked": checked, "unordered": unordered,
        ]
        return try await Self.runner.get().run(Recording(document, from: "made up"))
    }

    private func paths(_ outcome: Outcome) -> [String] {
        guard case .differs(let differences) = outcome else { return [] }
        return differences.map(\.path)
    }

    private func health(_ json: JSON, status: JSON = 200, headers: JSON = [:]) -> JSON {
        [["request": ["method": "GET", "path": "/health"], "response": ["status": status, "headers": headers, "json": json]]]
    }

    private static let answer: JSONObject = ["version": "<any>", "name": "GoTrue", "description": "<prefix:GoTrue is a user>"]

    private func changed(_ name: String, _ value: JSON?) -> JSON {
        var answer = Self.answer
        answer[name] = value
        return .object(answer)
    }

    @Test func equalConversationsHaveNoDifference() async throws {
        #expect(try await outcome(health(.object(Self.answer))) == .matched)
        #expect(try await outcome(health(changed("extra?", "<any>"))) == .matched)
    }

    @Test func eachFieldIsCompared() async throws {
        #expect(paths(try await outcome(health(changed("name", "GoLie")))) == ["json.name"])
        #expect(paths(try await outcome(health(changed("name", nil)))) == ["json.name"])
        #expect(paths(try await outcome(health(changed("more", 1)))) == ["json.more"])
        #expect(paths(try await outcome(health(changed("name", "<uuid>")))) == ["json.name"])
        #expect(paths(try await outcome(health(changed("name", "<unheard-of:1>")))) == ["json.name"])
        #expect(paths(try await outcome(health(changed("name", "${7.json.id}")))) == ["json.name"])
        #expect(paths(try await outcome(health(.object(Self.answer), status: 201))) == ["status"])
        #expect(paths(try await outcome(health([]))) == ["json"])
    }

    @Test func headersAreComparedByPresenceAndValue() async throws {
        let body = JSON.object(Self.answer)
        #expect(
            try await outcome(health(body, headers: ["content-type": "application/json; q=1"]), checked: ["content-type"])
                == .matched)
        #expect(paths(try await outcome(health(body), checked: ["content-type"])) == ["header content-type"])
        #expect(
            paths(try await outcome(health(body, headers: ["location": "/elsewhere"]))) == ["header location"])
    }

    @Test func timesAreComparedByTheServersClock() async throws {
        func signUp(_ time: JSON) -> JSON {
            [
                ["advance": 100],
                [
                    "request": ["method": "POST", "path": "/signup", "json": [:]],
                    "response": [
                        "status": 200,
                        "json": [
                            "access_token": ["<jwt>": ["claims": "<any>"]], "token_type": "bearer", "expires_in": "<int>",
                            "expires_at": time, "refresh_token": "<opaque>", "user": "<any>",
                        ],
                    ],
                ],
            ]
        }
        #expect(try await outcome(signUp("<epoch:+3600>")) == .matched)
        #expect(paths(try await outcome(signUp("<epoch:+3700>"))) == ["json.expires_at"])
        #expect(paths(try await outcome(signUp("<digits:6>"))) == ["json.expires_at"])
    }

    @Test func impossibleStepEndsTheConversation() async throws {
        let steps: JSON = [
            ["request": ["method": "GET", "path": "/user/${3.json.id}"], "response": ["status": 200]],
            ["request": ["method": "GET", "path": "/nowhere"], "response": ["status": 200]],
        ]
        #expect(paths(try await outcome(steps)) == ["the step"])
        #expect(paths(try await outcome([["mail": ["to": "${new.ada}", "links": [], "code": nil]]])).count == 1)
    }
}
