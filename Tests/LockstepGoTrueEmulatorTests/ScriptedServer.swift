import LockstepEmulation
import LockstepPrimitives
import Synchronization

/// A server that gives the answers of a test, and records the requests: a hook, a provider, a page.
final class ScriptedServer: Emulator {
    static let provider = "scripted"

    struct Request: Sendable {
        var path: String
        var headers: Headers
        var body: [UInt8]
        var json: JSON { (try? JSON.parse(body)) ?? .null }
    }

    let answers = Mutex<[String: EmulatorResponse]>([:])
    private let asked = Mutex<[Request]>([])

    var router: Router {
        var router = Router()
        router.get("/{path}") { [self] request in answer(request) }
        router.post("/{path}") { [self] request in answer(request) }
        router.get("/realm/protocol/openid-connect/userinfo") { [self] request in answer(request) }
        router.post("/realm/protocol/openid-connect/token") { _ in .json(["access_token": "token-of-the-provider"]) }
        return router
    }

    private func answer(_ request: EmulatorRequest) -> EmulatorResponse {
        let name = request.path.split(separator: "/").last.map(String.init) ?? ""
        asked.withLock { $0.append(Request(path: name, headers: request.headers, body: request.body)) }
        return answers.withLock { $0[name] } ?? .json([:])
    }

    /// What was asked of one path, in order.
    func requests(_ path: String) -> [Request] { asked.withLock { $0.filter { $0.path == path } } }

    func say(_ path: String, _ json: JSON) { answers.withLock { $0[path] = .json(json) } }

    func say(_ path: String, _ response: EmulatorResponse) { answers.withLock { $0[path] = response } }

    func reset() {}

    static func start() throws -> EmulatorServer<ScriptedServer> {
        try EmulatorServer { _ in ScriptedServer() }
    }
}
