internal import LockstepPasswords

/// The kind and cost of a hash as text, such as "fbscrypt 14/8", without any secret part of the hash.
enum HashKind {
    /// Returns the kind and cost.
    ///
    /// - Parameter hash: The hash.
    /// - Returns: The kind and cost.
    static func name(of hash: PasswordHash) -> String {
        let parts = hash.text.utf8.split(separator: UInt8(ascii: "$"), maxSplits: 4).map { String(decoding: $0, as: UTF8.self) }
        guard let first = parts.first else { return "other" }
        switch first {
        case "fbscrypt":
            let costs = numbers(parts.dropFirst().first, ["n", "r"])
            return "fbscrypt" + (costs.count == 2 ? " \(costs[0])/\(costs[1])" : "")
        case "2", "2a", "2b", "2x", "2y":
            guard parts.count > 1, let cost = Int(parts[1]) else { return "bcrypt" }
            return "bcrypt \(cost)"
        case "argon2id", "argon2i", "argon2d":
            let costs = numbers(parts.dropFirst().first { $0.hasPrefix("m=") }, ["m", "t", "p"])
            return first + (costs.count == 3 ? " m=\(costs[0]),t=\(costs[1]),p=\(costs[2])" : "")
        case "scrypt", "P", "H", "1", "5", "6", "prepared": return known[first] ?? "other"
        default:
            return ["pbkdf2", "digest-", "hmac-", "scrypt:", "{SSHA}", "bcrypt_sha256"].first { first.hasPrefix($0) }
                .map { String($0.prefix { $0 != "-" && $0 != ":" }) } ?? "other"
        }
    }

    private static let known = [
        "scrypt": "scrypt", "P": "phpass", "H": "phpass", "1": "md5crypt", "5": "sha256crypt", "6": "sha512crypt",
        "prepared": "prepared bcrypt",
    ]

    /// The numbers of the given names in `name=number,name=number`.
    private static func numbers(_ text: String?, _ names: [String]) -> [Int] {
        let pairs = (text ?? "").utf8.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        return names.compactMap { name in
            pairs.first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
        }
    }
}
