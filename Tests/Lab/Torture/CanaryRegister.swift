import LockstepHTTP
import LockstepPrimitives
import Synchronization

/// Knows the owner of each token and each name, and detects each value that reaches another user.
final class CanaryRegister: Sendable {
    private struct State {
        var owners: [Substring: Int] = [:]
        var seen = 0
        var faults: [String] = []
    }

    private let state = Mutex(State())

    /// The number of checked values, and the values that reached the wrong user.
    var findings: (seen: Int, faults: [String]) { state.withLock { ($0.seen, $0.faults) } }

    /// Records the owner of a value, unless it already has another.
    func note(_ text: String, of owner: Int) {
        state.withLock { state in
            if let other = state.owners[text[...]], other != owner {
                state.faults.append("client \(owner) was given what is client \(other)'s")
            } else {
                state.owners[text[...]] = owner
            }
        }
    }

    /// Checks every word of a text: none may belong to another user.
    func look(at text: String, of owner: Int, _ place: String) {
        // The characters of tokens and of the names of canaries.
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == ".") }
        state.withLock { state in
            for word in words {
                guard let other = state.owners[word] else { continue }
                state.seen += 1
                if other != owner { state.faults.append("\(place) of client \(owner) has what is client \(other)'s") }
            }
        }
    }
}

/// The transport of one client, which checks everything that it sends and receives.
struct CanaryTransport: HTTPTransport {
    let base: any HTTPTransport
    let register: CanaryRegister
    let owner: Int

    var executor: (any TaskExecutor)? { base.executor }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let fields = request.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        let sent = [request.url, fields, String(decoding: request.body.bytes, as: UTF8.self)].joined(separator: "\n")
        register.look(at: sent, of: owner, "a request")
        let response = try await base.send(request)
        let json = try? response.json()
        for name in ["access_token", "refresh_token"] {
            if let token = json?[name]?.string { register.note(token, of: owner) }
        }
        register.look(at: String(decoding: response.body, as: UTF8.self), of: owner, "an answer")
        return response
    }
}
