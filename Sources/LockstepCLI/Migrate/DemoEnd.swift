import LockstepEmulation
import LockstepMigration
import LockstepPrimitives

/// A side of a rehearsal: an emulator with its users.
protocol DemoEnd: Sendable {
    /// The name of the provider.
    var name: String { get }
    var server: any RunningEmulator { get }
    /// The rows behind the emulator; `nil` if the demo uses only its API.
    var rows: DemoRows? { get }
    /// A key of an administrator, which no file of a run may contain.
    var key: Secret? { get }
    /// Whether the side shows the hashes of its users.
    var showsHashes: Bool { get }
    /// Whether a correct password counts as a sign-in before the second factor.
    var countsFirstFactors: Bool { get }
    /// The unusual users of this side as a source.
    var oddUsers: [OddUser] { get }
    /// The limits of the API as a source and as a target; each `nil` without limits, or with rows.
    var notes: (source: String?, target: String?) { get }
    /// Whether the accounts at identity providers move to this side, if the rows of a side are used.
    var keepsIdentities: Bool { get }
    /// Whether a sign-in with an identity provider takes over the account with the same unverified address.
    var givesAccountsToOwners: Bool { get }
    /// The requests that create users.
    var creation: RequestMatch { get }
    /// Returns the number of requests that create about this number of users.
    func requests(for users: Int) -> Int

    /// Returns the side in `move.json`, and the files with its secrets, by name.
    func side() -> (members: JSONObject, files: [(String, Secret)])
    /// Returns what happens to an unusual user on this side as the target.
    func expectation(of user: OddUser, hasRows: Bool) -> OddUser.Expectation
    /// Returns the id of a user with a name.
    func id(of name: String) -> String
    func userCount() throws -> Int
    /// Turns on the providers of the rehearsal's users.
    func prepare() async throws
    /// Creates users.
    ///
    /// - Returns: The reasons why users were rejected.
    func fill(_ users: [OddUser]) async throws -> [String]
    /// Changes the name and the claims of a user.
    func change(_ id: String, name: String, claims: JSONObject) async throws
    func delete(_ id: String) async throws
    /// Returns the name of the user with an address; `nil` if nobody has it.
    func displayName(email: String) throws -> String?
    /// Returns the id of a moved user who has an account at Google.
    func googleUser(_ user: OddUser) async throws -> String?
    /// Creates a client of an app.
    func adapter() throws -> any AuthAdapter
}

extension DemoEnd {
    var panel: ControlPanel { server.panel }
    var base: String { server.base }

    var keepsIdentities: Bool { true }
    var givesAccountsToOwners: Bool { true }

    func prepare() async throws {}

    func expectation(of user: OddUser, hasRows: Bool) -> OddUser.Expectation { user.expectation(hasRows: hasRows) }

    /// Returns the user's id at an identity provider.
    func subject(of user: OddUser, at provider: IdentityProvider) -> String { "\(provider)-\(user.id)" }
}

/// The identity provider of a rehearsal, for which both sides have a client.
struct DemoProvider: Sendable {
    let issuer: String
    let keys: JSON

    /// The client id of the app at the identity provider.
    static let app = "demo-app"
}
