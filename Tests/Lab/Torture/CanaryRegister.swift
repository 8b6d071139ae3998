import LockstepHTTP
import LockstepPrimitives
import Synchronization

/// Knows the owner of each token and each name, and sees each one that reaches another user.
final class CanaryRegister: Sendable {
    private struct State {
        var owners: [Substring: Int] = [:]
        var seen = 0
        var faults: [String] = []
    }

    private let state = Mutex(State())

    /// How many owned values were checked, and which reached the wrong user.
    var findings: (seen: Int, faults: [String]) { state.withLock { ($0.seen, $0.faults) } }

    /// Notes the owner of a value, unless it has another already.
    func note(_ text: String, of owner: Int) {
        state.withLock { state in
            if let other = state.owners[text[...]], other != owner {
                state.faults.append("client \(owner) was given what is client \(other)'s")
            } else {
                state.owners[text[...]] = owner
            }
        }
    }

    /// Looks at every word of a text: none may be another's.
    func look(at text: String, of owner: Int, _ place: String) {
        // What tokens and the names of canaries are made of.
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

/// The transport of one client: all that it sends and gets is checked.
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
