/// The parameters of Firebase's own password hash (https://github.com/firebase/scrypt), which every project has its own of.
public struct ScryptSettings: Sendable, Equatable {
    /// The signer key, 64 bytes in base 64; `nil` generates one.
    public var signerKey: String?
    /// The salt separator in base 64.
    public var saltSeparator = "Bw=="
    /// `r` of scrypt, 1 to 8.
    public var rounds = 8
    /// The exponent of `N` of scrypt, 1 to 14: 14 is Firebase's, and takes some 50 milliseconds; tests are well served by 4.
    public var memoryCost = 14

    /// Firebase's own figures.
    public init() {}
}
