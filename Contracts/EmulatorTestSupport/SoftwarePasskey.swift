internal import LockstepCrypto
public import LockstepPrimitives

/// A passkey in software (ES256, no attestation).
///
/// The key and the credential of the passkey are computed from a seed.
public struct SoftwarePasskey: Sendable {
    private let spec: JSON

    /// Creates a passkey and uses it once.
    ///
    /// - Parameter spec: The values for WebAuthn, in the members `challenge`, `origin`, `rp_id`, `count` and `user`. The member
    ///   `do` is `create` or `get`. The member `seed` identifies the passkey. If `verified` is false, the authenticator has not
    ///   verified its user.
    public init(_ spec: JSON) { self.spec = spec }

    private func text(_ name: String) -> String { spec[name]?.string ?? "" }

    /// The value that `navigator.credentials` would return in a browser.
    public var credential: JSON {
        let isCreation = text("do") == "create"
        let id = HashFunction.sha256.digest("id" + text("seed"))
        let origin = text("origin").isEmpty ? "http://localhost:3000" : text("origin")
        let client: JSON = [
            "type": .string("webauthn." + text("do")), "challenge": .string(text("challenge")), "origin": .string(origin),
            "crossOrigin": false,
        ]
        var scalar = HashFunction.sha256.digest("key" + text("seed"))
        scalar[0] = 1
        guard let key = try? P256PrivateKey(scalar: scalar) else { return .null }
        let count = UInt32(truncatingIfNeeded: spec["count"]?.int ?? 0)
        let party = text("rp_id").isEmpty ? "localhost" : text("rp_id")
        let verified: UInt8 = spec["verified"]?.bool == false ? 0 : 0x04
        var data = HashFunction.sha256.digest(party) + [(isCreation ? 0x41 : 0x01) | verified]
        data += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
        var response: JSONObject = ["clientDataJSON": encoded(client.bytes())]
        if isCreation {
            let point = key.publicKey.point
            data += [UInt8](repeating: 0, count: 16) + [0, 32] + id
            data += [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.x + [0x22, 0x58, 0x20] + point.y
            let object: [UInt8] = [0xa3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67]
            let rest: [UInt8] = Array("attStmt".utf8) + [0xa0, 0x68] + Array("authData".utf8) + [0x58, UInt8(data.count)]
            response["attestationObject"] = encoded(object + rest + data)
            response["transports"] = ["internal"]
        } else {
            let signed = data + HashFunction.sha256.digest(client.bytes())
            response["authenticatorData"] = encoded(data)
            response["signature"] = encoded(Self.der((try? key.sign(signed)) ?? []))
            if !text("user").isEmpty { response["userHandle"] = encoded(Array(text("user").utf8)) }
        }
        return [
            "id": encoded(id), "rawId": encoded(id), "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": [:], "response": .object(response),
        ]
    }

    private func encoded(_ bytes: [UInt8]) -> JSON { .string(Base64.encode(bytes, .url)) }

    private static func der(_ raw: [UInt8]) -> [UInt8] {
        guard raw.count == 64 else { return raw }
        let numbers = [raw[..<32], raw[32...]].flatMap { half -> [UInt8] in
            var number = Array(half.drop { $0 == 0 })
            if number.isEmpty || number[0] & 0x80 != 0 { number.insert(0, at: 0) }
            return [2, UInt8(number.count)] + number
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }
}
