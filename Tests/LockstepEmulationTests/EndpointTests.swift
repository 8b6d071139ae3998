import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepEmulation

/// Endpoints: the steps before, in and after the transaction.
@Suite(.limitedConcurrency)
struct EndpointTests {
    private enum Access: Sendable { case anyone, holder }

    /// The known values of one request.
    private struct Call: Sendable {
        var body = Body()
        var token: String?
        var holder: String?
    }

    private enum Refusal: Error { case noToken, wrongToken, refusedByHandler }

    private final class State: EmulatorState {
        typealias Access = EndpointTests.Access
        typealias Call = EndpointTests.Call
        typealias Answer = JSON

        let environment: EmulationEnvironment
        let database: Database
        let settings = 0

        init() throws {
            let clock = ManualClock(base: FixedClock())
            let randomness = SystemRandomness()
            environment = EmulationEnvironment(
                base: "http://127.0.0.1:1", clock: clock, randomness: randomness,
                outbox: Outbox(clock: clock, randomness: randomness), storage: .memory, workers: Workers(count: 1))
            database = try Database(
                "endpoints", in: .memory,
                Schema([
                    "CREATE TABLE holders (token TEXT PRIMARY KEY, name TEXT NOT NULL); INSERT INTO holders VALUES ('t', 'Ada')"
                ]))
        }

        var ownCall: Call { Call(holder: "administrator") }

        func call(of request: EmulatorRequest, to endpoint: Endpoint<State>, _ settings: Int) throws -> Call {
            let object = try request.body.isEmpty ? [:] : request.json().object ?? [:]
            let body = Body(try endpoint.body.read(object, BodyRules(unknown: .rejected, values: .exact)))
            guard endpoint.access == .holder else { return Call(body: body) }
            guard let token = request.bearer else { throw Refusal.noToken }
            return Call(body: body, token: token)
        }

        func admit(_ context: RequestContext<State>, to endpoint: Endpoint<State>) throws {
            guard let token = context.call.token else { return }
            context.call.holder = try context.db.value("SELECT name FROM holders WHERE token = \(token)")
            if context.call.holder == nil { throw Refusal.wrongToken }
        }

        func response(with answer: JSON, in context: RequestContext<State>) throws -> EmulatorResponse {
            .json(answer).with("X-Holder", context.call.holder ?? "")
        }

        func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse {
            .text("\(error)", status: error is Refusal ? 403 : error is BodyFault ? 400 : 500)
        }
    }

    private struct Shouting: DeferredWork {
        let text: String

        func run(in environment: EmulationEnvironment) async throws -> String { text.uppercased() }
    }

    private static func answer(
        _ state: State, _ endpoint: Endpoint<State>, token: String? = nil, body: String = ""
    ) async throws -> EmulatorResponse {
        var headers = Headers()
        if let token { headers.add("Authorization", "Bearer \(token)") }
        let request = EmulatorRequest(method: "POST", target: "/", headers: headers, body: Array(body.utf8))
        switch TransactionRunner(state).reply(to: request, endpoint) {
        case .now(let response): return response
        case .later(let work): return try await work()
        }
    }

    @Test("an endpoint reads the call, authorizes the sender and wraps the response")
    func runsAllStepsOfAnEndpoint() async throws {
        let state = try State()
        let endpoint = Endpoint<State>.post("/", .holder, body: ["text": .text]) { context in
            ["holder": .string(context.call.holder ?? ""), "text": .string(context.call.body.text("text") ?? "")]
        }
        let response = try await Self.answer(state, endpoint, token: "t", body: #"{"text":"a"}"#)
        #expect(try JSON.parse(response.body) == ["holder": "Ada", "text": "a"])
        #expect(response.headers["X-Holder"] == "Ada")
    }

    @Test("an error in any step ends the request before the handler", arguments: ["call", "admit", "body"])
    func rejectsAtEachStep(_ step: String) async throws {
        let endpoint = Endpoint<State>.post("/", .holder, body: ["text": .text]) { _ in
            Issue.record("the handler ran")
            return .null
        }
        let (token, body) = step == "call" ? (nil, "") : step == "admit" ? ("x", "") : ("t", #"{"other":1}"#)
        let response = try await Self.answer(State(), endpoint, token: token, body: body)
        #expect(response.status == (step == "body" ? 400 : 403))
    }

    @Test("each run of a handler starts with the original call")
    func restartsEachRun() async throws {
        let endpoint = Endpoint<State>.post("/", .holder, .repeats) { context in
            let before = context.call.holder
            context.call.holder = "changed"
            _ = try context.result(of: Shouting(text: "a"))
            return .string(before ?? "")
        }
        let response = try await Self.answer(State(), endpoint, token: "t")
        #expect(try JSON.parse(response.body) == "Ada")
    }

    @Test(
        "a handler that requests undeclared work fails",
        arguments: [EndpointRun.reads, .writes])
    func undeclaredWorkFails(_ run: EndpointRun) async throws {
        let state = try State()
        let shout: Endpoint<State>.Handler = { context in .string(try context.result(of: Shouting(text: "a"))) }
        #expect(try await Self.answer(state, Endpoint("POST", "/", .anyone, run, shout)).status == 500)
        #expect(try await Self.answer(state, Endpoint("POST", "/", .anyone, .repeats, shout)).body == Array(#""A""#.utf8))
        // An existing value needs the declaration, too.
        let prepared = Prepared("key", on: state.environment.workers) { "key" }
        let sign: Endpoint<State>.Handler = { context in .string(try context.value(of: prepared)) }
        #expect(try await Self.answer(state, Endpoint("POST", "/", .anyone, run, sign)).status == 500)
        #expect(try await Self.answer(state, Endpoint("POST", "/", .anyone, .repeatsReading, sign)).status == 200)
    }

    @Test("a reading endpoint cannot write")
    func readingEndpointCannotWrite() async throws {
        let endpoint = Endpoint<State>.get("/", .anyone) { context in
            try context.db.run("DELETE FROM holders")
            return .null
        }
        #expect(try await Self.answer(State(), endpoint).status == 500)
    }

    @Test("an administrator in the process has its own call")
    func administratorHasItsOwnCall() throws {
        #expect(try TransactionRunner(State()).perform { $0.call.holder } == "administrator")
    }

    @Test("the first section that has the path decides about the method")
    func firstMatchingSectionDecides() {
        let (front, back) = (RouteSection(rawValue: "front"), RouteSection(rawValue: "back"))
        var router = Router()
        for (section, method, pattern) in [
            (front, "GET", "/both"), (back, "POST", "/both"), (back, "GET", "/back"), (front, "DELETE", "/front"),
        ] {
            router.on(method, pattern, in: section) { _ in .now(.text(section.rawValue)) }
        }
        router.sections = { request in
            let fronts = request.query["_method"] ?? request.method
            let both = [(section: front, method: fronts), (section: back, method: request.method)]
            return request.bearer == nil ? both : both.reversed()
        }
        let routed = router
        func found(_ method: String, _ target: String, key: Bool = false) -> String {
            let headers: Headers = key ? ["Authorization": "Bearer sk"] : [:]
            let request = EmulatorRequest(method: method, target: target, headers: headers)
            switch routed.match(request, rawPath: request.rawPath[...]) {
            case .route(let handler, _):
                guard case .now(let response)? = try? handler(request) else { return "?" }
                return String(decoding: response.body, as: UTF8.self)
            case .otherMethods(let methods): return methods.joined(separator: ",")
            case .nothing: return "nothing"
            }
        }
        #expect(found("GET", "/both") == "front")
        #expect(found("GET", "/both", key: true) == "POST")
        #expect(found("POST", "/both", key: true) == "back")
        #expect(found("POST", "/both") == "GET")
        #expect(found("GET", "/back") == "back")
        #expect(found("POST", "/front?_method=DELETE") == "front")
        #expect(found("GET", "/none") == "nothing")
    }
}
