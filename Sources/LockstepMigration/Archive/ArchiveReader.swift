internal import LockstepCrypto
internal import LockstepSystem

/// Reads an archive in pieces.
public struct ArchiveReader {
    private let file: FileReader
    private let key: ArchiveKey
    private let id: [UInt8]
    private var place = 0
    private var isAtEnd = false

    /// Opens an archive.
    ///
    /// - Parameters:
    ///   - path: The path of the archive.
    ///   - key: The key with which the archive was encrypted.
    /// - Throws: `archive` if there is no archive.
    public init(_ path: String, _ key: ArchiveKey) throws(MigrationError) {
        let head: [UInt8]?
        do throws(SystemError) {
            file = try FileReader(path)
            head = try file.read(exactly: ArchiveForm.mark.count + ArchiveForm.idSize)
        } catch {
            guard error.code == SystemError.noSuchFile else { throw Self.unreadable("\(error)") }
            throw MigrationError(
                .archive, "The run has no archive. Name a key under \"archive\" in move.json before lockstep migrate plan.")
        }
        guard let head, head.starts(with: ArchiveForm.mark) else { throw Self.unreadable("it is not an archive of this version") }
        id = Array(head.dropFirst(ArchiveForm.mark.count))
        self.key = key
    }

    /// Reads the next piece of the archive.
    ///
    /// - Returns: The bytes; `nil` at the end.
    /// - Throws: `archive` if the archive was changed or cut off, or if the key is wrong.
    public mutating func next() throws(MigrationError) -> [UInt8]? {
        do {
            guard !isAtEnd else {
                guard try file.read(upTo: 1).isEmpty else { throw Self.unreadable("there are bytes after its end") }
                return nil
            }
            guard let length = try file.read(exactly: 4), case let count = length.reduce(0, { $0 << 8 | Int($1) }),
                (ArchiveForm.sealSize...ArchiveForm.pieceSize + ArchiveForm.sealSize).contains(count),
                let sealed = try file.read(exactly: count)
            else { throw Self.unreadable("it is cut off") }
            defer { place += 1 }
            // The last piece is marked as the last: an archive that was cut between two pieces lacks it.
            if let piece = try? key.cipher.open(sealed, context: ArchiveForm.context(id, place, isLast: false)) { return piece }
            let piece = try key.cipher.open(sealed, context: ArchiveForm.context(id, place, isLast: true))
            isAtEnd = true
            return piece
        } catch let error as MigrationError {
            throw error
        } catch is CryptoError {
            throw Self.unreadable("it was changed, or sealed with another key")
        } catch {
            throw Self.unreadable("\(error)")
        }
    }

    private static func unreadable(_ reason: String) -> MigrationError {
        MigrationError(
            .archive, "The archive cannot be read: \(reason). Use the key in \"archive\" at the time of the plan.")
    }
}

extension FileReader {
    /// Reads this number of bytes; `nil` if there are fewer.
    fileprivate func read(exactly count: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try read(upTo: count - bytes.count)
            if more.isEmpty { return nil }
            bytes += more
        }
        return bytes
    }
}
