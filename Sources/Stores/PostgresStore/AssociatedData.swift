package import Lockstep

/// The data that binds a value to its place: its owner, its key and its revision.
///
/// It is authenticated together with the bytes. So a value is not decrypted if someone has moved it to another row, or has given
/// it another revision. But an older row that was restored completely is decrypted: see ``PostgresSessionStore``.
package struct AssociatedData {
    let owner: String
    let key: StoreKey
    let revision: Revision

    package init(owner: String, key: StoreKey, revision: Revision) {
        self.owner = owner
        self.key = key
        self.revision = revision
    }

    /// Returns the id of a row: 32 bytes, whatever the length and the content of the texts are.
    static func id(_ owner: String, _ key: StoreKey) -> [UInt8] {
        key.digest(owner: owner)
    }

    /// Returns the bytes that are authenticated.
    func context(_ keyID: String) -> [UInt8] {
        StoreKey.joined(["lockstep 1", owner, key.provider, key.backend, key.slot.rawValue, revision.rawValue, keyID])
    }
}
