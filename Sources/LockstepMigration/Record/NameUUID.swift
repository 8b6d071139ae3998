internal import LockstepCrypto
internal import LockstepPrimitives

/// A UUID of version 5, which is computed from a name (RFC 9562, section 5.5).
///
/// The same project and id give the same UUID in each run. So a repeated run finds the users of the first run.
public struct NameUUID: Sendable, Hashable {
    private let bytes: [UInt8]

    /// The namespace of DNS names (RFC 9562, section 6.6).
    public static let dns = NameUUID(bytes: [
        0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
    ])
    /// The namespace of URLs (RFC 9562, section 6.6).
    public static let url = NameUUID(bytes: [
        0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
    ])

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Computes the UUID of a name.
    ///
    /// - Parameters:
    ///   - name: The name. Two names that differ in one byte get different UUIDs.
    ///   - space: The namespace.
    public init(_ name: String, in space: NameUUID) {
        var bytes = Array(HashFunction.sha1.digest(space.bytes + Array(name.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x50
        bytes[8] = bytes[8] & 0x3f | 0x80
        self.bytes = bytes
    }

    /// The UUID in lower-case hexadecimal digits with hyphens.
    public var text: String {
        let digits = Array(Hex.encode(bytes).utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
        return parts.joined(separator: "-")
    }
}
