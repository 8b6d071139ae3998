import LockstepDirectory
import LockstepEmulation
import LockstepMigration
import LockstepPrimitives
import Synchronization

/// A source of a move that writes its users to the archive while they are read.
///
/// The archive contains the lines of a file in the neutral format. If the backend returns a page twice, the archive contains it
/// twice.
final class ArchivedDirectory: ForwardingDirectory {
    let base: any UserDirectory
    private let archive: ArchiveWriter
    private let failure = Mutex<MigrationError?>(nil)

    /// The archive's error that ended the reading, if any.
    var problem: MigrationError? { failure.withLock(\.self) }

    /// Starts the archive with its header.
    ///
    /// - Throws: `archive`.
    init(_ source: MoveSource, _ archive: ArchiveWriter) async throws(MigrationError) {
        base = source.directory
        self.archive = archive
        try await archive.append(UserFile.line(UserFile.Header(provider: source.directory.name, project: source.project)))
    }

    private init(_ base: any UserDirectory, _ archive: ArchiveWriter) {
        self.base = base
        self.archive = archive
    }

    func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        let page = try await base.page(after: cursor, size: size)
        do throws(MigrationError) {
            try await archive.append(page.users.flatMap { UserFile.line(SeedUser($0)) })
        } catch {
            failure.withLock { $0 = error }
            throw AuthError(.invalidConfiguration, error.message)
        }
        return page
    }

    func withSnapshot<Value: Sendable>(_ body: (any UserDirectory) async throws -> Value) async throws -> Value {
        try await base.withSnapshot { snapshot in
            let archived = ArchivedDirectory(snapshot, archive)
            do {
                return try await body(archived)
            } catch {
                if let problem = archived.problem { failure.withLock { $0 = problem } }
                throw error
            }
        }
    }
}
