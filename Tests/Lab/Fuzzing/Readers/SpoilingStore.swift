internal import Lockstep
import LockstepContracts
internal import LockstepPrimitives

/// A store with values that a faulty disk, or an older or a newer version of the app, has written.
struct SpoilingStore: ForwardingStore {
    let base: any SessionStore
    let dice: Dice
    /// One load in this many is damaged.
    let rate: Int

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        guard let value = try await base.load(key), dice.hits(oneIn: rate) else { return try await base.load(key) }
        guard dice.roll(6) > 0, var json = try? JSON.parse(value.bytes) else {
            return StoredValue(bytes: TextMutation(dice: dice).mutated(value.bytes), revision: value.revision)
        }
        for _ in 0..<(1 + dice.roll(3)) { json = JSONMutation(dice: dice).mutated(json) }
        return StoredValue(bytes: json.bytes(), revision: value.revision)
    }
}
