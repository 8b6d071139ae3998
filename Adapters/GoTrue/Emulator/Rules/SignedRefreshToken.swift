internal import LockstepCrypto
internal import LockstepPrimitives

/// A refresh token of version 2: the session and a counter, signed with the session's key.
struct SignedRefreshToken: Equatable {
    var sessionID: String
    var counter: Int64
    /// The signature of a parsed token.
    var signature: [UInt8] = []

    init(sessionID: String, counter: Int64) {
        self.sessionID = sessionID
        self.counter = counter
    }

    /// Parses a token; `nil` if it is malformed, or its checksum is wrong.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text, .url), !text.hasSuffix("="), bytes.count >= 1 + 16 + 1 + 16 + 4, bytes[0] == 0
        else {
            return nil
        }
        let checked = bytes.dropLast(4)
        guard Array(HashFunction.sha256.digest(Array(checked)).prefix(4)) == Array(bytes.suffix(4)) else { return nil }
        guard let counter = Self.varint(checked.dropFirst(17).dropLast(16)) else { return nil }
        guard let id = UUIDText.normal(Hex.encode(bytes[1..<17])) else { return nil }
        sessionID = id
        self.counter = counter
        signature = Array(checked.suffix(16))
    }

    func text(key: String?) throws -> String {
        let body = body
        let signed = body + authenticated(key)
        return Base64.encode(signed + HashFunction.sha256.digest(signed).prefix(4), .url)
    }

    func isSigned(by key: String?) -> Bool { ConstantTime.areEqual(signature, authenticated(key)) }

    private var body: [UInt8] {
        var bytes: [UInt8] = [0] + (UUIDText.bytes(sessionID) ?? [])
        var rest = UInt64(bitPattern: counter)
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private func authenticated(_ key: String?) -> [UInt8] {
        Array(HashFunction.sha256.authenticate(body, key: key.flatMap { Hex.decode($0) } ?? []).prefix(16))
    }

    private static func varint(_ bytes: ArraySlice<UInt8>) -> Int64? {
        var value: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            guard index < 9 else { return nil }
            value |= UInt64(byte & 0x7f) << UInt64(7 * index)
            if byte & 0x80 == 0 { return index == bytes.count - 1 ? Int64(exactly: value) : nil }
        }
        return nil
    }
}
