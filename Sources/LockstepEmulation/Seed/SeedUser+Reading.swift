internal import LockstepPrimitives
package import LockstepUserFields

extension SeedUser: UserFieldOwner {
    package static let fields = credentials + UserFields.fields.map { $0.within(\.values) } + rest

    private static let credentials: [UserField<SeedUser>] = [
        .text("id", \.id, .proven, keepsEmpty: true), .secret("password", \.password, keepsEmpty: true),
        .secret("passwordHash", \.passwordHash, .proven),
    ]

    private static let rest: [UserField<SeedUser>] = [
        .list("identities", \.identities), .factors("factors", \.factors), .list("sessions", \.sessions),
        .text("missingHash", \.missingHash),
        .time("passwordChangedAt", \.passwordChangedAt), .time("sessionsValidSince", \.sessionsValidSince),
        .texts("providers", \.providers), .texts("notShown", \.notShown), .texts("only", \.only, among: Seed.providers),
    ]

    static let schema = BodySchema(fields)

    /// Reads a user from the members of ``schema``.
    ///
    /// - Parameters:
    ///   - place: The place of the user in the file, such as `users[2]`; empty if the user is a line of the file.
    /// - Throws: ``SeedProblem`` for the first value that cannot be used.
    init(_ body: Body, at place: String) throws(SeedProblem) {
        self = try body.fields(at: place)
        try body.requireNames("only", at: place)
        try check(at: place)
    }

    /// Rejects values that contradict each other on every provider.
    private func check(at place: String) throws(SeedProblem) {
        let name = label.map { "user \"\($0.prefix(100))\"" } ?? (place.isEmpty ? "the user" : place)
        func require(_ condition: Bool, _ sentence: String) throws(SeedProblem) {
            if !condition { throw SeedProblem(.malformed, "\(name) \(sentence)") }
        }
        let (hasEmail, hasPhone) = (self.email?.isEmpty == false, self.phone?.isEmpty == false)
        try require(
            password == nil || passwordHash == nil, "has \"password\" and \"passwordHash\". Leave one of them out.")
        try require(password?.isEmpty != true, "has an empty \"password\". Leave it out, or type a password.")
        try require(
            hasEmail || !self.isEmailConfirmed && self.emailConfirmedAt == nil,
            "has \"emailConfirmed\" but no \"email\". Add the address.")
        try require(
            hasPhone || !self.isPhoneConfirmed && self.phoneConfirmedAt == nil,
            "has \"phoneConfirmed\" but no \"phone\". Add the number.")
        try require(
            missingHash == nil || password == nil && passwordHash == nil,
            "has \"missingHash\" and a password. Leave one of them out.")
        try require(
            self.bannedUntil == nil || self.isDisabled, "has \"bannedUntil\" but not \"disabled\". Add \"disabled\": true.")
        try require(
            !self.isAnonymous || !hasEmail && !hasPhone && password == nil && passwordHash == nil && identities.isEmpty,
            "is \"anonymous\" and has a sign-in method. Remove \"anonymous\" or the sign-in methods.")
    }
}

extension SeedIdentity: UserFieldOwner {
    package init() { self.init(provider: "", subject: "") }

    package static let fields: [UserField<SeedIdentity>] = [
        .needed("provider", \.provider), .needed("subject", \.subject), .text("email", \.email),
        .text("displayName", \.displayName), .text("photoURL", \.photoURL), .object("data", \.data),
        .time("createdAt", \.createdAt), .time("lastSignInAt", \.lastSignInAt),
    ]
}

extension SeedSession: UserFieldOwner {
    package init() { self.init(id: nil) }

    package static let fields: [UserField<SeedSession>] = [
        .text("id", \.id), .secret("refreshToken", \.refreshToken), .time("createdAt", \.createdAt),
        .time("lastUsedAt", \.lastUsedAt), .text("userAgent", \.userAgent), .text("address", \.address),
        .text("method", \.method), .flag("secondFactor", \.hasSecondFactor),
    ]
}

extension BodySchema {
    /// The members of a list of fields.
    init<Owner>(_ fields: [UserField<Owner>]) { self.init(name: "", fields.map { ($0.name, Kind($0.kind)) }) }
}

extension BodySchema.Kind {
    fileprivate init(_ kind: UserFieldKind) {
        self =
            switch kind {
            case .text, .time: .text
            case .flag: .flag
            case .whole: .whole
            case .object: .object
            case .texts(let words): .list(words.map { .choice($0) } ?? .text)
            case .list(let members): .list(.members(BodySchema(name: "", members.map { ($0.name, Self($0.kind)) })))
            }
    }
}

// Members of a seed, with the error of a file.
extension Body {
    func fields<Owner: UserFieldOwner>(at place: String) throws(SeedProblem) -> Owner {
        do throws(UserFieldFault) {
            return try Owner(members, at: place)
        } catch {
            switch error {
            case .missing(let name, let place): throw SeedProblem(.malformed, "\(place) has no \"\(name)\". Add it.")
            case .invalid(let text, let place, let expected):
                let value = text.map { " \"\($0.prefix(40))\"" } ?? ""
                throw SeedProblem(.malformed, "invalid value\(value) for \"\(place)\": expected \(expected)")
            }
        }
    }

    /// Rejects an empty list of names, which would mean nobody and be read as everybody.
    func requireNames(_ name: String, at place: String) throws(SeedProblem) {
        guard !has(name) || !texts(name).isEmpty else {
            throw SeedProblem(.malformed, "\"\(Seed.join(place, name))\" is empty. Name a provider, or leave it out.")
        }
    }
}
