internal import LockstepCrypto
internal import LockstepPrimitives

/// The key for the digests in the journal of a run.
///
/// Without the key, the digests reveal nothing about a user.
public struct RunKey: Sendable {
    private let bytes: [UInt8]

    /// The number of bytes of a key.
    static let size = 32

    /// Creates a key; `nil` if `bytes` does not contain exactly 32 bytes.
    ///
    /// - Parameter bytes: 32 random bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// The number of bytes of a record's digest.
    static let digestSize = 32

    /// Returns the digest of a record: HMAC-SHA-256 of its canonical form.
    func digest(of record: UserRecord) -> [UInt8] {
        HashFunction.sha256.authenticate(JSON.object(record.members).canonical.bytes(), key: bytes)
    }

    /// Returns the digest of a value that must be unique, such as an address.
    func digest(_ kind: String, _ value: String) -> [UInt8] {
        HashFunction.sha256.authenticate(Array("\(kind)\u{0}\(value)".utf8), key: bytes)
    }
}

extension RunKey: CustomStringConvertible, CustomReflectable {
    /// The name of the type.
    ///
    /// The description does not contain the key.
    public var description: String { "RunKey" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
