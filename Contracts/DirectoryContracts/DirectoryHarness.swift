@_exported public import Lockstep
@_exported public import LockstepDirectory
@_exported public import LockstepPrimitives

/// The environment for checking the contracts of directories.
///
/// The author of a directory implements it.
public protocol DirectoryHarness: Sendable {
    /// The directory's name, as reports show it.
    var name: String { get }

    /// Sets up a project without users, in which users may sign in by password, runs `body` on it, and removes it.
    func withProject<Result: Sendable>(_ body: (any DirectoryProject) async throws -> Result) async throws -> Result
}

/// A backend with its administrator's directory and the adapter for apps.
public protocol DirectoryProject: Sendable {
    /// Returns a directory of the project.
    ///
    /// - Parameter clock: The clock that it waits by.
    /// - Returns: The directory of the project.
    /// - Throws: An error that ends the check: the project cannot be set up so.
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
    /// - Throws: An error that ends the check: the project cannot be set up so.
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
    /// - Throws: An error that ends the check: the project cannot be set up so.
    func fail(_ request: DirectoryRequest, after passed: Int = 0, with fault: DirectoryFault) throws {
        try fail(request, after: passed, with: fault, times: 1)
    }
}

/// The purpose of a directory's request.
public enum DirectoryRequest: Sendable, CaseIterable {
    /// For a page of users.
    case page
    /// For the user with an id.
    case lookup
    /// For the user with an address.
    case search
    /// To create one or several users, without later reads or changes.
    case creation
    /// To change a user.
    case change
    /// To delete one user.
    case deletion
}

/// A fault of a directory's request.
public enum DirectoryFault: Sendable {
    /// The backend rejects it because of too many requests, and says when to retry (429, `Retry-After`).
    case tooMany(seconds: Int)
    /// The backend processes it, and the response is lost.
    case lostAnswer
    /// The connection is closed before the backend has processed it.
    case lostRequest
    /// The backend fails with status 500, so the outcome is unknown.
    case trouble
    /// The backend processes it, and a cache returns the last successful response to a request of this kind.
    case earlierAnswer
}
