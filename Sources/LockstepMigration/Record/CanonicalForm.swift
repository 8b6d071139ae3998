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

extension JSON {
    /// Whether a number in the value is beyond a limit, or so large that a reader may have rounded it.
    func exceeds(_ limit: Int64) -> Bool {
        switch self {
        case .int(let number): number.magnitude > limit.magnitude
        case .double(let number): abs(number) >= 0x1p63
        case .array(let elements): elements.contains { $0.exceeds(limit) }
        case .object(let members): members.contains { $0.value.exceeds(limit) }
        case .null, .bool, .string: false
        }
    }

    /// The value, in which whole numbers beyond a limit have the precision of a 64-bit float, and others have no fraction.
    func rounded(beyond limit: Int64) -> JSON {
        switch self {
        case .int(let number) where number.magnitude > limit.magnitude:
            Int64(exactly: Double(number)).map(JSON.int) ?? .double(Double(number))
        case .double(let number): Int64(exactly: number).map(JSON.int) ?? self
        case .array(let elements): .array(elements.map { $0.rounded(beyond: limit) })
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.rounded(beyond: limit)) }))
        default: self
        }
    }

    /// Whether a name or a text in the value contains a NUL character.
    var hasNUL: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.hasNUL)
        case .object(let members): members.contains { $0.name.utf8.contains(0) || $0.value.hasNUL }
        case .null, .bool, .int, .double: false
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
