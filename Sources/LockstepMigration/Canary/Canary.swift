internal import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives

/// A temporary user of the target with a known password, whose sign-in shows what such users can do.
struct Canary: Sendable {
    /// The expected result of a sign-in.
    enum Expectation: Sendable, Hashable {
        /// A session, and an error for another password.
        case session
        /// An error from the target, at any time.
        case refusal
        /// No session, but an error, or a step that requires more.
        case noSession
    }

    let claim: String
    let hashKind: String?
    let expectation: Expectation
    let new: NewDirectoryUser
    let password: Secret

    var id: String { new.id ?? "" }
    var email: String { new.email ?? "" }

    /// The domain of all canaries, in which no email is delivered (RFC 2606) and no person has an address.
    static let domain = "canary.lockstep.invalid"
}

/// Creates canaries of a run.
struct CanaryMaker: Sendable {
    private let randomness: any Randomness
    private let ids: MoveTarget.IDs
    /// The part of the addresses that names the run.
    private let tag: String

    init(_ move: UserMove) {
        randomness = move.randomness
        ids = move.target.ids
        tag = Hex.encode(Array(move.key.digest("canary", "tag").prefix(4)))
    }

    /// A random password that common policies accept.
    func password() -> Secret { Secret("Aa1!" + Hex.encode(randomness.bytes(16))) }

    /// Creates a canary.
    ///
    /// - Parameters:
    ///   - claim: What the sign-in shows.
    ///   - hash: The hash of the password, as the target accepts it.
    ///   - hashKind: The kind of hash that the claim is about.
    ///   - password: The password.
    ///   - expectation: The expected result of a sign-in.
    ///   - change: The flags of the user.
    /// - Returns: The result.
    func canary(
        _ claim: String, _ hash: Secret, of hashKind: String?, _ password: Secret, _ expectation: Canary.Expectation,
        _ change: (inout NewDirectoryUser) -> Void = { _ in }
    ) -> Canary {
        let name = Hex.encode(randomness.bytes(8))
        var new = NewDirectoryUser(email: "\(name)-\(tag)@\(Canary.domain)", password: .hash(hash))
        new.id =
            switch ids {
            case .uuids: randomness.uuid()
            case .kept: "lockstep-canary-\(name)"
            }
        new.isEmailConfirmed = true
        change(&new)
        return Canary(claim: claim, hashKind: hashKind, expectation: expectation, new: new, password: password)
    }
}
