internal import LockstepPrimitives
internal import LockstepSystem

/// A file that a run has written for other programs.
public struct RunFile: Sendable, Hashable {
    /// The path of the file.
    public let path: String
    /// The number of users in the file.
    public let users: Int
}

/// A file of a run that is written in pieces, and replaces the old file when it is complete.
///
/// Only this user can access the file.
struct RunFileWriter: Sendable {
    private let file: FileReplacement
    private(set) var users = 0

    /// Creates a file.
    ///
    /// - Parameter path: The path, in the folder of a run.
    /// - Throws: `journal`.
    init(_ path: String) async throws(MigrationError) {
        file = try await Self.working(path) { try FileReplacement(path) }
    }

    /// Appends bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - count: The number of users in them.
    /// - Throws: `journal`. Then the file is removed.
    mutating func append(_ bytes: [UInt8], users count: Int) async throws(MigrationError) {
        let file = file
        do throws(MigrationError) {
            try await Self.working(file.path) { try file.write(bytes) }
        } catch {
            discard()
            throw error
        }
        users += count
    }

    /// Moves the file to its path.
    ///
    /// - Throws: `journal`. Then the old file is unchanged.
    func finish() async throws(MigrationError) -> RunFile {
        let file = file
        do throws(MigrationError) {
            try await Self.working(file.path) { try file.commit() }
        } catch {
            discard()
            throw error
        }
        return RunFile(path: file.path, users: users)
    }

    /// Removes the incomplete file.
    func discard() { file.discard() }

    /// Removes a file from an earlier pass.
    static func remove(_ path: String) async throws(MigrationError) {
        try await working(path) { try AtomicFile.removeDurably(path) }
    }

    private static func working<Value: Sendable>(
        _ path: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws(MigrationError) -> Value {
        do {
            return try await BlockingThread.run(body)
        } catch {
            throw MigrationError(
                .journal,
                "The file \"\(path.visible)\" cannot be written: \(error). Free space, or repair the folder, then continue the run."
            )
        }
    }
}
