import LockstepPrimitives

/// Makes ids as Clerk's look: a prefix, and 27 characters of base 62 that begin with the time, so that ids sort by age.
struct IDGenerator {
    let randomness: any Randomness

    /// A new id of `kind` at `now`.
    func make(_ kind: IdentifierKind, at now: Instant) -> String {
        var bytes: [UInt8] = []
        // KSUIDs count seconds from May 2014.
        let seconds = UInt32(truncatingIfNeeded: now.seconds - 1_400_000_000)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: seconds >> UInt32(shift))) }
        bytes += randomness.bytes(16)
        return kind.rawValue + "_" + Self.base62(bytes)
    }

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// 20 bytes as 27 digits, the most significant first.
    private static func base62(_ bytes: [UInt8]) -> String {
        var number = bytes
        var text: [UInt8] = []
        for _ in 0..<27 {
            var remainder = 0
            for index in number.indices {
                let value = remainder << 8 | Int(number[index])
                number[index] = UInt8(value / 62)
                remainder = value % 62
            }
            text.append(digits[remainder])
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }
}

/// The kind of object that an id names; the raw value is its prefix.
enum IdentifierKind: String {
    case client, session = "sess", user, signIn = "sia", signUp = "sua", identification = "idn", externalAccount = "eac"
    case instance = "ins", signInToken = "sit", invitation = "inv", actorToken = "act", template = "jtmp", image = "img"
    case secondFactor = "totp", backupCodes = "bc", activity = "sess_activity", waitlistEntry = "wle", authConfig = "aconf"
    case displayConfig = "dconf", verification = "ver", flow = "eml"
}
