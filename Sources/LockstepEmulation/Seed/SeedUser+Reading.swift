internal import LockstepPrimitives

extension SeedUser {
    static let schema = UserValues.body.adding([
        "externalID": .text, "passwordHash": .text, "emailConfirmedAt": .text, "phoneConfirmedAt": .text, "anonymous": .flag,
        "identities": .list(
            .members([
                "provider": .text, "subject": .text, "email": .text, "displayName": .text, "photoURL": .text, "data": .object,
                "createdAt": .text, "lastSignInAt": .text,
            ])),
        "factors": .list(
            .members(
                FactorValues.body.adding([
                    "type": .text, "count": .whole, "codes": .list(.text), "verified": .flag, "createdAt": .text,
                ]))),
        "sessions": .list(
            .members([
                "id": .text, "refreshToken": .text, "createdAt": .text, "lastUsedAt": .text, "userAgent": .text,
                "address": .text, "method": .text, "secondFactor": .flag,
            ])),
        "createdAt": .text, "lastSignInAt": .text, "otherEmails": .list(.members(SeedAddress.schema)),
        "otherPhones": .list(.members(SeedAddress.schema)), "emailIdentity": .flag, "phoneIdentity": .flag, "username": .text,
        "firstName": .text, "lastName": .text, "bannedUntil": .text, "locked": .flag, "tenant": .text, "singleSignOn": .flag,
        "role": .text, "audience": .text, "missingHash": .text, "passwordChangedAt": .text, "sessionsValidSince": .text,
        "updatedAt": .text, "providers": .list(.text), "notShown": .list(.text), "only": .list(.choice(Seed.providers)),
    ])

    /// Reads a user from the members of ``schema``.
    ///
    /// - Parameters:
    ///   - place: The place of the user in the file, such as `users[2]`; empty if the user is a line of the file.
    /// - Throws: ``SeedProblem`` for the first value that cannot be used.
    init(_ body: Body, at place: String) throws(SeedProblem) {
        self.init()
        values = UserValues(body)
        externalID = body.given("externalID")
        passwordHash = body.given("passwordHash").map { Secret($0) }
        emailConfirmedAt = try body.time("emailConfirmedAt", at: place)
        phoneConfirmedAt = try body.time("phoneConfirmedAt", at: place)
        isAnonymous = body.flag("anonymous") ?? false
        createdAt = try body.time("createdAt", at: place)
        lastSignInAt = try body.time("lastSignInAt", at: place)
        only = try body.only(at: place)
        for (index, identity) in body.bodies("identities").enumerated() {
            identities.append(try SeedIdentity(identity, at: Seed.join(place, "identities[\(index)]")))
        }
        for (index, factor) in body.bodies("factors").enumerated() {
            try read(factor, at: Seed.join(place, "factors[\(index)]"))
        }
        for (index, session) in body.bodies("sessions").enumerated() {
            sessions.append(try SeedSession(session, at: Seed.join(place, "sessions[\(index)]")))
        }
        try readFurther(body, at: place)
        try check(at: place)
    }

    /// Reads a second factor, which an emulator can add or can only store.
    private mutating func read(_ body: Body, at place: String) throws(SeedProblem) {
        let (isVerified, createdAt) = (body.flag("verified") ?? true, try body.time("createdAt", at: place))
        func refuse(_ name: String, _ expected: String) -> SeedProblem {
            SeedProblem(.malformed, "invalid value for \"\(Seed.join(place, name))\": expected \(expected)")
        }
        if let kind = body.text("kind"), SeedFactor.kinds.contains(kind) {
            for name in ["phone", "secret", "id"] where body.has(name) { throw refuse(name, "no value for \(kind)") }
            if kind == "other", body.given("type") == nil { throw refuse("type", "the backend's name for the factor") }
            if kind != "other", body.has("type") { throw refuse("type", "no value for \(kind)") }
            for name in ["count", "codes"] where kind != "backupCodes" && body.has(name) {
                throw refuse(name, "no value for \(kind)")
            }
            let count = body["count"]?.int.flatMap { Int(exactly: $0) }
            if let count, count < 0 { throw refuse("count", "0 or more") }
            otherFactors.append(
                SeedFactor(
                    kind, type: body.given("type"), count: count, name: body.given("name"), isVerified: isVerified,
                    createdAt: createdAt))
            otherFactors[otherFactors.count - 1].codes = body.texts("codes").map { Secret($0) }
            return
        }
        for name in ["type", "count", "codes"] where body.has(name) { throw refuse(name, "no value for an app or a phone") }
        do throws(UserValueError) {
            var values = try FactorValues(body)
            (values.isVerified, values.createdAt) = (isVerified, createdAt)
            factors.append(values)
        } catch {
            guard case .invalid(let name, let expected) = error else { return }
            let others = name == "kind" ? ", or one of \(SeedFactor.kinds.joined(separator: ", "))" : ""
            throw refuse(name, expected + others)
        }
    }

    /// Reads the values that only some backends have.
    private mutating func readFurther(_ body: Body, at place: String) throws(SeedProblem) {
        for (index, address) in body.bodies("otherEmails").enumerated() {
            otherEmails.append(try SeedAddress(address, at: Seed.join(place, "otherEmails[\(index)]")))
        }
        for (index, number) in body.bodies("otherPhones").enumerated() {
            otherPhones.append(try SeedAddress(number, at: Seed.join(place, "otherPhones[\(index)]")))
        }
        hasEmailIdentity = body.flag("emailIdentity")
        hasPhoneIdentity = body.flag("phoneIdentity")
        username = body.given("username")
        firstName = body.given("firstName")
        lastName = body.given("lastName")
        bannedUntil = try body.time("bannedUntil", at: place)
        isLocked = body.flag("locked") ?? false
        tenant = body.given("tenant")
        isSingleSignOn = body.flag("singleSignOn") ?? false
        role = body.given("role")
        audience = body.given("audience")
        missingHash = body.given("missingHash")
        passwordChangedAt = try body.time("passwordChangedAt", at: place)
        sessionsValidSince = try body.time("sessionsValidSince", at: place)
        updatedAt = try body.time("updatedAt", at: place)
        providers = body.texts("providers")
        notShown = body.texts("notShown")
    }

    /// Rejects values that contradict each other on every provider.
    private func check(at place: String) throws(SeedProblem) {
        let name = label.map { "user \"\($0.prefix(100))\"" } ?? (place.isEmpty ? "the user" : place)
        func require(_ condition: Bool, _ sentence: String) throws(SeedProblem) {
            if !condition { throw SeedProblem(.malformed, "\(name) \(sentence)") }
        }
        let (hasEmail, hasPhone) = (values.email?.isEmpty == false, values.phone?.isEmpty == false)
        try require(
            values.password == nil || passwordHash == nil, "has \"password\" and \"passwordHash\". Leave one of them out.")
        try require(values.password?.isEmpty != true, "has an empty \"password\". Leave it out, or type a password.")
        try require(
            hasEmail || values.isEmailConfirmed != true && emailConfirmedAt == nil,
            "has \"emailConfirmed\" but no \"email\". Add the address.")
        try require(
            hasPhone || values.isPhoneConfirmed != true && phoneConfirmedAt == nil,
            "has \"phoneConfirmed\" but no \"phone\". Add the number.")
        try require(
            missingHash == nil || values.password == nil && passwordHash == nil,
            "has \"missingHash\" and a password. Leave one of them out.")
        try require(
            bannedUntil == nil || values.isDisabled == true, "has \"bannedUntil\" but not \"disabled\". Add \"disabled\": true.")
        try require(
            !isAnonymous || !hasEmail && !hasPhone && values.password == nil && passwordHash == nil && identities.isEmpty,
            "is \"anonymous\" and has a sign-in method. Remove \"anonymous\" or the sign-in methods.")
    }
}

extension SeedAddress {
    static let schema: BodySchema = ["value": .text, "confirmed": .flag, "confirmedAt": .text, "secondFactor": .flag]

    fileprivate init(_ body: Body, at place: String) throws(SeedProblem) {
        self.init(
            try body.needed("value", at: place), isConfirmed: body.flag("confirmed") ?? false,
            confirmedAt: try body.time("confirmedAt", at: place), isSecondFactor: body.flag("secondFactor") ?? false)
    }
}

extension SeedIdentity {
    fileprivate init(_ body: Body, at place: String) throws(SeedProblem) {
        self.init(
            provider: try body.needed("provider", at: place), subject: try body.needed("subject", at: place),
            email: body.given("email"), data: body.object("data") ?? [:])
        displayName = body.given("displayName")
        photoURL = body.given("photoURL")
        createdAt = try body.time("createdAt", at: place)
        lastSignInAt = try body.time("lastSignInAt", at: place)
    }
}

extension SeedSession {
    fileprivate init(_ body: Body, at place: String) throws(SeedProblem) {
        self.init(
            id: body.given("id"), refreshToken: body.given("refreshToken").map { Secret($0) },
            createdAt: try body.time("createdAt", at: place), hasSecondFactor: body.flag("secondFactor") ?? false)
        lastUsedAt = try body.time("lastUsedAt", at: place)
        userAgent = body.given("userAgent")
        address = body.given("address")
        method = body.given("method")
    }
}

// Members of a seed, with the error of a file.
extension Body {
    func needed(_ name: String, at place: String) throws(SeedProblem) -> String {
        guard let text = given(name) else { throw SeedProblem(.malformed, "\(place) has no \"\(name)\". Add it.") }
        return text
    }

    func time(_ name: String, at place: String) throws(SeedProblem) -> Instant? {
        guard let text = given(name) else { return nil }
        if let time = Instant(rfc3339: text) { return time }
        throw SeedProblem(
            .malformed,
            "invalid value \"\(text.prefix(40))\" for \"\(Seed.join(place, name))\": expected a time such as 2026-01-31T12:00:00Z"
        )
    }

    func only(at place: String) throws(SeedProblem) -> [String] {
        let names = texts("only")
        guard !has("only") || !names.isEmpty else {
            throw SeedProblem(.malformed, "\"\(Seed.join(place, "only"))\" is empty. Name a provider, or leave it out.")
        }
        return names
    }
}
