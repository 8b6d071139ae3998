internal import LockstepPrimitives

extension JSON {
    /// The value in the canonical form for digests: at each depth, members are sorted by the bytes of their names.
    var canonical: JSON {
        switch self {
        case .object(let members):
            .object(
                JSONObject(
                    members.map { ($0.name, $0.value.canonical) }
                        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
        case .array(let elements): .array(elements.map(\.canonical))
        default: self
        }
    }
}

extension String {
    /// The address for comparisons: in lower case.
    ///
    /// Swift compares composed and decomposed letters as equal.
    var comparableAddress: String { lowercased() }

    /// The address as a text that is equal, byte by byte, for two spellings of one address.
    ///
    /// For an address with letters outside ASCII, it is a fingerprint that is valid only in this process: two of Swift's
    /// hashes, which are equal for
    /// composed and decomposed letters, with 128 bits together.
    var addressFingerprint: String {
        let address = comparableAddress
        guard !address.utf8.allSatisfy({ $0 < 0x80 }) else { return address }
        var (first, second) = (Hasher(), Hasher())
        first.combine(1)
        first.combine(address)
        second.combine(2)
        second.combine(address)
        return "\u{0}\(first.finalize()) \(second.finalize())"
    }

    /// The digits of the number, for comparisons.
    var comparableNumber: String { String(decoding: utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self) }
}
