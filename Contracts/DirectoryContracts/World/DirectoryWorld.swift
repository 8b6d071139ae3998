internal import Lockstep
public import LockstepContracts
internal import LockstepDirectory
internal import LockstepPrimitives
internal import Synchronization

/// The parts of one check: a new project, and the findings.
public final class DirectoryWorld: ContractWorld {
    let project: any DirectoryProject
    /// The clock of the directories.
    let clock = PassingClock()
    /// The findings of the run.
    public let findings = FindingLog()
    private let mutation: DirectoryMutation

    private init(_ project: any DirectoryProject, _ mutation: DirectoryMutation) {
        self.project = project
        self.mutation = mutation
    }

    /// The directory of one run.
    public struct Setting: Sendable {
        let harness: any DirectoryHarness
        let mutation: DirectoryMutation
    }

    /// A fault in a directory.
    public typealias Mutation = DirectoryMutation

    /// The contracts of directories.
    public static var contracts: [DirectoryContract] { DirectoryCatalog.all }

    /// Sets up one run.
    ///
    /// - Parameters:
    ///   - judge: Checks the contract.
    /// - Throws: An error of the harness.
    public static func open(
        _ setting: Setting, for contract: DirectoryContract, judging judge: @Sendable (DirectoryWorld) async -> Verdict
    ) async throws {
        _ = try await setting.harness.withProject { project in await judge(DirectoryWorld(project, setting.mutation)) }
    }

    static let password: Secret = "Correct-Horse-1"

    func directory() throws -> any UserDirectory {
        mutation.directory(try project.directory(clock: mutation.clock(clock)))
    }

    /// Returns a new user who can sign in with a password immediately.
    func user(_ name: String, _ password: NewDirectoryUser.Password? = .text(password)) -> NewDirectoryUser {
        var user = NewDirectoryUser(email: "\(name)@example.com", password: password)
        user.isEmailConfirmed = true
        return user
    }

    /// Signs in with an app of the project.
    ///
    /// Returns `nil` if the sign-in succeeds.
    func refusal(_ email: String, _ password: Secret = password) async throws -> AuthError? {
        // This clock uses real time. The other clock ends every wait immediately, so the deadlines of the client's calls would
        // pass.
        let clock = SystemClock()
        let client = AuthClient(
            adapter: try project.adapter(), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
        do throws(AuthError) {
            let step = try await client.signIn(with: .password(email: email, password: password))
            return step.session == nil ? AuthError(.unknown, "The sign-in requires another step: \(step)") : nil
        } catch {
            return error
        }
    }

    /// Returns the number of users.
    func count(_ directory: any UserDirectory) async throws -> Int {
        var count = 0
        for try await _ in directory.all() { count += 1 }
        return count
    }
}

extension DirectoryWorld {
    func expect(
        _ condition: Bool, _ message: @autoclosure () -> String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        if !condition { report(message(), fileID: fileID, filePath: filePath, line: line, column: column) }
    }

    /// Records a finding unless `body` fails with the code.
    func expect(
        _ code: AuthError.Code, _ occasion: String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        _ body: () async throws(AuthError) -> Void
    ) async {
        do throws(AuthError) {
            try await body()
            report(
                "\(occasion): expected \(code), but the call succeeded", fileID: fileID, filePath: filePath, line: line,
                column: column)
        } catch {
            expect(
                error.code == code, "\(occasion): expected \(code), got \(error)", fileID: fileID, filePath: filePath, line: line,
                column: column)
        }
    }
}

/// A clock that ends every wait immediately, and then shows the time after the wait.
///
/// A check measures a wait without waiting itself.
final class PassingClock: DeviceClock {
    private let passed = Mutex<Duration>(.zero)

    var now: Instant { Instant(seconds: 1_800_000_000) + time }
    var uptime: Duration { .seconds(5000) + time }
    let bootID = "passing"

    /// The sum of all waits.
    var time: Duration { passed.withLock { $0 } }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        passed.withLock { $0 += max(duration, .zero) }
        await Task.yield()
    }
}
