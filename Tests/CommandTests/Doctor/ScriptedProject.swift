import Foundation
import LockstepCurl
import LockstepDoctor
import LockstepHTTP
import LockstepPrimitives
import Synchronization
import Testing

/// A project on a real server: an emulator whose responses a test replaces by faults, also those of other hosts.
struct ScriptedProject: Sendable {
    let line: JSON
    let transport: RedirectedTransport

    init(_ line: JSON) {
        self.line = line
        transport = RedirectedTransport(base: line["base"]?.string ?? "")
    }

    var base: String { transport.base }

    /// The value of a key of the ready line.
    func key(_ name: String) -> Secret { Secret(line["vars"]?[name]?.string ?? "") }

    /// Sends a request to a control route.
    @discardableResult func control(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let request = HTTPRequest(
            method, base + "/__lockstep" + path, headers: ["Authorization": line["control"]?["Authorization"]?.string ?? ""],
            body: body.map { .json($0) } ?? .none)
        let answer = try await CurlTransport().send(request)
        let document = answer.body.isEmpty ? .null : try JSON.parse(answer.body)
        #expect(answer.isSuccess, "\(path): \(document.text())")
        return document
    }

    /// Replaces the responses of paths, each until the next call.
    func answer(_ answers: [(path: String, status: Int64, body: JSON)]) async throws {
        try await control(.delete, "/faults")
        for answer in answers {
            let path: JSON = .string(answer.path)
            let fault: JSON = [
                "path": path, "effect": "status", "status": .int(answer.status), "body": answer.body, "times": 1000,
            ]
            try await control(.post, "/faults", fault)
        }
    }

    /// The requests that the server has received since its start, as "GET /path".
    func requests() async throws -> [String] {
        let seen = try await control(.get, "/requests")["requests"]?.array ?? []
        return seen.map { "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "")" }
    }

    /// Starts an emulator for a test.
    static func with(_ words: [String], _ body: (ScriptedProject) async throws -> Void) async throws {
        _ = try await ServerProcess.serving(words, lines: 1) { try await body(ScriptedProject($0[0])) }
    }
}

/// Redirects requests for other hosts to the server of a test, and records them.
final class RedirectedTransport: HTTPTransport {
    let base: String
    private let transport = CurlTransport()
    private let seen = Mutex<[HTTPRequest]>([])

    init(base: String) { self.base = base }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        var copy = request
        if request.url.hasPrefix("https://") {
            let rest = request.url.dropFirst("https://".count)
            copy.url = base + rest.drop { $0 != "/" }
        }
        return try await transport.send(copy)
    }
}
