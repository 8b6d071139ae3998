import LockstepEmulation
import LockstepSystem

extension Option {
    /// Returns the options of every command that starts emulators.
    ///
    /// - Parameter ports: The ports unless the option is given.
    static func serving(ports: String) -> [Option] {
        [
            Option(
                "port", .number("N", 0...65_535), "port of the first emulator; the others use the next ports; 0 uses free ports",
                standard: ports, in: .network),
            Option(
                "env", .providerPath("FILE", Providers.names),
                "settings, with the server's own names; for several providers, once for each, as in gotrue=auth.env"),
            Option("seed", .path("FILE"), "initial users and settings for every provider (see docs/emulators.md)"),
            Option(
                "data", .path("DIR"), "keep the state in this folder, which only this user can read", standard: "in memory",
                in: .data),
            Option(
                "database", .text("CONNECTION"),
                "gotrue: keep users and sessions in schema auth of this PostgreSQL database, for tests and rehearsals",
                isSetting: false, in: .data),
            Option(
                "create-schema", .none, "gotrue: create the tables of schema auth if they do not exist", isSetting: false,
                in: .data),
            Option(
                "mode", .choice(["emulator", "strict"]),
                "firebase: behave like Firebase's own emulator, or follow production's rules", standard: "emulator"),
            Option(
                "import", .path("PATH"),
                "import users from a file NAME.jsonl in the neutral format; firebase: also from a folder of firebase "
                    + "emulators:export, or a JSON file of firebase auth:export", in: .data),
            Option(
                "export-on-exit", .path("PATH"),
                "export the users on exit to a file NAME.jsonl; firebase: also to a folder, or to a file NAME.json", in: .data),
            Option(
                "hashing", .choice(["least", "real"]),
                "cost of password hashes: \"least\" is fast, \"real\" is the same as in production", standard: "least", in: .data),
            Option(
                "host", .text("ADDRESS"),
                "address to listen on; if you change it, other machines can connect, and keys are random",
                standard: "127.0.0.1", in: .network),
            Option(
                "allow-host", .choices("NAME,…", []),
                "also accept these host names, such as auth.example.test; other names get 421", in: .network),
            .configuration,
        ]
    }
}

/// The choice of ports for emulators.
struct PortChoice {
    /// The ports of `lockstep serve`, which are the same at each start, so that an app's settings stay valid.
    ///
    /// 4600 is reserved for the dashboard.
    static let fixed: [String: UInt16] = ["firebase": 4601, "gotrue": 4602, "clerk": 4603]

    /// The first requested port; 0 for free ports.
    let first: Int?
    /// The place of the option, for an error.
    let place: String
    /// The default ports.
    let defaults: [String: UInt16]

    /// Returns the port of a provider; 0 for a free port.
    ///
    /// - Parameters:
    ///   - providers: All providers that start, in order.
    /// - Throws: ``UsageError`` if there are too few ports.
    func port(of provider: String, among providers: [String]) throws(UsageError) -> UInt16 {
        guard let first else { return defaults[provider] ?? 0 }
        guard first > 0 else { return 0 }
        let last = first + providers.count - 1
        guard last <= UInt16.max else {
            throw UsageError(
                "invalid value \"\(first)\" for \(place): \(providers.count) emulators would need ports up to \(last), but the highest port is 65535. "
                    + "Use \(65_536 - providers.count) or lower.")
        }
        return UInt16(first + (providers.firstIndex(of: provider) ?? 0))
    }
}

extension EmulatorOptions {
    /// Reads the options that apply to all emulators.
    ///
    /// - Throws: ``UsageError``
    init(_ invocation: Invocation, _ terminal: Terminal) throws {
        self.init()
        let place = invocation.place("allow-host")
        allowedHosts = try invocation.list("allow-host").map { name throws(UsageError) in try Self.hostName(name, from: place) }
        isReadyAtStart = false
        hasLastingKeys = true
        if let host = invocation["host"] {
            self.host = host
            hasLastingKeys = host.hasPrefix("127.")
            if !hasLastingKeys {
                terminal.tell(
                    "lockstep: warning: with \(invocation.place("host")) \(host), other machines can read emails and codes and use every account."
                )
            }
        }
        guard let folder = invocation["data"] else { return }
        do {
            try Folder.make(folder)
        } catch {
            throw UsageError(
                "invalid value \"\(folder)\" for \(invocation.place("data")): \(error). Choose a folder that this process can write to."
            )
        }
        storage = .folder(folder)
    }

    /// A name as in the header `Host`, without a port.
    private static func hostName(_ text: String, from place: String) throws(UsageError) -> String {
        let isName =
            text.utf8.allSatisfy { unit in
                switch unit {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
                // An IPv6 address, with or without its brackets.
                case 0x3a, 0x5b, 0x5d: text.utf8.count { $0 == 0x3a } > 1
                default: false
                }
            }
        guard isName else {
            throw UsageError(
                "invalid value \"\(text)\" for \(place): expected a name without a scheme, port or wildcard, such as auth.example.test."
            )
        }
        return text
    }
}
