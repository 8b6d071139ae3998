internal import LockstepCrypto
internal import LockstepPrimitives

/// Hashes passwords as Firebase does, and verifies what was imported.
struct PasswordHasher: Sendable {
    let settings: ScryptSettings
    let signerKey: [UInt8]
    let saltSeparator: [UInt8]
    let randomness: any Randomness

    init(_ settings: ScryptSettings, randomness: any Randomness) throws(SettingsError) {
        guard let separator = Base64.decode(settings.saltSeparator) else {
            throw SettingsError("The salt separator must be bytes in base 64.")
        }
        if let text = settings.signerKey {
            guard let key = Base64.decode(text), key.count == 64 else {
                throw SettingsError("The signer key must be 64 bytes in base 64.")
            }
            signerKey = key
        } else {
            signerKey = randomness.bytes(64)
        }
        self.settings = settings
        saltSeparator = separator
        self.randomness = randomness
    }
}
