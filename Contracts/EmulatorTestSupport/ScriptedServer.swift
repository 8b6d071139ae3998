package import LockstepEmulation
package import LockstepPrimitives
internal import Synchronization

/// A server that records requests, and returns the responses that a test has set.
///
/// It can act as a hook, an identity provider or a page.
package final class ScriptedServer: Emulator {
    package static let provider = "scripted"

    /// A request that the server has received.
    package struct Request: Sendable {
        /// The last part of the path.
        package var path: String
        package var headers: Headers
        package var body: [UInt8]
        package var json: JSON { (try? JSON.parse(body)) ?? .null }
    }

    private let answers = Mutex<[String: EmulatorResponse]>([:])
    private let asked = Mutex<[Request]>([])

    package var router: Router {
        var router = Router()
        router.on("GET", "/{path}") { [self] request in answer(request) }
        router.on("POST", "/{path}") { [self] request in answer(request) }
        router.on("GET", "/realm/protocol/openid-connect/userinfo") { [self] request in answer(request) }
        router.on("POST", "/realm/protocol/openid-connect/token") { _ in .json(["access_token": "token-of-the-provider"]) }
        return router
    }

    private func answer(_ request: EmulatorRequest) -> EmulatorResponse {
        let name = request.path.split(separator: "/").last.map(String.init) ?? ""
        asked.withLock { $0.append(Request(path: name, headers: request.headers, body: request.body)) }
        return answers.withLock { $0[name] } ?? .json([:])
    }

    /// Returns the requests to one path, in order.
    ///
    /// - Parameter path: The last part of the path.
    package func requests(_ path: String) -> [Request] { asked.withLock { $0.filter { $0.path == path } } }

    /// Sets the response to later requests to a path.
    ///
    /// - Parameters:
    ///   - path: The last part of the path.
    ///   - json: The JSON body of the response.
    package func say(_ path: String, _ json: JSON) { say(path, .json(json)) }

    /// Sets the response to later requests to a path.
    ///
    /// - Parameters:
    ///   - path: The last part of the path.
    package func say(_ path: String, _ response: EmulatorResponse) { answers.withLock { $0[path] = response } }

    package func reset() {}

    package static func start() throws -> EmulatorServer<ScriptedServer> {
        try EmulatorServer { _ in ScriptedServer() }
    }
}
