import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Uploaded pictures, which the emulator serves at `/images/{id}`.
struct Images {
    let context: RequestContext

    /// Stores a picture, recognized by its first bytes as PNG, JPEG, GIF or WebP, and deletes the picture that it
    /// replaces.
    func store(_ bytes: [UInt8], replacing old: String?) throws -> (record: ImageRecord, url: String) {
        guard let type = Self.type(of: bytes) else {
            throw ClerkError.malformed("file", "file must be a PNG, JPEG, GIF or WebP image.")
        }
        if let old { try delete(old) }
        let record = ImageRecord(id: context.id(.image), type: type, bytes: bytes)
        try context.db.save(record)
        return (record, "\(context.state.base)/images/\(record.id)")
    }

    /// Deletes the picture at a URL that ``store(_:replacing:)`` has returned.
    func delete(_ url: String) throws {
        let id = url.pieces(at: "/").last.map(String.init) ?? ""
        try context.db.run("DELETE FROM images WHERE id = \(id)")
    }

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual(Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }
}
