internal import LockstepPrimitives

/// A hash of crypt(3): bcrypt, SHA-crypt, MD5-crypt.
struct CryptHash: PasswordScheme {
    let text: String
    let effort: PasswordEffort

    init(_ text: String) throws(PasswordError) {
        guard let effort = Self.effort(of: text) else { throw .malformed("crypt(3)") }
        self.text = text
        self.effort = effort
    }

    /// Whether the algorithm is bcrypt.
    var isBcrypt: Bool { text.hasPrefix("$2") }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        // Go's library and others have made bcrypt hashes of passwords with a NUL, which libcrypt does not accept.
        if isBcrypt, password.contains(0) {
            return Bcrypt.hash(password, setting: text).map { Secret($0) == Secret(text) } ?? false
        }
        // bcrypt uses 72 bytes of any password. Other algorithms of libcrypt accept at most 511 bytes, so a
        // longer password cannot have a hash.
        let counted = isBcrypt ? Array(password.prefix(72)) : password
        guard !counted.contains(0), counted.count < 512 else { return false }
        do throws(HashError) {
            return Secret(try Crypt.hash(counted, setting: text)) == Secret(text)
        } catch {
            throw PasswordError(.unavailable, error.message)
        }
    }

    private static func effort(of text: String) -> PasswordEffort? {
        let parts = text.dropFirst().split(separator: "$", omittingEmptySubsequences: false)
        guard let name = parts.first, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        switch name {
        case "2a", "2b", "2x", "2y":
            // Exactly two digits. `Int` alone would also accept a sign.
            guard parts.count == 3, parts[1].utf8.count == 2, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let cost = Int(parts[1]), (4...31).contains(cost), isBcryptText(parts[2])
            else { return nil }
            return PasswordEffort(memory: 5000, microseconds: Double(1 << cost) * 45)
        case "1":
            return parts.count == 3 && !parts[2].isEmpty ? PasswordEffort(microseconds: 500) : nil
        case "5", "6":
            guard (3...4).contains(parts.count), parts.last?.isEmpty == false else { return nil }
            guard parts.count == 4 else { return PasswordEffort(microseconds: 5000) }
            guard parts[1].hasPrefix("rounds="), let rounds = HashText.number(parts[1].dropFirst(7)) else { return nil }
            return PasswordEffort(microseconds: Double(rounds))
        default: return nil
        }
    }

    /// Returns whether a text consists of 22 characters of salt and 31 of hash.
    private static func isBcryptText(_ text: Substring) -> Bool {
        text.utf8.count == 53
            && text.utf8.allSatisfy { unit in
                switch unit {
                case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            }
    }
}
