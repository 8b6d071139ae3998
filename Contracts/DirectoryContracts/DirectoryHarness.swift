@_exported public import Lockstep
@_exported public import LockstepDirectory
@_exported public import LockstepPrimitives

/// A type that sets up a backend for the contracts of directories.
///
/// The author of a directory writes a type that conforms to this protocol.
public protocol DirectoryHarness: Sendable {
    /// The name of the directory in reports.
    var name: String { get }

    /// Sets up a project without users, calls a closure with it, and removes it.
    ///
    /// Users of the project can sign in with a password.
    ///
    /// - Parameter body: The closure that receives the project.
    /// - Throws: The error that `body` throws, or the error that occurred when the project was set up or removed.
    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result
}

/// A project for a check: a backend, a directory for administrators, and an adapter for apps.
public protocol DirectoryProject: Sendable {
    /// Returns a directory of the project.
    ///
    /// - Parameter clock: The clock that the directory uses for its waits.
    /// - Throws: An error if the project has no directory. It ends the check.
    func directory(clock: any DeviceClock) throws -> any UserDirectory

    /// Returns an adapter for an app of the project.
    ///
    /// - Throws: An error if the project has no adapter. It ends the check.
    func adapter() throws -> any AuthAdapter

    /// Makes requests of the directory fail.
    ///
    /// - Parameters:
    ///   - request: The kind of requests that fail.
    ///   - passed: The number of matching requests that get the usual response first.
    ///   - fault: The effect on the requests.
    ///   - times: The number of requests that fail.
    /// - Throws: An error if the backend does not support this fault. It ends the check.
    func fail(_ request: DirectoryRequest, after passed: Int, with fault: DirectoryFault, times: Int) throws

    /// Restores the usual response to all requests.
    ///
    /// - Throws: An error if that is not possible. It ends the check.
    func mend() throws

    /// Returns the number of requests that the directory has sent so far.
    ///
    /// - Throws: An error if the requests cannot be counted. It ends the check.
    func requestCount() throws -> Int
}

extension DirectoryProject {
    /// Makes one request of the directory fail.
    ///
    /// - Parameters:
    ///   - request: The kind of request that fails.
    ///   - passed: The number of matching requests that get the usual response first. Default: none.
    ///   - fault: The effect on the request.
    /// - Throws: An error if the backend does not support this fault. It ends the check.
    func fail(_ request: DirectoryRequest, after passed: Int = 0, with fault: DirectoryFault) throws {
        try fail(request, after: passed, with: fault, times: 1)
    }
}

/// A kind of request that a directory sends.
public enum DirectoryRequest: Sendable, CaseIterable {
    /// A request for a page of users.
    case page
    /// A request for the user with an id.
    case lookup
    /// A request for the user with an email address.
    case search
    /// A request that creates one or more users.
    ///
    /// Later requests that read or change these users belong to other kinds.
    case creation
    /// A request that changes a user.
    case change
    /// A request that deletes one user.
    case deletion
}

/// The effect of a fault on a request of a directory.
public enum DirectoryFault: Sendable {
    /// The backend rejects the request because of too many requests, and returns a waiting time (429, `Retry-After`).
    case tooMany(seconds: Int)
    /// The backend handles the request, but the response is lost.
    case lostAnswer
    /// The connection is closed before the backend handles the request.
    case lostRequest
    /// The backend responds with status 500. The client cannot know whether the backend has handled the request.
    case trouble
    /// The backend handles the request.
    ///
    /// A cache returns the last successful response to a request of this kind.
    case earlierAnswer
}
