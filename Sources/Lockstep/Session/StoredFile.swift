internal import LockstepPrimitives

/// What a file, or whatever else holds one value, has in it: a line that names key and revision, then the bytes as they were given.
package struct StoredFile {
    static let suffix = ".lockstep"

    package let key: StoreKey
    package let revision: Revision
    package let bytes: [UInt8]

    package init(key: StoreKey, revision: Revision, bytes: [UInt8]) {
        self.key = key
        self.revision = revision
        self.bytes = bytes
    }

    /// Reads a file; `nil` where it is not one.
    package init?(_ file: [UInt8]) {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")), let header = try? JSON.parse(Array(file[..<end])),
            header["lockstep"]?.int == 1, let provider = header["provider"]?.string, let backend = header["backend"]?.string,
            let slot = header["slot"]?.string.flatMap(StoreKey.Slot.init), let revision = header["revision"]?.string,
            header["bytes"]?.int == Int64(file.count - end - 1)
        else { return nil }
        key = StoreKey(provider: provider, backend: backend, slot: slot)
        self.revision = Revision(rawValue: revision)
        bytes = Array(file[(end + 1)...])
    }

    /// What a reader of the store gets.
    package var value: StoredValue { StoredValue(bytes: bytes, revision: revision) }

    /// The file's content.
    package func encoded() -> [UInt8] {
        let header: JSON = [
            "lockstep": 1, "provider": .string(key.provider), "backend": .string(key.backend), "slot": .string(key.slot.rawValue),
            "revision": .string(revision.rawValue), "bytes": .int(Int64(bytes.count)),
        ]
        return header.bytes() + [UInt8(ascii: "\n")] + bytes
    }
}
