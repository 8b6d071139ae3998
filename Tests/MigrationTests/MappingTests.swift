import LockstepClerkDirectory
import LockstepCurl
import LockstepDirectory
import LockstepFirebaseDirectory
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepMoveTargets
import LockstepPasswords
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI
@testable import LockstepMigration

@Suite("Mapping of users", .limitedConcurrency) struct MappingTests {
    /// The target with its API, or with its rows.
    ///
    /// Neither gets a request.
    private static func mapping(
        _ choices: MoveChoices = MoveChoices(), rows: Bool = false, to end: MoveTarget? = nil
    ) throws -> Mapping {
        var target = try end ?? MoveWorld.unreachableTarget()
        if rows {
            let database = try GoTrueDatabase("host=/nowhere dbname=x")
            target = .goTrue(database, rows: database, project: "target")
        }
        let source = MoveSource(
            try GoTrueDirectory(url: "http://127.0.0.1:9", adminKey: "sb_secret_x", transport: CurlTransport()), project: "demo")
        return Mapping(from: source, to: target, choices)
    }

    private static let hash: Secret = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"

    private static func user(_ change: (inout DirectoryUser) -> Void = { _ in }) -> DirectoryUser {
        var user = DirectoryUser(id: "u1")
        (user.email, user.isEmailConfirmed, user.passwordHash, user.hasPassword) = ("ada@example.com", true, hash, true)
        change(&user)
        return user
    }

    private static func google(_ user: inout DirectoryUser, email: String? = "ada@example.com") {
        user.providerIdentities = [DirectoryIdentity(.google, subject: "g1", email: email)]
    }

    private static func withoutPassword(_ user: inout DirectoryUser) {
        (user.passwordHash, user.hasPassword, user.missingHash) = (nil, false, .noPassword)
    }

    @Test(.covers("M16"), arguments: [false, true]) func unverifiedAddressOrNumberStaysUnverified(_ rows: Bool) throws {
        let user = Self.user {
            ($0.isEmailConfirmed, $0.phone, $0.emailConfirmedAt) = (false, "+4915112345678", Instant(seconds: 1_600_000_000))
            Self.google(&$0)
        }
        let new = try Self.mapping(rows: rows).map(user).new
        #expect(!new.isEmailConfirmed && !new.isPhoneConfirmed && new.emailConfirmedAt == nil && new.phoneConfirmedAt == nil)
    }

    @Test(.covers("M20"), arguments: [false, true]) func providerUserGetsNoPassword(_ rows: Bool) throws {
        let mapped = try Self.mapping(rows: rows).map(
            Self.user {
                Self.withoutPassword(&$0)
                Self.google(&$0)
            })
        #expect(mapped.new.password == nil && mapped.shape.hashKind == nil)
        #expect(mapped.shape.way == .provider && mapped.shape.provider == "google" && mapped.outcome == .create)
        #expect(mapped.new.providerIdentities.map(\.subject) == (rows ? ["g1"] : []))
    }

    private static let app = DirectoryFactor(.authenticatorApp(secret: nil))
    private static let text = DirectoryFactor(.phone("+4915112345679"))

    @Test(.covers("M26")) func unmovableFactorRejectsTheUserUnlessChosen() throws {
        let user = Self.user { $0.factors = [Self.text, Self.app] }
        #expect(try Self.mapping().map(user).outcome == .refuse(.phoneFactor))
        #expect(try Self.mapping(rows: true).map(user).outcome == .refuse(.appFactor))
        let dropped = try Self.mapping(MoveChoices(factors: .drop), rows: true).map(user)
        #expect(dropped.outcome == .create && dropped.new.factors == [Self.text] && dropped.new.password != nil)
        #expect(dropped.shape.way == .password)
        let safe = try Self.mapping(MoveChoices(factors: .withoutPassword), rows: true).map(user)
        #expect(safe.outcome == .create && safe.new.factors == [Self.text] && safe.new.password == nil)
        #expect(safe.shape.way == .mailLink)
        #expect(safe.shape.fields.contains(FieldVerdict(field: .password, treatment: .lost, reason: .passwordDropped)))
    }

    @Test func movedFactorsKeepThePassword() throws {
        let user = Self.user {
            $0.factors = [DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP")), DirectoryFactor(.passkey)]
        }
        let mapped = try Self.mapping(MoveChoices(factors: .withoutPassword), rows: true).map(user)
        #expect(mapped.outcome == .create && mapped.new.factors.count == 1 && mapped.new.password != nil)
        #expect(mapped.shape.fields.contains(FieldVerdict(field: .passkeys, treatment: .lost, reason: .passkeyIsBound)))
        // A number that was never verified protects nobody.
        let unverified = Self.user { $0.factors = [DirectoryFactor(.authenticatorApp(secret: nil), isVerified: false)] }
        #expect(try Self.mapping(rows: true).map(unverified).outcome == .create)
    }

    private static func demands(_ change: (inout DirectoryDemands) -> Void) -> DirectoryDemands {
        var demands = DirectoryDemands()
        change(&demands)
        return demands
    }

    /// The first sign-in method that works with the settings of the target.
    @Test(.covers("M50")) func signInMethodFollowsTheSettings() throws {
        let mapping = try Self.mapping()
        func way(_ demands: DirectoryDemands, _ change: (inout DirectoryUser) -> Void = { _ in }) -> WayIn {
            mapping.map(Self.user(change), demands: demands).shape.way
        }
        let unknown = DirectoryDemands()
        #expect(way(unknown) == .password)
        #expect(way(unknown) { $0.isEmailConfirmed = false } == .passwordAfterProof)
        #expect(way(unknown) { ($0.passwordHash, $0.missingHash) = (nil, .notRehashed) } == .newPassword)
        #expect(way(unknown, Self.withoutPassword) == .mailLink)
        #expect(way(unknown) { $0.isDisabled = true } == .disabled)
        let numbered: (inout DirectoryUser) -> Void = {
            ($0.isEmailConfirmed, $0.phone, $0.isPhoneConfirmed) = (false, "+4915112345678", true)
        }
        #expect(way(unknown, numbered) == .phoneCode)
        #expect(way(Self.demands { $0.phone = .off }, numbered) == .passwordAfterProof)
        #expect(way(Self.demands { $0.email = .off }) { Self.google(&$0) } == .provider)
        #expect(way(Self.demands { ($0.email, $0.providers) = (.off, [.apple]) }) { Self.google(&$0) } == .none)
        #expect(way(Self.demands { $0.password = .off }) == .mailLink)
        // Sign-up can be disabled, because an administrator creates the users.
        #expect(way(Self.demands { $0.isSignUpOpen = false }) == .password)
    }

    /// Without the identity on the target, its page finds a user only by the address.
    @Test func providerWithAnotherAddressNeedsTheIdentity() throws {
        let user = Self.user {
            Self.withoutPassword(&$0)
            Self.google(&$0, email: "former@example.com")
        }
        #expect(try Self.mapping().map(user).shape.way == .mailLink)
        #expect(try Self.mapping(rows: true).map(user).shape.way == .provider)
    }

    @Test(.covers("M50")) func userWithoutASignInMethodIsRejectedUnlessChosen() throws {
        let off = Self.demands { ($0.email, $0.phone) = (.off, .off) }
        let mapped = try Self.mapping().map(Self.user(), demands: off)
        #expect(mapped.outcome == .refuse(.noWayIn) && mapped.shape.obstacles == [MoveObstacle.Key(.emailOff)])
        let allowed = try Self.mapping(MoveChoices(withoutWayIn: .create)).map(Self.user(), demands: off)
        #expect(allowed.outcome == .create && allowed.shape.way == .none)
    }

    /// Only a reported setting can be an obstacle.
    @Test(.covers("M51")) func obstaclesNameTheSetting() throws {
        let demands = Self.demands {
            ($0.phone, $0.providers, $0.secondFactors, $0.username) = (.off, [.apple], [.authenticatorApp], .required)
        }
        let user = Self.user {
            ($0.phone, $0.isPhoneConfirmed, $0.factors) = ("+4915112345678", true, [Self.text])
            Self.google(&$0)
        }
        let mapped = try Self.mapping(rows: true).map(user, demands: demands)
        #expect(mapped.outcome == .refuse(.valueMissing))
        #expect(
            Set(mapped.shape.obstacles) == [
                .init(.phoneOff), .init(.providerOff, "google"), .init(.secondFactorOff, "phone"),
                .init(.valueRequired, "user name"),
            ])
        #expect(try Self.mapping(rows: true).map(user).shape.obstacles.isEmpty)
        #expect(mapped.shape.uses == [.email, .phone, .password, .providers, .secondFactors])
    }

    @Test func settingsDoNotChangeWrittenValues() throws {
        let demands = Self.demands { ($0.email, $0.phone, $0.providers, $0.password) = (.off, .off, [], .off) }
        let user = Self.user {
            ($0.phone, $0.isPhoneConfirmed) = ("+4915112345678", true)
            Self.google(&$0)
        }
        for rows in [false, true] {
            let mapping = try Self.mapping(rows: rows)
            #expect(mapping.map(user).new == mapping.map(user, demands: demands).new)
        }
    }

    /// No value is lost without a line in the table.
    @Test(.covers("M01", "M09")) func unsupportedValuesAreNamedAsLost() throws {
        let user = Self.user {
            ($0.username, $0.firstName, $0.externalID) = ("ada", "Ada", "x1")
            ($0.privateMetadata, $0.isLocked, $0.isSingleSignOn) = (["a": 1], true, true)
            $0.otherEmails = [DirectoryAddress("ada@example.org", isConfirmed: true)]
            $0.providerIdentities = ["saml.acme", "yahoo"].map { DirectoryIdentity(IdentityProvider(rawValue: $0), subject: "s") }
            ($0.createdAt, $0.lastSignInAt) = (Instant(seconds: -99_999_999_999), Instant(seconds: 1_600_000_000))
        }
        let mapping = try Self.mapping(rows: true)
        let mapped = mapping.map(user)
        let lost = Set(mapped.shape.fields.filter { $0.treatment == .lost }.map(\.field))
        #expect(
            lost == [
                .username, .personNames, .externalID, .privateData, .lock, .singleSignOn, .furtherAddresses, .identities,
                .created,
            ])
        #expect(mapped.new.providerIdentities.isEmpty && mapped.new.createdAt == nil && mapped.new.lastSignInAt != nil)
        // The rest is what the target's directory can write.
        #expect(mapped.new.requiredFeatures.isSubset(of: mapping.features))
    }

    @Test func claimOfTheUserIsNotReplacedByTheTenant() throws {
        func verdicts(_ user: DirectoryUser) throws -> (JSON?, [FieldVerdict]) {
            let mapped = try Self.mapping().map(user)
            #expect(mapped.leftOut["tenant"] == (user.appMetadata.isEmpty ? nil : "shop"))
            return (mapped.new.appMetadata["tenant"], mapped.shape.fields.filter { $0.field == .tenant })
        }
        let free = try verdicts(Self.user { $0.tenant = "shop" })
        #expect(free.0 == "shop" && free.1.map(\.treatment) == [.transformed])
        let taken = try verdicts(Self.user { ($0.tenant, $0.appMetadata) = ("shop", ["tenant": ["id": 7]]) })
        #expect(taken.0 == ["id": 7] && taken.1.map(\.treatment) == [.lost])
    }

    /// GoTrue's own numbers are 64-bit floats.
    @Test(arguments: [("9007199254740992", false), ("9007199254740993", true), ("18446744073709551615", true), ("2.5", false)])
    func roundedNumberIsNamed(_ number: String, _ isRounded: Bool) throws {
        let data = try #require(try JSON.parse("{\"list\":[{\"id\":\(number)}]}").object)
        let mapped = try Self.mapping().map(Self.user { ($0.appMetadata, $0.userMetadata) = (data, data) })
        let fields = mapped.shape.fields.filter { $0.reason == .numbersRounded }
        #expect(fields.map(\.field) == (isRounded ? [.claims, .userData] : []) && mapped.outcome == .create)
    }

    /// A password that no user can sign in with is no way in.
    @Test(
        .covers("M03", "M50"),
        arguments: [
            ("$2b$31$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG", FieldReason.hashNotAccepted),
            ("$argon2id$v=19$m=1048576,t=20,p=4$c2FsdHNhbHRzYWx0$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", .hashNotAccepted),
            ("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bpw==$C0sHCg9ek77hsg==$ZGlmZmVyZW50", .hashIncomplete),
        ])
    func uselessHashIsNoPassword(_ text: String, _ reason: FieldReason) throws {
        let mapped = try Self.mapping().map(Self.user { $0.passwordHash = Secret(text) })
        #expect(mapped.shape.way == .newPassword && mapped.new.password == nil && mapped.shape.hashKind == nil)
        #expect(mapped.shape.fields.first { $0.field == .password }?.reason == reason)
    }

    private static func clerk() throws -> MoveTarget {
        let directory = try ClerkDirectory(secretKey: "sk_test_x", transport: CurlTransport())
        return .clerk(directory, api: directory, project: "ins")
    }

    /// A further address that becomes the first one decides like it, and a number that signs in is no second factor.
    @Test func furtherAddressesComeBeforeTheirRules() throws {
        func map(_ verdict: MoveChoices.UnverifiedAddresses, _ change: (inout DirectoryUser) -> Void) throws -> MappedUser {
            var choices = MoveChoices(withoutWayIn: .create)
            choices.unverifiedAddresses = verdict
            return try Self.mapping(choices, to: Self.clerk()).map(Self.user(change))
        }
        let unverified: (inout DirectoryUser) -> Void = {
            ($0.email, $0.isEmailConfirmed) = (nil, false)
            $0.otherEmails = [DirectoryAddress("ada@example.org", isConfirmed: false)]
        }
        let unclaimed = try map(.unclaimed, unverified).new
        #expect(unclaimed.email == "ada@example.org" && unclaimed.hasEmailIdentity == false)
        #expect(try map(.withoutPassword, unverified).new.password == nil)
        let both = try map(.keep) {
            $0.otherPhones = [DirectoryAddress("+4915112345679", isConfirmed: true)]
            $0.factors = [Self.text]
        }
        #expect(both.outcome == .refuse(.phoneFactor))
        // The further address is the one that a second factor by SMS needs.
        let moved = try map(.keep) {
            ($0.email, $0.isEmailConfirmed) = (nil, false)
            $0.otherEmails = [DirectoryAddress("ada@example.org", isConfirmed: true)]
            $0.factors = [Self.text]
        }
        #expect(moved.outcome == .create && moved.new.factors == [Self.text])
    }

    /// An address with which nobody signs in at the source is counted where it would sign in, or stays as it is.
    @Test func unclaimedAddressOpensNothingUncounted() throws {
        let user = Self.user { ($0.isEmailConfirmed, $0.hasEmailIdentity) = (false, false) }
        let firebase = try FirebaseDirectory(
            url: "http://127.0.0.1:9", project: "demo", owner: "owner", transport: CurlTransport())
        let opened = try Self.mapping(to: .firebase(firebase, project: "demo")).map(user)
        #expect(opened.shape.fields.contains(FieldVerdict(field: .address, treatment: .kept, reason: .unverifiedSignsIn)))
        let kept = try Self.mapping(to: Self.clerk()).map(user)
        #expect(kept.new.hasEmailIdentity == false && kept.outcome == .refuse(.noWayIn))
    }

    /// PostgreSQL stores no NUL.
    @Test(arguments: ["name", "claims", "member", "user data", "identity"]) func valueWithNULIsRejected(_ place: String) throws {
        let user = Self.user { user in
            switch place {
            case "name": user.displayName = "A\0da"
            case "claims": user.appMetadata = ["roles": ["a\0"]]
            case "member": user.appMetadata = ["a\0": 1]
            case "user data": user.userMetadata = ["note": "\0"]
            default: user.providerIdentities = [DirectoryIdentity(.google, subject: "g\0", email: "ada@example.com")]
            }
        }
        #expect(try Self.mapping(rows: true).map(user).outcome == .refuse(.valueWithNUL))
        // Only rows contain identities.
        let isWritten = place != "identity"
        #expect(try Self.mapping().map(user).outcome == (isWritten ? .refuse(.valueWithNUL) : .create))
    }

    @Test(arguments: [
        ("$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG", "bcrypt 6"),
        (
            "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "argon2id m=65536,t=3,p=4"
        ),
        (
            "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$ZGlmZmVyZW50",
            "fbscrypt 14/8"
        ),
    ])
    func kindOfAHashIsItsAlgorithmAndCost(_ text: String, _ kind: String) throws {
        #expect(HashKind.name(of: try PasswordHash(text)) == kind)
    }
}
