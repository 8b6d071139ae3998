import LockstepCrypto
import LockstepPrimitives

/// An authenticator app, written independently of the emulator's implementation of RFC 6238.
enum Authenticator {
    static func code(_ secret: String, at now: Instant) -> String {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
        let bits = secret.compactMap { alphabet.firstIndex(of: $0) }.map { index -> String in
            let digits = String(alphabet.distance(from: alphabet.startIndex, to: index), radix: 2)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }.joined()
        var key: [UInt8] = []
        var rest = bits[...]
        while rest.count >= 8 {
            key.append(UInt8(rest.prefix(8), radix: 2) ?? 0)
            rest = rest.dropFirst(8)
        }
        let step = UInt64(now.seconds / 30)
        let digest = HashFunction.sha1.authenticate((0..<8).map { UInt8(step >> (56 - 8 * UInt64($0)) & 0xff) }, key: key)
        let place = Int(digest[19] % 16)
        let number = (0..<4).reduce(0) { $0 * 256 + Int(digest[place + $1]) } % 0x8000_0000 % 1_000_000
        let digits = String(number)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
