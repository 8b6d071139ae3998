internal import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// Checks access tokens, with the error texts of the server's own library.
struct AccessTokenReader: Sendable {
    let keys: TokenKeys
    let verifiedTokens: VerifiedTokens

    func read(_ token: String, at now: Instant) throws(GoTrueError) -> AccessClaims {
        do {
            let claims: JSONObject
            if let known = verifiedTokens.claims(of: token) { claims = known } else { claims = try verified(token) }
            try check(claims, at: now)
            return AccessClaims(claims)
        } catch {
            throw GoTrueError.invalidToken(error.message)
        }
    }

    private struct Reason: Error {
        var message: String
    }

    private func verified(_ token: String) throws(Reason) -> JSONObject {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
        guard parts.count == 3 else { throw Reason(message: "token is malformed: token contains an invalid number of segments") }
        let header = try object(parts[0], "header")
        let claims = try object(parts[1], "claim")
        guard let algorithm = header["alg"]?.string else {
            throw Reason(message: "token is unverifiable: signing method (alg) is unspecified")
        }
        guard Self.known.contains(algorithm) else {
            throw Reason(message: "token is unverifiable: signing method (alg) is unavailable")
        }
        guard keys.algorithms.contains(algorithm.exact) else {
            throw Reason(message: "token signature is invalid: signing method \(algorithm) is invalid")
        }
        let signature = try bytes(parts[2], "signature")
        let id = header["kid"]?.string
        let key: VerificationKey
        switch keys.key(id: id, algorithm: algorithm) {
        case .key(let found): key = found
        case .wrongType:
            throw Reason(message: "token signature is invalid: key is of invalid type: \(Self.expectation(algorithm))")
        case .unknown:
            let words = "unrecognized JWT kid \(id ?? "<nil>") for algorithm \(algorithm)"
            throw Reason(message: "token is unverifiable: error while executing keyfunc: \(words)")
        }
        guard key.isValid(signature, for: Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))) else {
            throw Reason(message: "token signature is invalid: \(Self.complaint(algorithm))")
        }
        verifiedTokens.keep(claims, of: token)
        return claims
    }

    private static let known: Set = [
        "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA",
        "none",
    ]

    /// Returns the text of Go's library about a key that does not fit the algorithm.
    private static func expectation(_ algorithm: String) -> String {
        switch algorithm.prefix(2) {
        case "HS": "HMAC verify expects []byte"
        case "RS": "RSA verify expects *rsa.PublicKey"
        case "PS": "RSA-PSS verify expects *rsa.PublicKey"
        case "ES": "ECDSA verify expects *ecdsa.PublicKey"
        default: "Ed25519 verify expects ed25519.PublicKey"
        }
    }

    /// Returns the text of Go's library about a signature that does not belong to the key.
    private static func complaint(_ algorithm: String) -> String {
        switch algorithm.prefix(2) {
        case "HS": "signature is invalid"
        case "ES": "crypto/ecdsa: verification error"
        case "Ed": "ed25519: verification error"
        default: "crypto/rsa: verification error"
        }
    }

    private func bytes(_ part: Substring, _ name: String) throws(Reason) -> [UInt8] {
        do {
            return try GoBase64.decode(part)
        } catch {
            throw Reason(message: "token is malformed: could not base64 decode \(name): \(error.message)")
        }
    }

    private func object(_ part: Substring, _ name: String) throws(Reason) -> JSONObject {
        let bytes = try bytes(part, name)
        do {
            guard let object = try GoJSON.parse(bytes).object else {
                throw GoJSON.Malformed(message: "json: cannot unmarshal value into Go value of type map[string]interface {}")
            }
            return object
        } catch {
            let words = (error as? GoJSON.Malformed)?.message ?? ""
            throw Reason(message: "token is malformed: could not JSON decode \(name): \(words)")
        }
    }

    private func check(_ claims: JSONObject, at now: Instant) throws(Reason) {
        var problems: [String] = []
        let time = Double(now.milliseconds) / 1000
        if let expiry = claims["exp"]?.double, time >= expiry { problems.append("token is expired") }
        if let start = claims["nbf"]?.double, time < start { problems.append("token is not valid yet") }
        if !problems.isEmpty { throw Reason(message: "token has invalid claims: \(problems.joined(separator: ", "))") }
    }
}

/// Caches tokens with a valid signature, so that the signature is not verified with every request.
///
/// Their times are checked each time.
final class VerifiedTokens: Sendable {
    private static let capacity = 2000

    private let claims = Mutex<[ExactString: JSONObject]>([:])

    func claims(of token: String) -> JSONObject? {
        claims.withLock { $0[token.exact] }
    }

    func keep(_ found: JSONObject, of token: String) {
        claims.withLock { claims in
            if claims.count >= Self.capacity { claims.removeAll(keepingCapacity: true) }
            claims[token.exact] = found
        }
    }
}

/// Base 64 as Go's decoder reads it, with its error texts.
enum GoBase64 {
    struct Corrupt: Error {
        var message: String
    }

    static func decode(_ text: some StringProtocol) throws(Corrupt) -> [UInt8] {
        let units = Array(text.utf8)
        if let bytes = Base64.decode(text, .url), units.last != UInt8(ascii: "=") { return bytes }
        let wrong = units.firstIndex { unit in
            !(unit >= 0x30 && unit <= 0x39 || unit >= 0x41 && unit <= 0x5a || unit >= 0x61 && unit <= 0x7a || unit == 0x2d
                || unit == 0x5f)
        }
        if let wrong { throw Corrupt(message: "illegal base64 data at input byte \(wrong)") }
        if units.count % 4 == 1 { throw Corrupt(message: "illegal base64 data at input byte \(units.count - 1)") }
        // Go ignores the remaining bits at the end.
        var patched = units
        let masks: [UInt8: String] = [2: "AQgw", 3: "AEIMQUYcgkosw048"]
        guard let last = patched.last, masks[UInt8(units.count % 4)] != nil, let value = Self.value(last) else { return [] }
        patched[patched.count - 1] = Self.unit(value & (units.count % 4 == 2 ? 0x30 : 0x3c))
        return Base64.decode(String(decoding: patched, as: UTF8.self), .url) ?? []
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(_ unit: UInt8) -> UInt8? { alphabet.firstIndex(of: unit).map { UInt8($0) } }

    private static func unit(_ value: UInt8) -> UInt8 { alphabet[Int(value)] }
}
