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
        /// The error for a disabled user, at any time.
        case refusal
        /// No session, but the error for an unverified address, or a step that requires more.
        case noSession
    }

    let claim: String
    let hashKind: String?
    let expectation: Expectation
    let new: NewDirectoryUser
    let password: Secret

    /// The id on the target; the external id if the target makes the id.
    var key: String { new.id ?? new.externalID ?? "" }
    var email: String { new.email ?? "" }
}

/// Creates canaries of a run.
struct CanaryMaker: Sendable {
    private let randomness: any Randomness
    private let ids: MoveTarget.IDs
    /// The end of the addresses, which names the run.
    private let ending: String

    /// The number of random bytes in an address.
    private static let nameSize = 8

    init(_ move: UserMove) {
        randomness = move.randomness
        ids = move.target.ids
        ending = "-" + Hex.encode(Array(move.key.digest("canary", "tag").prefix(4))) + move.target.canaryEnding
    }

    /// Returns the way to find a canary by the key in the journal.
    func request(_ key: String) -> RequestedUser { ids == .assigned ? .externalID(key) : .id(key) }

    /// Returns whether a user of the target has the address of a canary of this run.
    func hasMade(_ user: DirectoryUser) -> Bool {
        guard let address = user.email?.utf8, address.count == 2 * Self.nameSize + ending.utf8.count else { return false }
        return Hex.decode(String(decoding: address.prefix(2 * Self.nameSize), as: UTF8.self)) != nil
            && address.dropFirst(2 * Self.nameSize).elementsEqual(ending.utf8)
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
        let name = Hex.encode(randomness.bytes(Self.nameSize))
        var new = NewDirectoryUser(email: name + ending, password: .hash(hash))
        switch ids {
        case .uuids: new.id = randomness.uuid()
        case .kept: new.id = "lockstep-canary-\(name)"
        case .assigned: new.externalID = "lockstep-canary-\(name)"
        }
        new.isEmailConfirmed = true
        change(&new)
        return Canary(claim: claim, hashKind: hashKind, expectation: expectation, new: new, password: password)
    }
}
