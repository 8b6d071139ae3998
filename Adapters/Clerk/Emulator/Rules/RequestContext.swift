internal import LockstepEmulation
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepTokens

/// One run of a handler in its transaction, of either API.
typealias RequestContext = LockstepEmulation.RequestContext<ServerState>

/// The rules that handlers use, each a small type that stores the request's context.
extension RequestContext {
    var addressNotices: AddressNotice { AddressNotice(context: self) }
    var clients: ClientRepository { ClientRepository(context: self) }
    var extensions: Extensions { Extensions(context: self) }
    var firstFactors: FirstFactorService { FirstFactorService(context: self) }
    var hashers: Hashers { Hashers(context: self) }
    var images: Images { Images(context: self) }
    var linkCompletion: LinkCompletion { LinkCompletion(context: self) }
    var links: EmailLinks { EmailLinks(context: self) }
    var lockout: Lockout { Lockout(context: self) }
    var organizationInvitations: OrganizationInvitations { OrganizationInvitations(context: self) }
    var organizationJSON: OrganizationJSON { OrganizationJSON(context: self) }
    var organizations: OrganizationRepository { OrganizationRepository(context: self) }
    var passkeys: Passkeys { Passkeys(context: self) }
    var passwords: Passwords { Passwords(context: self) }
    var proofs: ProofService { ProofService(context: self) }
    var providerAccounts: ProviderAccounts { ProviderAccounts(context: self) }
    var providerRedirects: ProviderRedirects { ProviderRedirects(context: self) }
    var providerSignIns: ProviderSignIn { ProviderSignIn(context: self) }
    var providerSignUps: ProviderSignUp { ProviderSignUp(context: self) }
    var providerTokens: ProviderTokens { ProviderTokens(context: self) }
    var redirects: Redirects { Redirects(context: self) }
    var restrictions: Restrictions { Restrictions(context: self) }
    var roles: RoleRepository { RoleRepository(context: self) }
    var secondFactorProofs: SecondFactorService { SecondFactorService(context: self) }
    var secondFactors: SecondFactors { SecondFactors(context: self) }
    var sessionJSON: SessionJSON { SessionJSON(context: self) }
    var sessionTokens: SessionTokens { SessionTokens(context: self) }
    var sessions: SessionRepository { SessionRepository(context: self) }
    var signInJSON: SignInJSON { SignInJSON(context: self) }
    var signIns: SignInService { SignInService(context: self) }
    var signUpFields: SignUpFields { SignUpFields(context: self) }
    var signUpJSON: SignUpJSON { SignUpJSON(context: self) }
    var signUps: SignUpService { SignUpService(context: self) }
    var ticketJSON: TicketJSON { TicketJSON(context: self) }
    var ticketSignIns: TicketSignIn { TicketSignIn(context: self) }
    var tickets: Tickets { Tickets(context: self) }
    var userJSON: UserJSON { UserJSON(context: self) }
    var users: UserRepository { UserRepository(context: self) }
}

extension RequestContext {
    /// Returns a new id of `kind`, which is the same in every run.
    func id(_ kind: IdentifierKind) -> String {
        nextID(of: kind.prefix) { IDGenerator(randomness: $0).make(kind, at: now) }
    }

    /// 32 random characters.
    func token() -> String { randomness.text(32) }

    /// Returns six digits, which are the same for every test address.
    func code(isTest: Bool) -> String {
        isTest && settings.isTestMode ? "424242" : randomness.text(6, of: "0123456789")
    }

    /// Hashes and compares passwords.
    var passwordService: PasswordService<ServerState> {
        PasswordService(self, .bcrypt(settings.usesCheapHashes ? .least : .real, randomness: randomness))
    }

    /// Returns the bcrypt digest of a new password.
    func digest(of password: String) throws -> String {
        let hash = try passwordService.hash(password).get()
        return hash.clerkDigest?.digest ?? hash.text
    }

    /// Returns whether `password` is the user's password; `nil` if the user has none.
    func matches(_ password: String, _ user: UserRecord) throws -> Bool? {
        guard let digest = user.passwordDigest, let hasher = user.passwordHasher else { return nil }
        let hash = try? PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: hasher))
        return try passwordService.matches(password, [hash].compactMap(\.self))
    }

    /// Signs claims with the instance's key.
    func sign(_ claims: JSONObject) throws -> String {
        try TokenWriter.sign(claims, with: value(of: state.signingKey))
    }

    /// Emails a text with a code or a link.
    ///
    /// - `slug`: The name of Clerk's template for it.
    func mail(_ slug: String, to address: String, subject: String, text: String, code: String? = nil, link: String? = nil) throws
    {
        let mail = OutgoingMessage.mail(OutgoingMail(to: address, subject: subject, text: text, code: code, link: link))
        try emitMessage(mail, slug: slug)
        send(mail, failure: ClerkError.mailLimitExceeded)
    }

    /// Sends a text message with a code.
    func text(to number: String, _ text: String, code: String) throws {
        let message = OutgoingMessage.text(to: number, text: text, code: code)
        try emitMessage(message, slug: "verification_code")
        send(message, failure: ClerkError.textLimitExceeded)
    }
}

/// Creates ids in Clerk's format: a prefix, and 27 characters of base 62 that begin with the time, so that ids sort by
/// age.
struct IDGenerator {
    let randomness: any Randomness

    /// Returns a new id of `kind` at `now`.
    func make(_ kind: IdentifierKind, at now: Instant) -> String {
        var bytes: [UInt8] = []
        // KSUIDs count seconds from May 2014.
        let seconds = UInt32(truncatingIfNeeded: now.seconds - 1_400_000_000)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: seconds >> UInt32(shift))) }
        bytes += randomness.bytes(16)
        return kind.prefix + "_" + Self.base62(bytes)
    }

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// Returns 20 bytes as 27 digits, the most significant first.
    private static func base62(_ bytes: [UInt8]) -> String {
        var number = bytes
        var text: [UInt8] = []
        for _ in 0..<27 {
            var remainder = 0
            for index in number.indices {
                let value = remainder << 8 | Int(number[index])
                number[index] = UInt8(value / 62)
                remainder = value % 62
            }
            text.append(digits[remainder])
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }
}

/// The kind of object that an id identifies, by the prefix of the id; an extension adds its own kinds.
struct IdentifierKind: Sendable {
    let prefix: String

    init(_ prefix: String) { self.prefix = prefix }

    static let client = Self("client"), session = Self("sess"), user = Self("user"), signIn = Self("sia")
    static let signUp = Self("sua"), identification = Self("idn"), externalAccount = Self("eac"), passkey = Self("pkey")
    static let secondFactor = Self("totp"), backupCodes = Self("bc"), activity = Self("sess_activity"), image = Self("img")
    static let signInToken = Self("sit"), actorToken = Self("act"), invitation = Self("inv"), flow = Self("eml")
    static let verification = Self("ver"), message = Self("ema"), instance = Self("ins"), authConfig = Self("aconf")
    static let displayConfig = Self("dconf"), redirectURL = Self("ru"), domain = Self("dmn"), allowlistEntry = Self("alid")
    static let blocklistEntry = Self("blid"), organization = Self("org"), membership = Self("orgmem")
    static let organizationInvitation = Self("orginv"), suggestion = Self("orgsug"), membershipRequest = Self("orgmemreq")
    static let role = Self("role"), permission = Self("perm"), roleSet = Self("rset")
}
