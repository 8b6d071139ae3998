internal import LockstepCrypto
internal import LockstepPrimitives

/// The key for the digests of a run.
///
/// Without it, the digests in the journal reveal nothing about a user.
public struct RunKey: Sendable {
    private let bytes: [UInt8]

    /// The number of bytes of a key.
    static let size = 32

    /// Creates a key.
    ///
    /// - Parameter bytes: 32 random bytes. The result is `nil` for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// Returns the digest of a record: HMAC-SHA-256 of its canonical form.
    func digest(of record: UserRecord) -> [UInt8] {
        HashFunction.sha256.authenticate(JSON.object(record.members).canonical.bytes(), key: bytes)
    }

    /// Returns the digest of a value of which there may be one only, such as an address.
    func digest(_ kind: String, _ value: String) -> [UInt8] {
        HashFunction.sha256.authenticate(Array("\(kind)\u{0}\(value)".utf8), key: bytes)
    }
}

extension RunKey: CustomStringConvertible, CustomReflectable {
    /// The name of the type, never the key.
    public var description: String { "RunKey" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
