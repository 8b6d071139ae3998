internal import LockstepPrimitives
internal import LockstepUserFields

/// A file of users in a provider-independent format: JSON Lines.
///
/// The first line describes the source of the users. Each other line contains one user, with the same members as a user in a seed.
/// `docs/users.schema.json` describes a line. ``UserFileReader`` and ``UserFileWriter`` keep one user at a time in memory.
public enum UserFile {
    /// The version of the file format that this program reads and writes.
    public static let version = 1

    /// The maximum length of a line in bytes.
    package static let lineLimit = 16 << 20

    /// The first line of a file, which describes the source of the users.
    public struct Header: Sendable, Hashable {
        /// The short name of the provider: `firebase`, or any other name.
        public var provider: String
        /// A string that identifies the project, even if its URL changes.
        ///
        /// Ids for other backends are computed from this string.
        public var project: String
        /// The number of users, if the writer knew it.
        ///
        /// A file that contains a different number of users is incomplete.
        public var users: Int?
        /// The organizations of the users.
        ///
        /// A move to another backend ignores them.
        public var organizations: [SeedOrganization] = []

        /// Creates a first line.
        ///
        /// - Parameters:
        ///   - provider: The short name of the provider.
        ///   - project: A string that identifies the project, even if its URL changes.
        ///   - users: The number of users, if it is known.
        public init(provider: String, project: String, users: Int? = nil) {
            self.provider = provider
            self.project = project
            self.users = users
        }
    }
}

extension UserFile.Header {
    static let schema: BodySchema = [
        "$schema": .text, "version": .whole, "source": .members(["provider": .text, "project": .text]), "users": .whole,
        "organizations": .list(.members(SeedOrganization.schema)),
    ]

    /// The content of the line.
    var object: JSONObject {
        var object: JSONObject = [
            "version": .int(Int64(UserFile.version)),
            "source": ["provider": .string(provider), "project": .string(project)],
        ]
        object["users"] = users.map { .int(Int64($0)) }
        if !organizations.isEmpty { object["organizations"] = .array(organizations.map { .object($0.object) }) }
        return object
    }

    /// Reads the first line.
    init(_ object: JSONObject) throws(SeedProblem) {
        switch object["version"] {
        case .int(Int64(UserFile.version)): break
        case .int(let number) where number > UserFile.version:
            throw SeedProblem(
                .malformed,
                "The file has version \(number), but this release reads version \(UserFile.version). Update lockstep.")
        case let value?:
            throw SeedProblem(
                .malformed, "invalid value \(value.text().prefix(40)) for \"version\": expected \(UserFile.version)")
        case nil:
            throw SeedProblem(
                .malformed,
                "The first line has no \"version\". Start the file with {\"version\": 1, \"source\": {\"provider\": …, \"project\": …}}."
            )
        }
        let body: Body
        do throws(BodyFault) {
            body = Body(try Self.schema.read(object, BodyRules(unknown: .rejected, values: .exact, ignoresNull: true)))
        } catch {
            throw SeedProblem(error, in: Self.schema)
        }
        let source = body.nested("source") ?? Body()
        for name in ["provider", "project"] where source.given(name) == nil {
            throw SeedProblem(.malformed, "The first line has no \"source.\(name)\". Add it.")
        }
        self.init(provider: source.given("provider") ?? "", project: source.given("project") ?? "")
        for (index, organization) in body.bodies("organizations").enumerated() {
            organizations.append(try SeedOrganization(organization, at: "organizations[\(index)]"))
        }
        users = body["users"]?.int.flatMap { Int(exactly: $0) }
        if let users, users < 0 { throw SeedProblem(.malformed, "invalid value \(users) for \"users\": expected 0 or more") }
    }
}
