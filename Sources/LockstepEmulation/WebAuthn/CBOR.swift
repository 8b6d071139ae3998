/// The part of CBOR (RFC 8949) that authenticators write.
indirect enum CBOR: Equatable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case list([CBOR])
    case map([(key: CBOR, value: CBOR)])
    case other

    /// Reads and removes one value at the start of `bytes`; `nil` if it is malformed.
    static func read(_ bytes: inout ArraySlice<UInt8>, depth: Int = 0) -> CBOR? {
        guard depth < 16, let first = bytes.popFirst() else { return nil }
        guard let argument = argument(first & 31, &bytes) else { return nil }
        let count = Int(clamping: argument)
        switch first >> 5 {
        case 0: return Int64(exactly: argument).map(CBOR.integer)
        case 1: return Int64(exactly: argument).map { .integer(-1 - $0) }
        case 2, 3:
            guard bytes.count >= count else { return nil }
            let part = bytes.prefix(count)
            bytes = bytes.dropFirst(count)
            if first >> 5 == 2 { return .bytes(Array(part)) }
            return String(validating: part, as: UTF8.self).map(CBOR.text)
        case 4:
            var elements: [CBOR] = []
            for _ in 0..<min(count, bytes.count + 1) {
                guard let element = read(&bytes, depth: depth + 1) else { return nil }
                elements.append(element)
            }
            return .list(elements)
        case 5:
            var pairs: [(key: CBOR, value: CBOR)] = []
            for _ in 0..<min(count, bytes.count + 1) {
                guard let key = read(&bytes, depth: depth + 1), let value = read(&bytes, depth: depth + 1) else { return nil }
                pairs.append((key, value))
            }
            return .map(pairs)
        case 6: return read(&bytes, depth: depth + 1)
        default: return .other
        }
    }

    private static func argument(_ code: UInt8, _ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        guard code >= 24 else { return UInt64(code) }
        guard code <= 27 else { return nil }
        let count = 1 << Int(code - 24)
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    subscript(key: CBOR) -> CBOR? {
        guard case .map(let pairs) = self else { return nil }
        return pairs.first { $0.key == key }?.value
    }

    var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    static func == (left: CBOR, right: CBOR) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.text(let left), .text(let right)): left.exact == right.exact
        default: false
        }
    }
}
