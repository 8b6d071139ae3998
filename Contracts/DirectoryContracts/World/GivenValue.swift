internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// A value of a new user.
///
/// Not every backend stores it.
struct GivenValue: Sendable {
    let feature: DirectoryFeature
    /// The name of the value in a sentence.
    let name: String
    /// Whether the value excludes other values of the same user.
    let isAlone: Bool
    /// Whether a directory with the feature may still reject this value.
    let isRefusable: Bool
    /// Sets the value in a user.
    ///
    /// The number makes the values of different users different.
    let give: @Sendable (inout NewDirectoryUser, Int) -> Void
    /// Returns whether a user from the backend has the value of the new user.
    let isRead: @Sendable (DirectoryUser, NewDirectoryUser) -> Bool

    init(
        _ feature: DirectoryFeature, _ name: String, isAlone: Bool = false, isRefusable: Bool = false,
        give: @escaping @Sendable (inout NewDirectoryUser, Int) -> Void,
        isRead: @escaping @Sendable (DirectoryUser, NewDirectoryUser) -> Bool
    ) {
        self.feature = feature
        self.name = name
        self.isAlone = isAlone
        self.isRefusable = isRefusable
        self.give = give
        self.isRead = isRead
    }

    static let all = account + addresses + person + methods
    private static let then = Instant(seconds: 1_550_000_000)

    private static let account: [GivenValue] = [
        GivenValue(.chosenIDs, "an id") { user, number in
            user.id = "8d3b8a52-2a55-4f0e-9d8f-4b4f5f0d\(2000 + number)"
        } isRead: {
            $0.id == $1.id
        },
        GivenValue(.externalIDs, "another system's id") {
            $0.externalID = "legacy-\($1)"
        } isRead: {
            $0.externalID == $1.externalID
        },
        GivenValue(.creationTimes, "the time when the account was created") { user, _ in
            user.createdAt = Instant(seconds: 1_500_000_000)
        } isRead: {
            $0.createdAt == $1.createdAt
        },
        GivenValue(.updateTimes, "the time of the last change") { user, _ in
            user.updatedAt = then
        } isRead: {
            $0.updatedAt == $1.updatedAt
        },
        GivenValue(.signInTimes, "the last sign-in") { user, _ in
            user.lastSignInAt = Instant(seconds: 1_600_000_000)
        } isRead: {
            $0.lastSignInAt == $1.lastSignInAt
        },
        GivenValue(.disabling, "a disabled account") { user, _ in
            user.isDisabled = true
        } isRead: { read, _ in
            read.isDisabled
        },
        GivenValue(.banEnds, "the end of a ban", isAlone: true) { user, _ in
            user.isDisabled = true
            user.bannedUntil = Instant(seconds: 2_400_000_000)
        } isRead: { read, given in
            guard let end = read.bannedUntil, let due = given.bannedUntil else { return false }
            // A server may calculate the end from its own time and the remaining duration of the ban.
            return read.isDisabled && abs(end.milliseconds - due.milliseconds) < 60_000
        },
        GivenValue(.locks, "a lock") { user, _ in
            user.isLocked = true
        } isRead: { read, _ in
            read.isLocked
        },
        GivenValue(.tenants, "a tenant") { user, _ in
            user.tenant = "tenant-1"
        } isRead: {
            $0.tenant == $1.tenant
        },
        GivenValue(.roles, "a role") { user, _ in
            user.role = "manager"
        } isRead: {
            $0.role == $1.role
        },
        GivenValue(.roles, "an audience", isAlone: true) { user, _ in
            user.audience = "partners"
        } isRead: {
            $0.audience == $1.audience
        },
    ]

    private static let addresses: [GivenValue] = [
        GivenValue(.phones, "a number") { user, number in
            user.phone = "+1555123\(1000 + number)"
            user.isPhoneConfirmed = true
        } isRead: {
            $0.phone == $1.phone && $0.isPhoneConfirmed
        },
        GivenValue(.confirmationTimes, "the time of a verified address") { user, _ in
            user.emailConfirmedAt = then
        } isRead: {
            $0.emailConfirmedAt == $1.emailConfirmedAt
        },
        GivenValue(.otherAddresses, "a further address") { user, number in
            user.otherEmails = [DirectoryAddress("other\(number)@example.com", isConfirmed: true)]
        } isRead: {
            $0.otherEmails == $1.otherEmails
        },
        GivenValue(.otherAddresses, "a further number") { user, number in
            // The first number of a user is the primary one.
            (user.phone, user.isPhoneConfirmed) = ("+1555123\(1000 + number)", true)
            user.otherPhones = [DirectoryAddress("+1555124\(1000 + number)", isConfirmed: true)]
        } isRead: {
            // The numbers of second factors are among the factors.
            $0.otherPhones.filter { !$0.isSecondFactor } == $1.otherPhones
        },
        // Not every backend can do so with an address that is verified.
        GivenValue(.addressIdentities, "a verified address that is not a sign-in method", isAlone: true, isRefusable: true) {
            user, _ in
            user.hasEmailIdentity = false
        } isRead: { read, _ in
            read.hasEmailIdentity == false
        },
        GivenValue(.addressIdentities, "an address that is not a sign-in method", isAlone: true) { user, _ in
            (user.isEmailConfirmed, user.hasEmailIdentity) = (false, false)
        } isRead: { read, _ in
            read.hasEmailIdentity == false
        },
    ]

    private static let person: [GivenValue] = [
        GivenValue(.usernames, "a user name") {
            $0.username = "ada_\($1)"
        } isRead: {
            $0.username == $1.username
        },
        GivenValue(.personNames, "a first and a last name") { user, _ in
            user.firstName = "Ada"
            user.lastName = "Lovelace"
        } isRead: {
            $0.firstName == $1.firstName && $0.lastName == $1.lastName
        },
        GivenValue(.photos, "a photo") { user, _ in
            user.photoURL = "https://example.com/ada.png"
        } isRead: {
            $0.photoURL == $1.photoURL
        },
        GivenValue(.userMetadata, "the user's own data") { user, _ in
            user.userMetadata = ["colour": "green"]
        } isRead: { read, _ in
            read.userMetadata["colour"] == "green"
        },
        GivenValue(.privateMetadata, "data of servers only") { user, _ in
            user.privateMetadata = ["note": "old"]
        } isRead: { read, _ in
            read.privateMetadata["note"] == "old"
        },
    ]

    private static let methods: [GivenValue] = [
        GivenValue(.identities, "identities of providers") { user, number in
            user.providerIdentities = [
                DirectoryIdentity(.google, subject: "g-\(number)", email: "ada\(number)@gmail.example"),
                DirectoryIdentity(IdentityProvider(rawValue: "microsoft"), subject: "m-\(number)"),
            ]
        } isRead: { read, given in
            let names = { (identity: DirectoryIdentity) in [identity.provider.rawValue, identity.subject, identity.email] }
            return Set(read.providerIdentities.map(names)) == Set(given.providerIdentities.map(names))
        },
        GivenValue(.identityDetails, "the data and times of identities") { user, number in
            user.providerIdentities = [
                DirectoryIdentity(
                    .google, subject: "g-\(number)", email: "ada\(number)@gmail.example", data: ["locale": "it"], createdAt: then),
                DirectoryIdentity(IdentityProvider(rawValue: "microsoft"), subject: "m-\(number)", lastSignInAt: then),
            ]
        } isRead: { read, _ in
            read.providerIdentities.contains { $0.createdAt == then && $0.data["locale"] == "it" }
                && read.providerIdentities.contains { $0.lastSignInAt == then }
        },
        GivenValue(.phoneFactors, "numbers as second factors") { user, number in
            user.isEmailConfirmed = true
            user.factors = [DirectoryFactor(.phone("+1555125\(1000 + number)"), friendlyName: "phone", createdAt: then)]
        } isRead: { read, user in
            // A backend keeps the name and the time of each number, or has no names, and times of its own.
            user.factors.filter(\.isVerifiedNumber).allSatisfy { given in
                read.factors.contains {
                    let hasOwnTime = $0.createdAt.map { $0 > then } ?? false
                    return $0 == given || $0.kind == given.kind && $0.isVerified && $0.friendlyName == nil && hasOwnTime
                }
            }
        },
        GivenValue(.appFactors, "an authenticator app as a second factor") { user, _ in
            user.factors.append(DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"), createdAt: then))
        } isRead: { read, _ in
            // Few backends return the secret.
            read.factors.contains {
                [.authenticatorApp(secret: nil), .authenticatorApp(secret: "JBSWY3DPEHPK3PXP")].contains($0.kind)
            }
        },
        GivenValue(.backupCodes, "backup codes with their texts") { user, _ in
            var codes = DirectoryFactor(.backupCodes(count: 2))
            codes.codes = ["abcdef12", "abcdef34"]
            user.factors.append(codes)
        } isRead: { read, _ in
            read.factors.contains { if case .backupCodes = $0.kind { true } else { false } }
        },
        GivenValue(.factors, "an authenticator app and a number as second factors") { user, _ in
            user.factors = [
                DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"), friendlyName: "app", createdAt: then),
                DirectoryFactor(
                    .phone("+15551259999"), friendlyName: "phone", isVerified: false, createdAt: then + .seconds(1)),
            ]
        } isRead: {
            $0.factors == $1.factors
        },
        GivenValue(.factors, "a passkey", isAlone: true, isRefusable: true) { user, _ in
            user.factors = [DirectoryFactor(.passkey)]
        } isRead: {
            $0.factors == $1.factors
        },
        GivenValue(.factors, "backup codes", isAlone: true, isRefusable: true) { user, _ in
            user.factors = [DirectoryFactor(.backupCodes(count: 8))]
        } isRead: {
            $0.factors == $1.factors
        },
        GivenValue(.anonymousUsers, "an anonymous user", isAlone: true) { user, _ in
            user.email = nil
            user.isEmailConfirmed = false
            user.isAnonymous = true
        } isRead: { read, _ in
            read.isAnonymous && read.email == nil
        },
        GivenValue(.singleSignOn, "a user of single sign-on", isAlone: true) { user, _ in
            user.isSingleSignOn = true
        } isRead: { read, _ in
            read.isSingleSignOn
        },
    ]
}
