internal import LockstepCrypto
internal import LockstepPrimitives
internal import LockstepTokens

/// A self-signed certificate: the form in which Google publishes the keys of ID tokens.
enum Certificate {
    private static let name = "securetoken.system.gserviceaccount.com"

    /// The certificate of a key, by the key's id.
    static func document(of key: SigningKey) throws -> JSON {
        guard let id = key.id, let certificate = try pem(of: key) else { return [:] }
        return .object([id: .string(certificate)])
    }

    /// The certificate in PEM; `nil` for a key that is not RSA.
    static func pem(of key: SigningKey) throws -> String? {
        let members = try JSONWebKey(key.verificationKey).members
        guard let modulus = members["n"]?.string.flatMap({ Base64.decode($0, .url) }),
            let exponent = members["e"]?.string.flatMap({ Base64.decode($0, .url) })
        else { return nil }
        let algorithm = sequence(oid([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]) + [0x05, 0x00])
        let commonName = sequence(oid([0x55, 0x04, 0x03]) + tagged(0x0c, Array(name.utf8)))
        let subject = sequence(tagged(0x31, commonName))
        // RFC 5280 requires UTCTime until 2049; the range is wide enough for tests that move the clock.
        let validity = sequence(tagged(0x17, Array("200101000000Z".utf8)) + tagged(0x17, Array("491231235959Z".utf8)))
        let serial = tagged(0x02, [0x01] + HashFunction.sha1.digest(modulus).prefix(15))
        let version = tagged(0xa0, tagged(0x02, [0x02]))
        let publicKey = try RSAPublicKey(modulus: modulus, exponent: exponent).der
        let content = sequence(version + serial + algorithm + subject + validity + subject + publicKey)
        let signature = tagged(0x03, [0x00] + (try key.sign(content)))
        return PEM(label: "CERTIFICATE", bytes: sequence(content + algorithm + signature)).text
    }

    private static func sequence(_ content: [UInt8]) -> [UInt8] { tagged(0x30, content) }

    private static func oid(_ content: [UInt8]) -> [UInt8] { tagged(0x06, content) }

    /// Returns tag, length and content in DER (X.690).
    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count > 127 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
