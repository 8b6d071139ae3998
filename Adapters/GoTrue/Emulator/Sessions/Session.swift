internal import LockstepPrimitives

/// A session, with the methods that it was proven by.
struct Session: Sendable {
    struct Proof: Sendable {
        var method: AuthenticationMethod
        var at: Instant
    }

    var id: String
    var userID: String
    var factorID: String?
    /// Signs version 2 refresh tokens, in hexadecimal.
    var refreshKey: String?
    var refreshCounter: Int64?
    var refreshedAt: Instant?
    var createdAt: Instant
    /// The order of creation.
    var row: Int64 = 0
    /// Newest first.
    var proofs: [Proof] = []

    var isSecondFactor: Bool { proofs.contains { $0.method.isSecond } }
    var assurance: String { isSecondFactor ? "aal2" : "aal1" }

    func isProven(by methods: [AuthenticationMethod]) -> Bool { proofs.contains { methods.contains($0.method) } }
}
