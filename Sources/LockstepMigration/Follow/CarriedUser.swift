internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// Digests of a user's data that a run has copied.
///
/// If a digest is different later, the user was changed on the source. The password has a separate digest, because many targets
/// do not return hashes.
public struct CarriedUser: Sendable, Hashable {
    /// The first bytes of the digest of the user's record.
    var record: [UInt8]
    /// The first bytes of the digest of the password's hash.
    var password: [UInt8]

    private static let size = 8

    init(record: [UInt8], password: [UInt8]) {
        self.record = record
        self.password = password
    }

    /// Reads what ``bytes`` has written; `nil` for any other bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 2 * Self.size else { return nil }
        self.init(record: Array(bytes.prefix(Self.size)), password: Array(bytes.suffix(Self.size)))
    }

    /// The format in the journal.
    var bytes: [UInt8] { record + password }

    static func part(_ digest: [UInt8]) -> [UInt8] { Array(digest.prefix(size)) }
}

extension UserMove {
    /// Returns the digests of the values of a user that are copied.
    func carried(_ user: NewDirectoryUser) -> CarriedUser {
        CarriedUser(record: CarriedUser.part(digest(of: user)), password: passwordDigest(user.passwordHash))
    }

    /// Returns the first bytes of the digest of a hash.
    func passwordDigest(_ hash: Secret?) -> [UInt8] { CarriedUser.part(key.digest("password", hash?.reveal() ?? "")) }
}

extension NewDirectoryUser {
    /// The hash of the password, if the password is a hash.
    var passwordHash: Secret? { if case .hash(let hash) = password { hash } else { nil } }
}
