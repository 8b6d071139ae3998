import LockstepContracts
import LockstepHarnesses
import LockstepPrimitives
import LockstepTestSupport

/// The list of providers that this command supports.
enum Providers {
    /// The harnesses by name, created on demand because the contract suite would slow down every start.
    private static let all: [(name: String, harness: @Sendable (any DeviceClock) -> any Harness)] = [
        (FirebaseHarness.name, { FirebaseHarness(time: $0) }), (GoTrueHarness.name, { GoTrueHarness(time: $0) }),
        (ClerkHarness.name, { ClerkHarness(time: $0) }),
    ]

    static let names = all.map(\.name)

    /// Aliases of providers, which every command accepts.
    static let aliases = ["supabase": "gotrue"]

    /// Returns the providers of a command line, in the order of the list; without names, all of them.
    static func named(_ operands: [String]) -> [String] { operands.isEmpty ? names : names.filter(operands.contains) }

    /// The provider's display name.
    static func title(of name: String) -> String { titles[name] ?? name }

    private static let titles = [
        FirebaseHarness.name: FirebaseHarness.title, GoTrueHarness.name: GoTrueHarness.title,
        ClerkHarness.name: ClerkHarness.title,
    ]

    static let harnesses = harnesses(at: FixedClock())

    /// Returns the harnesses, with clocks that follow another clock.
    static func harnesses(at time: any DeviceClock) -> [any Harness] {
        all.map { $0.harness(time) }
    }

    /// Returns the harnesses of these providers, in the order of the list; without names, all of them.
    static func harnesses(named names: [String]) -> [any Harness] {
        names.isEmpty ? harnesses : harnesses.filter { names.contains($0.name) }
    }
}

extension Command.Operands {
    /// The operands for providers.
    static let providers = Command.Operands(
        placeholder: "PROVIDER…",
        summary: Providers.names.joined(separator: ", ") + "; supabase is another name for gotrue (default: all)",
        choices: Providers.names, option: "provider")
}

extension Providers {
    /// Returns the harnesses that a command selects: built-in emulators, or a running server, which is checked first.
    ///
    /// - Throws: ``UsageError`` if an option is invalid, or the server does not match the options.
    static func harnesses(for invocation: Invocation) async throws(UsageError) -> [any Harness] {
        let names = invocation.operands
        guard let server = invocation["server"] else {
            for option in ["project", "erase", "confirm"] where invocation.has(option) {
                throw UsageError("--\(option) needs --server. Add it, or remove --\(option).")
            }
            return harnesses(named: names)
        }
        guard names == ["firebase"] else {
            throw UsageError("--server works only with firebase. Add --provider firebase.")
        }
        guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
            throw UsageError(
                server.firstRange(of: "://") == nil
                    ? "invalid value \"\(server)\" for --server: the scheme is missing. Use \"http://\(server)\", or https:// for another machine."
                    : "invalid value \"\(server)\" for --server: expected an address that begins with http:// or https://.")
        }
        let project = invocation["project"] ?? "demo-lockstep"
        guard isThisMachine(server) || invocation["confirm"] == project else {
            let consequence =
                invocation.has("erase")
                ? "deletes every user of project \"\(project)\"" : "creates and deletes users in project \"\(project)\""
            throw UsageError(
                "\"\(server)\" is another machine, and this run \(consequence). If the project is for tests, add --confirm \(project)."
            )
        }
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        try await ServerPreflight(base: base, project: project).run()
        return [FirebaseServerHarness(base: base, project: project, erases: invocation.has("erase"))]
    }

    /// Whether an address refers to this machine, without resolving its host name.
    static func isThisMachine(_ address: String) -> Bool {
        guard let scheme = address.firstRange(of: "://") else { return false }
        let authority = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        if authority.contains("@") { return false }
        if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
        let name = authority.prefix { $0 != ":" }
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        return name == "localhost" || pieces.count == 4 && pieces[0] == "127" && pieces.allSatisfy { UInt8($0) != nil }
    }
}
