internal import LockstepCrypto
package import LockstepPrimitives

/// The public key of a passkey.
package struct WebAuthnCredential: Sendable {
    /// The id of the passkey, in base 64 for URLs.
    package var id: String
    /// COSE's name of the algorithm.
    var algorithm: Int64
    /// The parts of the key: x and y, or modulus and exponent, or the 32 bytes of Ed25519.
    var parts: [[UInt8]]
    /// How often the authenticator has signed with the passkey.
    package var count: UInt32
    /// The model of the authenticator.
    package var aaguid: [UInt8]
    /// The ways in which a browser can reach the authenticator.
    package var transports: [String]

    /// The passkey as JSON, for the stored state.
    package var json: JSONObject {
        [
            "id": .string(id), "algorithm": .int(algorithm), "parts": .array(parts.map { .string(Base64.encode($0, .url)) }),
            "count": .int(Int64(count)), "aaguid": .string(Hex.encode(aaguid)), "transports": .array(transports.map(JSON.string)),
        ]
    }

    /// Reads a passkey from ``json``.
    ///
    /// - Parameter json: The JSON object.
    package init?(_ json: JSONObject) {
        guard let id = json["id"]?.string, let algorithm = json["algorithm"]?.int, let count = json["count"]?.int else {
            return nil
        }
        self.id = id
        self.algorithm = algorithm
        self.count = UInt32(clamping: count)
        parts = json["parts"]?.array?.compactMap { $0.string.flatMap { Base64.decode($0, .url) } } ?? []
        aaguid = Hex.decode(json["aaguid"]?.string ?? "") ?? []
        transports = json["transports"]?.array?.compactMap(\.string) ?? []
    }

    /// Reads the credential from the data of a creation.
    init?(_ response: WebAuthnResponse) {
        let data = response.authenticatorData
        guard data.count > 55, data[32] & 0x40 != 0 else { return nil }
        let length = Int(data[53]) << 8 | Int(data[54])
        guard data.count > 55 + length else { return nil }
        id = Base64.encode(data[55..<(55 + length)], .url)
        guard id.exact == response.id.exact else { return nil }
        aaguid = Array(data[37..<53])
        count = data[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        transports = response.transports
        var rest = data[(55 + length)...]
        guard let key = CBOR.read(&rest), case .integer(let algorithm)? = key[.integer(3)] else { return nil }
        self.algorithm = algorithm
        let names: [Int64] =
            switch algorithm {
            case -7: [-2, -3]
            case -257: [-1, -2]
            case -8: [-2]
            default: []
            }
        parts = names.compactMap { key[.integer($0)]?.bytes }
        guard !parts.isEmpty, parts.count == names.count else { return nil }
    }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch algorithm {
        case -7:
            guard let key = try? P256PublicKey(x: parts[0], y: parts[1]), let raw = Self.raw(signature) else { return false }
            return key.isValid(raw, for: message)
        case -257:
            guard let key = try? RSAPublicKey(modulus: parts[0], exponent: parts[1]) else { return false }
            return key.isValid(signature, for: message)
        case -8: return (try? Ed25519PublicKey(parts[0]).isValid(signature, for: message)) ?? false
        default: return false
        }
    }

    /// Returns the two numbers of an ECDSA signature in DER.
    private static func raw(_ der: [UInt8]) -> [UInt8]? {
        var rest = der[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count else { return nil }
        var raw: [UInt8] = []
        for _ in 0..<2 {
            guard rest.popFirst() == 2, let count = rest.popFirst(), rest.count >= Int(count) else { return nil }
            let number = rest.prefix(Int(count)).drop { $0 == 0 }
            guard number.count <= 32 else { return nil }
            raw += [UInt8](repeating: 0, count: 32 - number.count) + number
            rest = rest.dropFirst(Int(count))
        }
        return rest.isEmpty ? raw : nil
    }
}
