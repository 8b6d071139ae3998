/// The rules that the server follows: Firebase's emulator's or production's.
public enum FirebaseMode: String, Sendable, CaseIterable {
    /// Those of Firebase's own emulator: unsigned tokens, nothing expires, the vendors' SDKs are satisfied.
    case emulator
    /// Those of production: signed tokens that expire, revocation, recent sign-in, verified identity tokens.
    case strict
}
