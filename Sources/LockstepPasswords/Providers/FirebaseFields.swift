internal import LockstepPrimitives

/// Reads the parameters of a Firebase import.
///
/// Numbers may be JSON numbers or, as in Google's APIs, strings.
struct FirebaseFields {
    private let body: JSONObject

    init(_ body: JSONObject) {
        self.body = body
    }

    /// Returns the order in the request, or `unnamed` if the request contains none.
    func order(_ unnamed: SaltOrder) -> SaltOrder {
        switch body["passwordHashOrder"]?.string {
        case "SALT_AND_PASSWORD": .saltFirst
        case "PASSWORD_AND_SALT": .passwordFirst
        default: unnamed
        }
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(PasswordError) -> Int {
        let number = body[name]?.int.flatMap { Int(exactly: $0) } ?? body[name]?.string.flatMap { Int($0) }
        guard let number, range.contains(number) else {
            throw PasswordError(
                .malformed, "The parameter \(name) must be a number from \(range.lowerBound) to \(range.upperBound).",
                parameter: name)
        }
        return number
    }

    /// Returns the cost of scrypt, which is a power of two (RFC 7914).
    func cost(_ name: String, _ range: ClosedRange<Int>) throws(PasswordError) -> Int {
        let number = try number(name, range)
        guard number & (number - 1) == 0 else {
            throw PasswordError(.malformed, "The parameter \(name) must be a power of two.", parameter: name)
        }
        return number
    }

    func bytes(_ name: String) throws(PasswordError) -> [UInt8] {
        let bytes = try optionalBytes(name)
        guard !bytes.isEmpty else { throw PasswordError(.malformed, "The parameter \(name) is missing.", parameter: name) }
        return bytes
    }

    func optionalBytes(_ name: String) throws(PasswordError) -> [UInt8] {
        guard let bytes = HashText.read(body[name]?.string ?? "") else {
            throw PasswordError(.malformed, "The parameter \(name) must be base64.", parameter: name)
        }
        return bytes
    }

    func argon2() throws(PasswordError) -> Argon2 {
        let variants: [String: Argon2.Variant] = ["ARGON2_D": .d, "ARGON2_I": .i, "ARGON2_ID": .id]
        guard let variant = body["hashType"]?.string.flatMap({ variants[$0] }) else {
            throw PasswordError(.malformed, "The parameter hashType must be ARGON2_D, ARGON2_I or ARGON2_ID.")
        }
        return Argon2(
            variant, version: body["version"] == "VERSION_10" ? .v10 : .v13, memory: try number("memoryCostKib", 8...32768),
            passes: try number("iterations", 1...16), lanes: try number("parallelism", 1...16),
            length: try number("hashLengthBytes", 4...1024))
    }
}

extension PasswordHash {
    /// The hash and its salt in URL-safe base64, as Firebase stores them for a user; `nil` if the algorithm is not
    /// Firebase's scrypt.
    public var firebaseRecord: (passwordHash: String, salt: String)? {
        guard let hash = scheme as? FirebaseScryptHash else { return nil }
        return (Self.webSafe(hash.hash), Self.webSafe(hash.salt))
    }

    /// Encodes bytes in URL-safe base64 with padding, as Google's APIs do.
    static func webSafe(_ bytes: [UInt8]) -> String {
        let text = Base64.encode(bytes, .url)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
