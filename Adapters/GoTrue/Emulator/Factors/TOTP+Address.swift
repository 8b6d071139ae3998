internal import LockstepEmulation
internal import LockstepPrimitives

extension TOTP {
    /// The key's address for an authenticator app.
    static func address(secret: String, issuer: String, account: String) -> String {
        "otpauth://totp/\(pathEscaped(issuer)):\(pathEscaped(account))?algorithm=SHA1&digits=6&issuer=\(queryEscaped(issuer))&period=30&secret=\(secret)"
    }

    /// As Go's `url.URL` writes a path: `&`, `+`, `:`, `@` and the like stay.
    private static func pathEscaped(_ text: String) -> String { escaped(text, keeping: "-._~$&+,/:;=@!'()*") }

    private static func queryEscaped(_ text: String) -> String { escaped(text, keeping: "-._~$&+,/:;=@!'()*?") }

    private static func escaped(_ text: String, keeping kept: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || kept.unicodeScalars.contains(scalar) ? String(scalar) : Percent.encode(String(scalar))
        }.joined()
    }
}
