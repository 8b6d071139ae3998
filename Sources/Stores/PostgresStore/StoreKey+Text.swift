internal import Lockstep
internal import LockstepPrimitives

extension StoreKey {
    /// The key as JSON, without characters that PostgreSQL does not accept.
    var text: String {
        JSON.object(["provider": .string(provider), "backend": .string(backend), "slot": .string(slot.rawValue)]).text()
    }

    /// Reads a key from ``text``; `nil` if the text is something else.
    init?(text: String) {
        guard let json = try? JSON.parse(Array(text.utf8)), let provider = json["provider"]?.string,
            let backend = json["backend"]?.string, let slot = json["slot"]?.string.flatMap(Slot.init)
        else { return nil }
        self.init(provider: provider, backend: backend, slot: slot)
    }
}
