@_exported public import Lockstep
@_exported public import LockstepDirectory
@_exported public import LockstepPrimitives

/// Written by the author of a directory so that the promises of directories can be checked on it.
public protocol DirectoryHarness: Sendable {
    /// The directory's name, as reports show it.
    var name: String { get }

    /// Sets up a project without users, in which users may sign in by password, runs `body` on it, and removes it.
    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result
}

/// A backend with its administrator's directory and the adapter of its apps.
public protocol DirectoryProject: Sendable {
    /// A directory of the project.
    ///
    /// - Parameter clock: the clock that it waits by.
    func directory(clock: any DeviceClock) throws -> any UserDirectory

    /// The adapter of an app of the project.
    func adapter() throws -> any AuthAdapter

    /// Makes requests of the directory fail, after others are answered as usual.
    ///
    /// - Parameters:
    ///   - request: The requests that count.
    ///   - passed: How many of them are answered first.
    ///   - fault: What happens to the requests after these.
    ///   - times: How many requests fail.
    func fail(_ request: DirectoryRequest, after passed: Int, with fault: DirectoryFault, times: Int) throws

    /// Answers requests as usual from now on.
    func mend() throws

    /// How many requests the directory has sent so far.
    func requestCount() throws -> Int
}

extension DirectoryProject {
    /// Makes one request of the directory fail, after others are answered as usual.
    ///
    /// - Parameters:
    ///   - request: The requests that count.
    ///   - passed: How many of them are answered first.
    ///   - fault: What happens to the request after these.
    func fail(_ request: DirectoryRequest, after passed: Int = 0, with fault: DirectoryFault) throws {
        try fail(request, after: passed, with: fault, times: 1)
    }
}

/// Requests of a directory, by what they are for.
public enum DirectoryRequest: Sendable, CaseIterable {
    /// For a page of users.
    case page
    /// For the user with an id.
    case lookup
    /// For the user with an address.
    case search
    /// To make a user or several; not what is asked or changed afterwards.
    case creation
    /// To change a user.
    case change
    /// To delete one user.
    case deletion
}

/// What happens to a request of a directory.
public enum DirectoryFault: Sendable {
    /// The backend rejects it as one too many, and says in how many seconds it takes it (429, `Retry-After`).
    case tooMany(seconds: Int)
    /// The backend does it, and the response is lost.
    case lostAnswer
    /// The connection ends before the backend has done anything.
    case lostRequest
    /// The backend is in trouble (500), so that nothing is known of what it has done.
    case trouble
    /// The backend does it, and a cache answers with the last successful response to a request of this kind.
    case earlierAnswer
}
