internal import LockstepCrypto
internal import LockstepPrimitives

/// The key with which the operator encrypts an archive: 32 bytes, written as 64 hexadecimal digits.
public struct ArchiveKey: Sendable {
    let cipher: AES

    /// Reads a key, as `openssl rand -hex 32` writes it.
    ///
    /// - Parameter text: The 64 hexadecimal digits.
    /// - Throws: `archive` if the text is not such a key.
    public init(_ text: Secret) throws(MigrationError) {
        guard let bytes = Hex.decode(text.reveal()), bytes.count == 32, let cipher = try? AES(key: bytes) else {
            throw MigrationError(
                .archive,
                "The key of the archive is not 64 hexadecimal digits. Create one with: openssl rand -hex 32 > archive.key")
        }
        self.cipher = cipher
    }
}

/// The format of an archive: a header, then pieces that are each encrypted with AES-256-GCM.
///
/// The context of a piece contains the archive's id, the position of the piece, and whether it is the last piece. So no piece
/// can be exchanged, moved or cut off.
enum ArchiveForm {
    static let mark = Array("lockstep archive 1\n".utf8)
    static let idSize = 16
    /// The number of bytes that are encrypted together.
    static let pieceSize = 1 << 18
    /// The number of bytes that the nonce and the authentication tag add to each piece.
    static let sealSize = 28

    /// The context of a piece, which its authentication tag covers.
    static func context(_ id: [UInt8], _ place: Int, isLast: Bool) -> [UInt8] {
        mark + id + bytes(place, 8) + [isLast ? 1 : 0]
    }

    /// A number in big-endian order.
    static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }
}
