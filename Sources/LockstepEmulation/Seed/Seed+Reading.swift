internal import LockstepPrimitives
package import LockstepUserFields

extension Seed {
    /// Reads a seed from a file's content.
    ///
    /// - Parameter bytes: JSON in UTF-8.
    /// - Throws: ``SeedProblem`` with the first fault.
    public init(_ bytes: [UInt8]) throws(SeedProblem) {
        let document: JSON
        do throws(JSONError) {
            document = try JSON.parse(bytes, rules: .init(depthLimit: 64, repeatedNames: .refused))
        } catch {
            throw SeedProblem(.malformed, "This is not JSON. \(error.sentence(in: bytes))")
        }
        guard let object = document.object else {
            throw SeedProblem(.malformed, "A seed is a JSON object, such as {\"version\": 1, \"users\": []}.")
        }
        try Self.checkVersion(object)
        let body: Body
        do throws(BodyFault) {
            body = Body(try Self.schema.read(object, BodyRules(unknown: .rejected, values: .exact, ignoresNull: true)))
        } catch {
            throw SeedProblem(error, in: Self.schema)
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
                .malformed, "The seed has version \(number), but this release reads version \(version). Update lockstep.")
        case let value?:
            let text = String(value.text().prefix(40))
            throw SeedProblem(.malformed, "invalid value \(text) for \"version\": expected \(version)")
        case nil: throw SeedProblem(.malformed, "The seed has no \"version\". Add \"version\": \(version).")
        }
    }

    /// Returns the place of a member in the file, such as `users[2].email`.
    static func join(_ place: String, _ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

    /// The members of a seed.
    static let schema: BodySchema = [
        "$schema": .text, "version": .whole, "users": .list(.members(SeedUser.schema)),
        "organizations": .list(.members(SeedOrganization.schema)),
        "settings": .members(BodySchema(name: "", providers.map { ($0, .object) })),
    ]
}

extension SeedOrganization: UserFieldOwner {
    package init() { self.init(name: "") }

    package static let fields: [UserField<SeedOrganization>] = [
        .text("id", \.id), .needed("name", \.name), .text("slug", \.slug), .text("photoURL", \.photoURL),
        .object("appMetadata", \.appMetadata), .object("privateMetadata", \.privateMetadata), .list("members", \.members),
        .time("createdAt", \.createdAt), .texts("only", \.only, among: Seed.providers),
    ]
    static let schema = BodySchema(fields)

    init(_ body: Body, at place: String) throws(SeedProblem) {
        self = try body.fields(at: place)
        try body.requireNames("only", at: place)
    }
}

extension SeedOrganization.Member: UserFieldOwner {
    package init() { self.init(user: "", role: "") }

    package static let fields: [UserField<SeedOrganization.Member>] = [.needed("user", \.user), .needed("role", \.role)]
}

extension SeedProblem {
    /// Creates the problem for the first fault in the members.
    ///
    /// - Parameters:
    ///   - schema: The members that were expected.
    init(_ fault: BodyFault, in schema: BodySchema) {
        switch fault {
        case .unknown(let name, let path):
            let known = schema.schema(at: path[...])?.members.map(\.name) ?? []
            let all = " Known: \(known.joined(separator: ", "))."
            let nearest = known.nearest(to: name).map { " Did you mean \"\($0)\"?" } ?? all
            let owner = path.isEmpty ? "" : " in \(Self.place(path))"
            self.init(.malformed, "Unknown member \"\(name.prefix(100))\"\(owner).\(nearest)")
        case .kind(let kind, let value, let path):
            let text = String(value.text().prefix(40))
            self.init(.malformed, "invalid value \(text) for \"\(Self.place(path))\": expected \(kind.words)")
        }
    }

    /// Returns the text for a place in the file, such as `users[2].email`.
    private static func place(_ path: [String]) -> String {
        path.reduce("") { text, part in
            if part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return "\(text)[\(part)]" }
            return text.isEmpty ? part : "\(text).\(part)"
        }
    }
}

extension BodySchema {
    /// Returns the schema of the object at a place.
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
