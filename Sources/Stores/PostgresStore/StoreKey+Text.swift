internal import Lockstep
internal import LockstepPrimitives

extension StoreKey {
    /// The key as JSON, in which no character is left that PostgreSQL does not take.
    var text: String {
        JSON.object(["provider": .string(provider), "backend": .string(backend), "slot": .string(slot.rawValue)]).text()
    }

    /// Reads what ``text`` wrote; `nil` where it is something else.
    init?(text: String) {
        guard let json = try? JSON.parse(Array(text.utf8)), let provider = json["provider"]?.string,
            let backend = json["backend"]?.string, let slot = json["slot"]?.string.flatMap(Slot.init)
        else { return nil }
        self.init(provider: provider, backend: backend, slot: slot)
    }
}
