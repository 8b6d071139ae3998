package import Lockstep
package import LockstepPrimitives

/// An unusual user, for rehearsals and tests of a move.
package struct OddUser: Sendable {
    /// The outcome for the user if both sides are used only through their APIs.
    package enum Expectation: Sendable, Hashable {
        /// The old password signs in.
        case signsIn
        /// The password is correct, but the address must be verified first.
        case verifiesFirst
        /// The user exists, and the old password does not work.
        case hasNoPassword
        /// The old password is correct, and the second factor is required.
        case asksForFactor
        /// The user exists, and is rejected as disabled.
        case isDisabled
        /// The user does not exist.
        case isAbsent(UserReason)
    }

    /// The form of the user's password on the source.
    package enum Hashing: Sendable, Hashable {
        /// Its own hash.
        case own
        /// An imported hash, which the backend does not export.
        case imported
        /// A hash of another kind, in its text format.
        case given(Secret)
        /// No hash.
        case none
    }

    /// The id on the source, which describes the unusual property.
    package let id: String
    package var email: String?
    package var phone: String?
    package var hashing = Hashing.own
    package var isEmailVerified = true
    package var displayName: String?
    package var photoURL: String?
    package var claims: JSONObject = [:]
    package var providers: [IdentityProvider] = []
    package var isDisabled = false
    /// The number of a second factor.
    package var factorPhone: String?
    /// Whether the user has an authenticator app.
    package var hasApp = false
    /// The outcome for the user if both sides are used only through their APIs.
    package private(set) var expectation: Expectation
    /// The outcome for the user if the rows of a side are used, if it is different.
    package var rowsExpectation: Expectation?

    /// Returns what happens to the user.
    ///
    /// - Parameter hasRows: Whether the rows of a side are read or written directly, without its API.
    /// - Returns: The result.
    package func expectation(hasRows: Bool) -> Expectation { hasRows ? rowsExpectation ?? expectation : expectation }

    /// Returns the user with another result.
    package func expecting(_ expectation: Expectation) -> OddUser {
        var user = self
        (user.expectation, user.rowsExpectation) = (expectation, nil)
        return user
    }

    /// The old password of all unusual users.
    package static let password: Secret = "Old-Password-1!"
    /// A hash of this password from another system.
    package static let importedHash: Secret = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"

    /// Creates an unusual user.
    ///
    /// - Parameters:
    ///   - id: The unusual property.
    ///   - expectation: The outcome for the user if both sides are used only through their APIs.
    ///   - change: A closure that makes the user unusual.
    package init(_ id: String, _ expectation: Expectation, _ change: (inout OddUser) -> Void = { _ in }) {
        self.id = "odd-\(id)"
        self.expectation = expectation
        email = "\(id)@example.com"
        change(&self)
    }

    /// Creates a plain user, whose old password signs in.
    ///
    /// - Parameters:
    ///   - id: The id on the source.
    ///   - email: The email address.
    ///   - name: The name.
    package init(named id: String, email: String, name: String? = nil) {
        self.id = id
        expectation = .signsIn
        self.email = email
        displayName = name
    }

    /// The list of unusual users, for rehearsals and tests.
    package static let all: [OddUser] = [
        OddUser("apostrophe", .signsIn) {
            $0.email = "o'brien@example.com"
            $0.displayName = "Conan O'Brien"
        },
        OddUser("right-to-left", .signsIn) { $0.displayName = "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{202E}abc" },
        OddUser("emoji", .signsIn) { $0.displayName = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} Zo\u{65}\u{308}" },
        OddUser("claims", .signsIn) {
            $0.claims = [
                "role": "admin", "notes": .string(String(repeating: "claim ", count: 150)), "list": [1, 2.5, .null, true],
            ]
        },
        OddUser("long-values", .signsIn) {
            $0.displayName = String(repeating: "long ", count: 50)
            $0.photoURL = "https://example.com/" + String(repeating: "picture/", count: 1200)
        },
        OddUser("address-and-number", .signsIn) { $0.phone = "+4915112345601" },
        OddUser("several-providers", .signsIn) { $0.providers = [.google, .apple] },
        OddUser("unverified", .verifiesFirst) { $0.isEmailVerified = false },
        OddUser("phone-only", .hasNoPassword) {
            ($0.email, $0.phone, $0.hashing, $0.isEmailVerified) = (nil, "+4915112345602", .none, false)
        },
        OddUser("social-only", .hasNoPassword) { ($0.hashing, $0.providers) = (.none, [.google]) },
        OddUser("imported-hash", .hasNoPassword) { $0.hashing = .imported },
        OddUser("disabled", .isDisabled) { $0.isDisabled = true },
        // Two spellings of one address, in letters outside of ASCII.
        OddUser("composed-1", .isAbsent(.addressNotAccepted)) { $0.email = "ren\u{E9}@example.com" },
        OddUser("composed-2", .isAbsent(.addressNotAccepted)) { $0.email = "rene\u{301}@example.com" },
        OddUser("text-message-factor", .isAbsent(.phoneFactor)) {
            ($0.factorPhone, $0.rowsExpectation) = ("+4915112345603", .asksForFactor)
        },
        OddUser("no-address", .isAbsent(.noAddressOrNumber)) {
            ($0.email, $0.hashing, $0.isEmailVerified, $0.providers) = (nil, .none, false, [.google])
            $0.rowsExpectation = .hasNoPassword
        },
        OddUser("anonymous", .isAbsent(.anonymousUser)) { ($0.email, $0.hashing, $0.isEmailVerified) = (nil, .none, false) },
    ]
}
