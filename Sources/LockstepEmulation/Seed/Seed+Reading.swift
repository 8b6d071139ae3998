internal import LockstepPrimitives

extension Seed {
    /// Reads a seed.
    ///
    /// - Parameter bytes: JSON in UTF-8.
    /// - Throws: ``SeedProblem`` with the first fault.
    public init(_ bytes: [UInt8]) throws(SeedProblem) {
        let document: JSON
        do throws(JSONError) {
            document = try JSON.parse(bytes, rules: .init(depthLimit: 64, repeatedNames: .refused))
        } catch {
            throw SeedProblem(.malformed, "This is not JSON. \(error)")
        }
        guard let object = document.object else {
            throw SeedProblem(.malformed, "A seed is a JSON object, such as {\"version\": 1, \"users\": []}.")
        }
        try Self.checkVersion(object)
        let body: Body
        do throws(BodyFault) {
            body = Body(try Self.schema.read(object, BodyRules(unknown: .rejected, values: .exact, ignoresNull: true)))
        } catch {
            throw SeedProblem(error)
        }
        self.init()
        for (index, user) in body.bodies("users").enumerated() { users.append(try SeedUser(user, at: "users[\(index)]")) }
        for (index, organization) in body.bodies("organizations").enumerated() {
            organizations.append(try SeedOrganization(organization, at: "organizations[\(index)]"))
        }
        for (provider, values) in body.object("settings") ?? [:] { settings[provider] = values.object }
    }

    private static func checkVersion(_ object: JSONObject) throws(SeedProblem) {
        switch object["version"] {
        case .int(Int64(version)): return
        case .int(let number) where number > version:
            throw SeedProblem(
                .malformed, "The seed has version \(number), but this lockstep reads version \(version). Update lockstep.")
        case let value?:
            let text = String(value.text().prefix(40))
            throw SeedProblem(.malformed, "invalid value \(text) for \"version\": expected \(version)")
        case nil: throw SeedProblem(.malformed, "The seed has no \"version\". Add \"version\": \(version).")
        }
    }

    /// The members of a seed.
    static let schema: BodySchema = [
        "$schema": .text, "version": .whole, "users": .list(.members(SeedUser.schema)),
        "organizations": .list(.members(SeedOrganization.schema)),
        "settings": .members(BodySchema(name: "", providers.map { ($0, .object) })),
    ]
}

extension SeedUser {
    static let schema = UserValues.body.adding([
        "externalID": .text, "passwordHash": .text, "emailConfirmedAt": .text, "phoneConfirmedAt": .text, "anonymous": .flag,
        "identities": .list(.members(["provider": .text, "subject": .text, "email": .text, "data": .object])),
        "factors": .list(.members(FactorValues.body)),
        "sessions": .list(
            .members([
                "id": .text, "refreshToken": .text, "createdAt": .text, "lastUsedAt": .text, "userAgent": .text,
                "address": .text, "method": .text, "secondFactor": .flag,
            ])),
        "createdAt": .text, "lastSignInAt": .text, "only": .list(.choice(Seed.providers)),
    ])

    fileprivate init(_ body: Body, at place: String) throws(SeedProblem) {
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
            let place = "\(place).identities[\(index)]"
            identities.append(
                SeedIdentity(
                    provider: try identity.needed("provider", at: place), subject: try identity.needed("subject", at: place),
                    email: identity.given("email"), data: identity.object("data") ?? [:]))
        }
        for (index, factor) in body.bodies("factors").enumerated() {
            do throws(UserValueError) {
                factors.append(try FactorValues(factor))
            } catch {
                guard case .invalid(let name, let expected) = error else { continue }
                throw SeedProblem(
                    .malformed, "invalid value for \"\(place).factors[\(index)].\(name)\": expected \(expected)")
            }
        }
        for (index, session) in body.bodies("sessions").enumerated() {
            sessions.append(try SeedSession(session, at: "\(place).sessions[\(index)]"))
        }
        try check(at: place)
    }

    /// Refuses values that contradict each other on every provider.
    private func check(at place: String) throws(SeedProblem) {
        let name = label.map { "user \"\($0.prefix(100))\"" } ?? place
        func require(_ condition: Bool, _ sentence: String) throws(SeedProblem) {
            if !condition { throw SeedProblem(.malformed, "\(name) \(sentence)") }
        }
        let (hasEmail, hasPhone) = (values.email?.isEmpty == false, values.phone?.isEmpty == false)
        try require(
            values.password == nil || passwordHash == nil, "has \"password\" and \"passwordHash\". Leave one of them out.")
        try require(values.password?.isEmpty != true, "has an empty \"password\". Leave it out, or add one.")
        try require(
            hasEmail || values.isEmailConfirmed != true && emailConfirmedAt == nil,
            "has \"emailConfirmed\" but no \"email\". Add the address.")
        try require(
            hasPhone || values.isPhoneConfirmed != true && phoneConfirmedAt == nil,
            "has \"phoneConfirmed\" but no \"phone\". Add the number.")
        try require(
            !isAnonymous || !hasEmail && !hasPhone && values.password == nil && passwordHash == nil && identities.isEmpty,
            "is \"anonymous\" and has a way to sign in. Leave one of them out.")
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

extension SeedOrganization {
    static let schema: BodySchema = [
        "id": .text, "name": .text, "slug": .text, "photoURL": .text, "appMetadata": .object, "privateMetadata": .object,
        "members": .list(.members(["user": .text, "role": .text])), "createdAt": .text,
        "only": .list(.choice(Seed.providers)),
    ]

    fileprivate init(_ body: Body, at place: String) throws(SeedProblem) {
        self.init(id: body.given("id"), name: try body.needed("name", at: place))
        slug = body.given("slug")
        photoURL = body.given("photoURL")
        appMetadata = body.object("appMetadata") ?? [:]
        privateMetadata = body.object("privateMetadata") ?? [:]
        createdAt = try body.time("createdAt", at: place)
        only = try body.only(at: place)
        for (index, member) in body.bodies("members").enumerated() {
            let place = "\(place).members[\(index)]"
            members.append(Member(user: try member.needed("user", at: place), role: try member.needed("role", at: place)))
        }
    }
}

extension Body {
    fileprivate func needed(_ name: String, at place: String) throws(SeedProblem) -> String {
        guard let text = given(name) else { throw SeedProblem(.malformed, "\(place) has no \"\(name)\". Add it.") }
        return text
    }

    fileprivate func time(_ name: String, at place: String) throws(SeedProblem) -> Instant? {
        guard let text = given(name) else { return nil }
        if let time = Instant(rfc3339: text) { return time }
        throw SeedProblem(
            .malformed,
            "invalid value \"\(text.prefix(40))\" for \"\(place).\(name)\": expected a time such as 2026-01-31T12:00:00Z")
    }

    fileprivate func only(at place: String) throws(SeedProblem) -> [String] {
        let names = texts("only")
        guard !has("only") || !names.isEmpty else {
            throw SeedProblem(.malformed, "\"\(place).only\" is empty. Name a provider, or leave it out.")
        }
        return names
    }
}

extension SeedProblem {
    /// The first fault of the members.
    fileprivate init(_ fault: BodyFault) {
        switch fault {
        case .unknown(let name, let path):
            let known = Seed.schema.schema(at: path[...])?.members.map(\.name) ?? []
            let all = " Known: \(known.joined(separator: ", "))."
            let nearest = known.nearest(to: name).map { " Did you mean \"\($0)\"?" } ?? all
            let owner = path.isEmpty ? "" : " in \(Self.place(path))"
            self.init(.malformed, "Unknown member \"\(name.prefix(100))\"\(owner).\(nearest)")
        case .kind(let kind, let value, let path):
            let text = String(value.text().prefix(40))
            self.init(.malformed, "invalid value \(text) for \"\(Self.place(path))\": expected \(kind.words)")
        }
    }

    /// `users[2].email`.
    private static func place(_ path: [String]) -> String {
        path.reduce("") { text, part in
            if part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return "\(text)[\(part)]" }
            return text.isEmpty ? part : "\(text).\(part)"
        }
    }
}

extension BodySchema {
    /// The schema of the object at a place.
    fileprivate func schema(at path: ArraySlice<String>) -> BodySchema? {
        guard let name = path.first else { return self }
        guard var kind = members.first(where: { $0.name == name })?.kind else { return nil }
        var rest = path.dropFirst()
        if case .list(let element) = kind {
            kind = element
            rest = rest.dropFirst()
        }
        guard case .members(let schema) = kind else { return nil }
        return schema.schema(at: rest)
    }
}
