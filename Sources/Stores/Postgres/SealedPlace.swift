package import Lockstep
internal import LockstepCrypto

/// Where a value belongs: whose it is, under which key, in which state.
///
/// It is proven along with the bytes, so that a value that was moved to another row, or put back into another state, is
/// not opened.
package struct SealedPlace {
    let owner: String
    let key: StoreKey
    let revision: Revision

    package init(owner: String, key: StoreKey, revision: Revision) {
        self.owner = owner
        self.key = key
        self.revision = revision
    }

    /// The row's id: what may be as long and as odd as it likes becomes 32 bytes.
    static func id(_ owner: String, _ key: StoreKey) -> [UInt8] {
        HashFunction.sha256.digest(joined([owner, key.provider, key.backend, key.slot.rawValue]))
    }

    /// What is proven.
    func context(_ keyID: String) -> [UInt8] {
        Self.joined(["lockstep 1", owner, key.provider, key.backend, key.slot.rawValue, revision.rawValue, keyID])
    }

    /// Each text after its length, so that no two lists look the same.
    private static func joined(_ texts: [String]) -> [UInt8] {
        texts.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    }
}
