import Testing

/// A dependency from one target to another that the package must not have, directly or through other targets.
///
/// A name that begins or ends with `*` matches all targets with the rest of it. `Lockstep*` matches no system library: those
/// begin with `CLockstep`.
struct ForbiddenEdge: Sendable, CustomTestStringConvertible {
    let from: [String]
    let to: [String]
    /// The targets that `to` matches and that `from` can reach.
    var except: [String] = []
    let reason: String

    var testDescription: String { "\(from.joined(separator: ", ")) to \(to.joined(separator: ", "))" }

    static func matches(_ name: String, _ patterns: [String]) -> Bool {
        patterns.contains { pattern in
            if pattern.hasSuffix("*") { return name.hasPrefix(pattern.dropLast()) }
            return pattern.hasPrefix("*") ? name.hasSuffix(pattern.dropFirst()) : name == pattern
        }
    }

    func begins(at name: String) -> Bool { Self.matches(name, from) }

    func forbids(_ name: String) -> Bool { Self.matches(name, to) && !Self.matches(name, except) }

    /// The forbidden ways that a package has, as `A > B > C: reason`.
    func ways(in manifest: Manifest) -> [String] {
        manifest.targets.map(\.name).filter(begins).flatMap { start in
            manifest.reach(of: start).filter { $0.key != start && forbids($0.key) }.map { $0.value.joined(separator: " > ") }
        }
        .sorted().map { "\($0): \(reason)" }
    }
}

extension ForbiddenEdge {
    private static let adapters = ["LockstepFirebase", "LockstepGoTrue", "LockstepClerk", "LockstepInMemory"]
    private static let below = ["LockstepPrimitives", "LockstepSystem"]
    private static let core = ["Lockstep", "LockstepCrypto"] + below
    private static let apps =
        adapters + [
            "Lockstep", "LockstepModels", "LockstepAppleSheets", "LockstepPasswordStrength", "LockstepCurl",
            "LockstepURLSession", "LockstepKeychainStore", "LockstepVendorSessions", "LockstepPlatform",
        ]
    private static let servers = [
        "LockstepSQLiteStore", "LockstepPostgresStore", "*Directory", "LockstepGoTrueDatabase", "LockstepMigration",
        "LockstepVerifier", "LockstepTokens",
    ]
    private static let bindings = [
        "LockstepCrypto", "LockstepSQLite", "LockstepMicrohttpd", "LockstepSystem", "LockstepPostgres",
    ]
    private static let ofTests = [
        "LockstepTestSupport", "*TestSupport", "LockstepEmulation", "*Emulator", "*Harness", "*Harnesses", "LockstepContracts*",
        "*Contracts", "LockstepMutants", "LockstepTestConcurrency", "LockstepComparison", "LockstepMicrohttpd",
        "LockstepPostgresServer", "*EmulatorDatabase",
    ]

    /// The map of docs/design.md, section 1, as a list of forbidden dependencies.
    static let all: [ForbiddenEdge] = [
        ForbiddenEdge(from: bindings, to: ["Lockstep*"], except: below, reason: "a binding knows its library only"),
        ForbiddenEdge(
            from: ["LockstepPrimitives"], to: ["Lockstep*"], except: below, reason: "everything stands on the primitives"),
        ForbiddenEdge(from: ["Lockstep"], to: ["Lockstep*"], except: core, reason: "the core knows no wire, backend or store"),
        ForbiddenEdge(
            from: ["LockstepHTTP", "LockstepCurl", "LockstepURLSession"], to: ["Lockstep*"], except: ["LockstepHTTP"] + below,
            reason: "messages and transports know no client"),
        ForbiddenEdge(
            from: adapters, to: ["Lockstep*"], except: core + ["LockstepHTTP", "LockstepWire"],
            reason: "an adapter knows the core and HTTP: no transport, emulator, directory or other adapter"),
        ForbiddenEdge(
            from: ["*Emulator", "LockstepEmulation"],
            to: adapters + [
                "Lockstep", "LockstepHTTP", "LockstepWire", "LockstepCurl", "LockstepURLSession", "LockstepContracts",
            ],
            reason: "a wire that is written once agrees with itself"),
        ForbiddenEdge(
            from: ["LockstepContracts", "LockstepMutants"], to: ["Lockstep*"],
            except: core + ["LockstepContracts", "LockstepTestSupport"], reason: "contracts know the core only"),
        ForbiddenEdge(
            from: [
                "LockstepEmulatorTestSupport", "LockstepComparison", "LockstepModels", "LockstepDirectory", "LockstepMigration",
                "LockstepDoctor",
            ],
            to: ["LockstepFirebase*", "LockstepGoTrue*", "LockstepClerk*"], reason: "what serves every provider names none"),
        ForbiddenEdge(
            from: adapters + ["*Harness", "LockstepHarnesses"], to: ["*Directory", "LockstepGoTrueDatabase"],
            reason: "an administrator's view is no part of an app or its backend's double"),
        ForbiddenEdge(
            from: ["LockstepSQLiteStore", "LockstepPostgresStore", "LockstepKeychainStore", "LockstepModels"],
            to: ["LockstepHTTP", "LockstepWire"] + adapters, reason: "stores and screens work with any backend"),
        ForbiddenEdge(
            from: ["LockstepMigration"], to: ["LockstepPostgres", "CLockstepPostgres"],
            reason: "a move by APIs needs no client of a database"),
        ForbiddenEdge(
            from: apps,
            to: servers + [
                "LockstepPasswords", "LockstepSQLite", "LockstepPostgres", "CLockstepArgon2", "CLockstepCrypt",
                "CLockstepSQLite", "CLockstepPostgres", "CLockstepMicrohttpd",
            ], reason: "an app links no library of a server"),
        ForbiddenEdge(from: apps + servers, to: ofTests, reason: "apps and servers link nothing of tests"),
        ForbiddenEdge(
            from: ["LockstepVerifier", "LockstepVerifierTestSupport"], to: ["LockstepEmulation", "*Emulator"] + adapters,
            reason: "tokens of the emulators are what the verifier is compared with"),
        ForbiddenEdge(
            from: ["lockstep-worker", "LockstepTests", "StoreTests", "ContractTests"],
            to: ["LockstepEmulation", "*Emulator"], reason: "make quick waits for no emulator"),
        ForbiddenEdge(
            from: apps + servers + ofTests + ["LockstepCLI"],
            to: ["lockstep-lab", "lockstep-worker", "LockstepRecordings"],
            reason: "what the project starts is part of no product"),
    ]
}
