/// Where random bytes come from: `SystemRandomness` in every app.
///
/// PKCE verifiers, nonces of ID tokens and ids of flows are drawn from it, so an implementation must be a cryptographic generator.
/// Keys, and the nonces of encryption, always come from the system and never from it.
public protocol Randomness: Sendable {
    /// `count` unpredictable bytes.
    func bytes(_ count: Int) -> [UInt8]
}

extension Randomness {
    /// A random UUID (version 4), lower case.
    public func uuid() -> String {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let hex = Hex.encode(bytes)
        var text = ""
        for (index, character) in hex.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(character)
        }
        return text
    }

    /// `count` random characters of `alphabet`, each as likely as any other.
    ///
    /// `alphabet` must have 1 to 256 characters.
    public func text(_ count: Int, of alphabet: String = "abcdefghijklmnopqrstuvwxyz0123456789") -> String {
        let characters = Array(alphabet)
        let limit = 256 - 256 % characters.count
        var text = ""
        var length = 0
        while length < count {
            for byte in bytes(count - length + 8) where Int(byte) < limit && length < count {
                text.append(characters[Int(byte) % characters.count])
                length += 1
            }
        }
        return text
    }
}
