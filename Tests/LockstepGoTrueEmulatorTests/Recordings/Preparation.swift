import LockstepCrypto
import LockstepPrimitives
import LockstepStaging
import LockstepTokens

/// Makes a recorded request one that can be sent: references are filled in, tokens and codes are made.
struct Preparation {
    let bindings: Bindings
    let now: Instant
    let issuerKey: SigningKey

    func filled(_ value: JSON) throws -> JSON {
        switch value {
        case .string(let text): return .string(bindings.filled(text))
        case .array(let elements): return .array(try elements.map(filled))
        case .object(let members):
            if members.count == 1, let first = members.first, first.name.hasPrefix("$") {
                return try made(first.name, first.value)
            }
            return .object(JSONObject(try members.map { ($0.name, try filled($0.value)) }))
        default: return value
        }
    }

    private func made(_ name: String, _ value: JSON) throws -> JSON {
        switch name {
        case "$bearer": return .string("Bearer " + (try filled(value).string ?? ""))
        case "$upper": return .string(try filled(value).string?.uppercased() ?? "")
        case "$repeat": return .string(String(repeating: value[0]?.string ?? "", count: Int(value[1]?.int ?? 0)))
        case "$sha224":
            let text = try filled(value).array?.compactMap(\.string).joined() ?? ""
            return .string(Hex.encode(HashFunction.sha224.digest(text)))
        case "$now": return .string(String(now.seconds + (value.int ?? 0)))
        case "$totp":
            return .string(AuthenticatorApp(secret: try filled(value["secret"] ?? "").string ?? "").code(at: now))
        case "$passkey": return SoftwarePasskey(try filled(value)).credential
        case "$jwt": return .string(try token(try filled(value)))
        case "$idtoken":
            return .string(try TokenWriter.sign(timed(try filled(value).object ?? [:]), with: issuerKey))
        default: return .object([name: try filled(value)])
        }
    }

    /// A token of our own, whatever algorithm its header claims.
    private func token(_ spec: JSON) throws -> String {
        let header = spec["header"] ?? ["alg": "HS256", "typ": "JWT"]
        let signed = [header, .object(timed(spec["claims"]?.object ?? [:]))].map { Base64.encode($0.bytes(), .url) }.joined(
            separator: ".")
        let key = Array((spec["secret"]?.string ?? "").utf8)
        return signed + "." + Base64.encode(HashFunction.sha256.authenticate(Array(signed.utf8), key: key), .url)
    }

    /// `now+60` and the like become seconds.
    private func timed(_ claims: JSONObject) -> JSONObject {
        JSONObject(
            claims.map { name, value in
                guard let text = value.string, text == "now" || text.hasPrefix("now+") || text.hasPrefix("now-") else {
                    return (name, value)
                }
                return (name, .int(now.seconds + (Int64(text.dropFirst(3)) ?? 0)))
            })
    }
}
