/// A source of random bytes.
///
/// An app uses ``SystemRandomness``, and a test can use a source that repeats its bytes.
///
/// PKCE verifiers, nonces of ID tokens and flow ids come from this source. So in an app it must be a cryptographic
/// generator. Keys and nonces for encryption never come from this source. They always come from the system.
public protocol Randomness: Sendable {
    /// Returns unpredictable bytes.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The bytes.
    func bytes(_ count: Int) -> [UInt8]
}

extension Randomness {
    /// Returns a random UUID (version 4) in lower case.
    ///
    /// - Returns: The UUID as text.
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

    /// Returns a text of random characters.
    ///
    /// Each character of the alphabet is equally likely.
    ///
    /// - Parameters:
    ///   - count: The number of characters.
    ///   - alphabet: The characters from which the text is made, at least 1 and at most 256. Default: letters in lower
    ///     case and digits.
    /// - Returns: The text.
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
