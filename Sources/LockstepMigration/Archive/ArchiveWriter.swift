internal import LockstepCrypto
public import LockstepPrimitives
internal import LockstepSystem

/// Writes an archive, and encrypts it with the operator's key.
///
/// Only the archive contains password hashes and addresses. Other files of a run never contain these values.
public actor ArchiveWriter {
    private let executor: ThreadExecutor
    private let file: FileReplacement
    private let key: ArchiveKey
    private let id: [UInt8]
    private var bytes: [UInt8] = []
    private var place = 0

    /// The thread on which the archive is written.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

    /// Creates an archive.
    ///
    /// An older archive stays until the new archive is complete.
    ///
    /// - Parameters:
    ///   - path: The path of the archive, in a folder that only this user can access.
    ///   - key: The key that encrypts the archive.
    ///   - randomness: The source of the archive's random id. A piece can be decrypted only in an archive with this id.
    /// - Throws: `archive` if the file cannot be created.
    public init(_ path: String, _ key: ArchiveKey, randomness: any Randomness) throws(MigrationError) {
        do throws(SystemError) {
            executor = try ThreadExecutor()
            file = try FileReplacement(path)
            id = randomness.bytes(ArchiveForm.idSize)
            self.key = key
            try file.write(ArchiveForm.mark + id)
        } catch {
            throw MigrationError(.archive, "The archive cannot be written: \(error). Free space, or leave out \"archive\".")
        }
    }

    /// Adds bytes to the archive.
    ///
    /// - Parameter more: The bytes.
    /// - Throws: `archive` if the bytes cannot be written.
    public func append(_ more: [UInt8]) throws(MigrationError) {
        bytes += more
        while bytes.count > ArchiveForm.pieceSize {
            try seal(Array(bytes.prefix(ArchiveForm.pieceSize)), isLast: false)
            bytes.removeFirst(ArchiveForm.pieceSize)
        }
    }

    /// Writes the last bytes, and moves the archive to its path.
    ///
    /// - Throws: `archive` if the bytes cannot be written.
    public func finish() throws(MigrationError) {
        try seal(bytes, isLast: true)
        bytes = []
        do throws(SystemError) {
            try file.commit()
        } catch {
            throw failure(error)
        }
    }

    /// Deletes the incomplete archive.
    public func discard() { file.discard() }

    private func seal(_ piece: [UInt8], isLast: Bool) throws(MigrationError) {
        do {
            let sealed = try key.cipher.seal(piece, context: ArchiveForm.context(id, place, isLast: isLast))
            try file.write(ArchiveForm.bytes(sealed.count, 4) + sealed)
            place += 1
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> MigrationError {
        MigrationError(.archive, "The archive cannot be written: \(error). Free space, and plan again.")
    }
}
