internal import LockstepCrypto
internal import LockstepEmulatorTestSupport
internal import LockstepPrimitives
internal import LockstepTokens

/// Turns a recorded request into a sendable one: fills in references, and generates tokens and codes.
struct Preparation {
    var bindings: Bindings
    /// The server's clock.
    let now: Instant
    /// The keys of the test issuer.
    let issuerKey: SigningKey

    /// - Throws: ``Bindings/Unbound``, or the error of a token that cannot be created.
    mutating func filled(_ value: JSON) throws -> JSON {
        switch value {
        case .string(let text): return try bindings.filled(text)
        case .array(let elements): return .array(try elements.map { try filled($0) })
        case .object(let members):
            if members.count == 1, let first = members.first, let made = try made(first.name, first.value) { return made }
            return .object(JSONObject(try members.map { ($0.name, try filled($0.value)) }))
        default: return value
        }
    }

    private mutating func made(_ name: String, _ value: JSON) throws -> JSON? {
        switch name {
        case "$bearer": return .string("Bearer " + (try text(value)))
        case "$upper": return .string(try text(value).uppercased())
        case "$repeat":
            return .string(String(repeating: value[0]?.string ?? "", count: Int(min(max(value[1]?.int ?? 0, 0), 1 << 24))))
        case "$sha224":
            return .string(Hex.encode(HashFunction.sha224.digest((try filled(value).array ?? []).compactMap(\.string).joined())))
        case "$now": return .string(String(now.seconds + (value.int ?? 0)))
        case "$totp":
            let time = now + .seconds(value["at"]?.int ?? 0)
            return .string(AuthenticatorApp(secret: try text(value["secret"] ?? "")).code(at: time))
        case "$passkey": return SoftwarePasskey(try filled(value)).credential
        case "$jwt": return .string(try token(try filled(value)))
        case "$idtoken":
            return .string(try TokenWriter.sign(timed(try filled(value).object ?? [:]), with: issuerKey))
        default: return nil
        }
    }

    private mutating func text(_ value: JSON) throws -> String {
        let value = try filled(value)
        return value.string ?? value.text()
    }

    /// A token that this package signs, whatever algorithm its header claims.
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
