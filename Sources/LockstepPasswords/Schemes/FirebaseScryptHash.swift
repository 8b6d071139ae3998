internal import LockstepCrypto
internal import LockstepPrimitives

/// A hash of Firebase's own scheme.
///
/// Scrypt computes a key, which then encrypts the project's signer key.
struct FirebaseScryptHash: PasswordScheme {
    let project: FirebaseScrypt
    let salt: [UInt8]
    let hash: [UInt8]

    init(_ project: FirebaseScrypt, salt: [UInt8], hash: [UInt8]) {
        self.project = project
        self.salt = salt
        self.hash = hash
    }

    /// Reads GoTrue's `$fbscrypt$v=1,n=14,r=8,p=1,ss=…,sk=…$salt$hash`; `ss` may be missing.
    init(_ text: String) throws(PasswordError) {
        guard let parts = HashText(text)?.parts, parts.count == 4, let settings = HashText.settings(parts[1]),
            settings.keys.allSatisfy(Self.names.contains), settings["v"] == "1", settings["p"] == "1",
            let memoryCost = HashText.number(settings["n"]), let rounds = HashText.number(settings["r"]),
            let separator = HashText.read(settings["ss"] ?? ""), let key = HashText.read(settings["sk"]),
            let salt = HashText.read(parts[2]), let hash = HashText.read(parts[3])
        else { throw .malformed("fbscrypt") }
        guard let project = FirebaseScrypt(signerKey: key, saltSeparator: separator, rounds: rounds, memoryCost: memoryCost)
        else {
            throw .malformed("fbscrypt")
        }
        self.init(project, salt: salt, hash: hash)
    }

    private static let names: Set<String> = ["v", "n", "r", "p", "ss", "sk"]

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        ConstantTime.areEqual(try project.hash(password, salt: salt), hash)
    }

    var effort: PasswordEffort { ScryptHash.effort(cost: 1 << project.memoryCost, blockSize: project.rounds, parallelism: 1) }

    var text: String {
        // GoTrue's form does not allow an empty setting.
        let separator = project.saltSeparator.isEmpty ? "" : ",ss=" + Base64.encode(project.saltSeparator)
        return "$fbscrypt$v=1,n=\(project.memoryCost),r=\(project.rounds),p=1\(separator),sk=\(Base64.encode(project.signerKey))"
            + "$\(Base64.encode(salt))$\(Base64.encode(hash))"
    }
}
