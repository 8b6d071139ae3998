import LockstepDirectory
import LockstepHTTP
import LockstepMigration
import LockstepPrimitives

/// A provider in a move: the members of its side in `move.json`, and its users as a source and as a target.
struct MoveProvider: Sendable {
    /// One side of `move.json`, with the way to reach it.
    struct Side: Sendable {
        let end: MoveFile.End
        /// The member of the file: `from` or `to`.
        let name: String
        let file: MoveFile
        let transport: any HTTPTransport

        func text(_ member: String) throws(UsageError) -> String {
            guard let text = end.texts[member] else { throw UsageError("\(file.path): \"\(name).\(member)\" is missing.") }
            return text
        }

        func secret(_ member: String) throws(UsageError) -> MoveFile.SecretSource {
            guard let secret = end.secrets[member] else {
                throw UsageError(
                    "\(file.path): \"\(name).\(member)\" is missing. Use {\"file\": \"PATH\"} or {\"env\": \"NAME\"}.")
            }
            return secret
        }
    }

    /// A source that was opened.
    struct Source: Sendable {
        let source: MoveSource
        /// The project or the address, for people.
        let place: String
        /// The origin of its key.
        let key: String
        /// Checks that all members name one project.
        var requireOneProject: @Sendable () async throws -> Void = {}
    }

    /// A target that was opened.
    struct Target: Sendable {
        var target: MoveTarget
        /// The project or the address, for people.
        let place: String
        /// The origin of its key.
        let key: String
        /// The name that `--confirm` must repeat for a target on another machine.
        let name: String
        let isHere: Bool
        /// The adapter that signs in on the target like an app; `nil` without the required public key.
        let adapter: (any AuthAdapter)?
        /// Checks that all members name one project.
        var requireOneProject: @Sendable () async throws -> Void = {}
    }

    /// The name in `move.json`.
    let name: String
    /// The name for people.
    let title: String
    /// The members with texts.
    let texts: [String]
    /// The members that name a file, or a variable with its path.
    var files: [String] = []
    /// The members that name the place of a secret.
    let secrets: [String]
    /// The member with the public key for sign-ins.
    let publicKey: String
    /// The side `from` of a starter file, and the explanation of its members.
    let starterSource: (side: JSONObject, page: String)
    /// The side `to` of a starter file, and the explanation of its members.
    let starterTarget: (side: JSONObject, page: String)
    /// The formats in which the provider's own tools export users.
    var exports: [ExportFormat] = []
    /// A side that is declared, and asked for nothing.
    struct Nature: Sendable {
        let source: MoveSource
        let holdings: SourceHoldings
        let target: MoveTarget
    }

    /// An emulator of the provider that stands for the real target in a rehearsal.
    struct Rehearsal: Sendable {
        /// Returns settings for the emulator, in its own format, like those that the real target shows.
        let settings: @Sendable (DirectoryDemands) -> [(name: String, value: String?)]
        /// Returns the emulator as the side `to` of `move.json`, from its address and the `vars` of its ready line.
        let side: @Sendable (_ base: String, _ variables: JSONObject) -> MoveFile.End
    }

    let rehearsal: Rehearsal
    /// Declares what the provider itself adds to the data of its users.
    let declare: @Sendable (inout MoveSource) -> Void
    let openSource: @Sendable (Side) async throws -> Source
    let openTarget: @Sendable (Side) async throws -> Target
    /// Returns what moves from and to the provider have in common; with the APIs alone, without a database or an export.
    let nature: @Sendable (_ isAPIOnly: Bool) throws -> Nature
    /// Starts an emulator for a rehearsal, with or without rows.
    let startDemo: @Sendable (DemoProvider, DemoRows?) throws -> any DemoEnd

    static let all: [MoveProvider] = [firebase, goTrue, clerk]

    /// Returns the provider with a name; `nil` for another one.
    static func named(_ name: String) -> MoveProvider? { all.first { $0.name == name } }

    /// Returns the first provider to which users can move from another one.
    static func other(than name: String) -> MoveProvider { [goTrue, firebase].first { $0.name != name } ?? goTrue }

    /// An address for a directory that is asked for nothing.
    static let nowhere = "http://127.0.0.1:9"

    /// The names, for a sentence.
    static let names = all.map { $0.name }.sorted()

    /// Returns the side `to` of an emulator, with the names of its keys in the ready line.
    static func emulator(
        _ name: String, _ texts: [String: String], _ variables: JSONObject, texts names: [String: String],
        secrets: [String: String]
    ) -> MoveFile.End {
        func values(_ names: [String: String]) -> [String: String] { names.compactMapValues { variables[$0]?.string } }
        return MoveFile.End(
            provider: name, texts: texts.merging(values(names)) { $1 },
            secrets: values(secrets).mapValues { .init(name: "random", secret: Secret($0)) })
    }

    /// Returns the host in an address.
    static func host(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return address }
        return String(address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }
}
