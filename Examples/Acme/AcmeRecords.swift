import LockstepContracts
import LockstepEmulatorTestSupport

/// The stored state of Acme.
struct AcmeRecords: Sendable {
    struct User: Sendable {
        var id: String
        var email: String
        var name: String?
        var password: String?
        /// The id of the user at the identity provider.
        var subject: String?
        /// Whether a code that was sent to the address was used.
        var isVerified = false
        var isBlocked = false
    }

    struct Code: Sendable {
        var handle: String
        var email: String
        var text: String
        var sentAt: Instant
        /// Whether it creates an account for an unknown address.
        var mayCreate: Bool
        /// The password of the sign-up that the code completes.
        var password: String?
        var isUsed = false
    }

    /// A consent on the page of the identity provider.
    struct Grant: Sendable {
        var code: String
        var challenge: String
        var subject: IdentitySubject
        var consentedAt: Instant
    }

    struct Session: Sendable {
        var userID: String
        var access: String
        var end: Instant
        var refresh: String
        var used: Set<[UInt8]> = []
        var isOver = false
    }

    var users: [User] = []
    var codes: [Code] = []
    var grants: [Grant] = []
    var sessions: [Session] = []
    /// Whether an administrator has switched passwords off.
    var isWithoutPasswords = false

    mutating func store(_ user: User) {
        users.removeAll { $0.id == user.id }
        users.append(user)
    }

    /// The user of a valid access token, and the index of its session.
    func owner(of access: String, at now: Instant) throws -> (user: User, session: Int) {
        guard let place = sessions.firstIndex(where: { $0.access.bytes == access.bytes && !$0.isOver && now < $0.end }),
            let user = users.first(where: { $0.id == sessions[place].userID }), !user.isBlocked
        else { throw AcmeRefusal("token_dead", 401) }
        return (user, place)
    }
}

/// An error in Acme's format.
struct AcmeRefusal: Error {
    let code: String
    let status: Int
    var wait: Duration?
    /// What is wrong with a password.
    var weak: [String]

    init(_ code: String, _ status: Int, wait: Duration? = nil, weak: [String] = []) {
        self.code = code
        self.status = status
        self.wait = wait
        self.weak = weak
    }
}

extension String {
    /// A server compares what clients send by bytes: `==` also accepts another spelling of the same letter.
    var bytes: [UInt8] { Array(utf8) }
}
