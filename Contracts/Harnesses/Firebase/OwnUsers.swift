internal import LockstepHTTP
internal import LockstepPrimitives
internal import Synchronization

/// The users that an environment has created on a shared server.
final class OwnUsers: Sendable {
    /// The users who existed before the environment.
    ///
    /// They never belong to it.
    private let former: Set<String>
    private let ids = Mutex<Set<String>>([])

    init(former: [String]) { self.former = Set(former) }

    /// The ids of the created users, sorted.
    var made: [String] { ids.withLock { $0.sorted() } }

    /// Returns whether a user existed before the environment.
    func isFormer(_ id: String) -> Bool { former.contains(id) }

    /// Records the user in the response to a request of the environment.
    func note(_ response: HTTPResponse) {
        guard response.isSuccess, let id = (try? JSON.parse(response.body))?["localId"]?.string, !isFormer(id) else { return }
        _ = ids.withLock { $0.insert(id) }
    }
}

/// A transport that records the users in the responses to its requests.
struct OwnUsersTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let users: OwnUsers

    init(_ base: any HTTPTransport, _ users: OwnUsers) {
        self.base = base
        self.users = users
    }

    var executor: (any TaskExecutor)? { base.executor }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let response = try await base.send(request)
        users.note(response)
        return response
    }
}
