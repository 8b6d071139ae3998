internal import LockstepCrypto

/// A user of a server, whose values a store of many users keeps apart from the others'.
package struct StoreOwner: Sendable, Hashable {
    /// The text as it was given; two texts are one owner where their bytes are the same.
    package let name: String

    /// An owner.
    ///
    /// - Throws: `unwritable` where the text is empty, longer than 1,000 bytes or holds NUL.
    package init(_ name: String) throws(StoreError) {
        guard 1...1000 ~= name.utf8.count, !name.utf8.contains(0) else {
            throw StoreError(.unwritable, "The owner of a session has 1 to 1,000 bytes without NUL, not \(name.utf8.count).")
        }
        self.name = name
    }
}

extension StoreKey {
    /// Names the value of an owner under this key: texts of any length and content become 32 bytes.
    package func digest(owner: String) -> [UInt8] {
        HashFunction.sha256.digest(Self.joined([owner, provider, backend, slot.rawValue]))
    }

    /// Each text after its length, so that no two lists look the same.
    package static func joined(_ texts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 8 })
        for text in texts {
            bytes += String(text.utf8.count).utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += text.utf8
        }
        return bytes
    }
}
