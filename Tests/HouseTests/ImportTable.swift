/// Which target may import which (docs/design.md, section 1), as data.
///
/// The Swift and C standard libraries count like any other module: what is not in the row is not allowed.
enum ImportTable {
    struct Row {
        let folder: String
        let modules: Set<String>
    }

    private static let essentials: Set = ["FoundationEssentials", "Foundation"]
    private static let platform: Set = ["Glibc", "Darwin", "Synchronization", "LockstepPrimitives"]

    private static func adapter(_ name: String) -> [Row] {
        [
            Row(
                folder: "Adapters/\(name)/Adapter",
                modules: essentials.union([
                    "Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepWire", "LockstepCrypto", "Synchronization",
                ])
            ),
            Row(
                folder: "Adapters/\(name)/Emulator",
                modules: essentials.union([
                    "LockstepEmulation", "LockstepTestSupport", "LockstepPrimitives", "LockstepTokens", "LockstepPasswords",
                    "LockstepSQLite",
                    "LockstepCrypto",
                    "Synchronization",
                ])),
            Row(
                folder: "Adapters/\(name)/Harness",
                modules: essentials.union([
                    "Lockstep\(name)", "Lockstep\(name)Emulator", "Lockstep", "LockstepTestSupport", "LockstepPrimitives",
                    "LockstepHTTP",
                    "LockstepCurl",
                    "LockstepContracts", "LockstepEmulatorTestSupport", "LockstepEmulation", "LockstepTokens", "Synchronization",
                ])),
        ]
    }

    static let rows: [Row] =
        [
            // The clock of the machine asks the system which start of it this is.
            Row(folder: "Sources/LockstepPrimitives", modules: essentials.union(["LockstepSystem", "Synchronization"])),
            Row(folder: "Sources/LockstepTestSupport", modules: ["LockstepPrimitives", "Synchronization"]),
            Row(folder: "Sources/Bindings/Crypto", modules: platform.union(essentials).union(["CLockstepCrypto", "CryptoKit"])),
            Row(folder: "Sources/Bindings/SQLite", modules: platform.union(["CLockstepSQLite"])),
            Row(folder: "Sources/Bindings/Microhttpd", modules: platform.union(["CLockstepMicrohttpd"])),
            Row(folder: "Sources/Bindings/Hashes", modules: platform.union(["CLockstepArgon2", "CLockstepCrypt"])),
            Row(folder: "Sources/Bindings/Zxcvbn", modules: ["CLockstepZxcvbn", "LockstepPrimitives"]),
            Row(folder: "Sources/Bindings/Postgres", modules: platform.union(["CLockstepPostgres"])),
            // The primitives stand on it.
            Row(folder: "Sources/Bindings/System", modules: ["Glibc", "Darwin", "Synchronization", "CLockstepSystem"]),
            Row(folder: "Sources/LockstepHTTP", modules: essentials.union(["LockstepPrimitives", "Synchronization"])),
            Row(
                folder: "Sources/LockstepWire",
                modules: essentials.union(["Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepCrypto"])),
            Row(
                folder: "Sources/Transports/Curl", modules: platform.union(["LockstepHTTP", "CLockstepCurl", "CLockstepTLS"])),
            Row(
                folder: "Sources/Transports/URLSession",
                modules: ["Foundation", "FoundationNetworking", "LockstepHTTP", "LockstepPrimitives", "Synchronization"]),
            Row(
                folder: "Sources/Lockstep",
                modules: essentials.union([
                    "LockstepPrimitives", "LockstepCrypto", "LockstepSystem", "Synchronization", "Observation",
                ])),
            Row(folder: "Sources/LockstepModels", modules: ["Lockstep", "LockstepPrimitives", "Observation"]),
            Row(
                folder: "Sources/LockstepPasswordStrength", modules: ["LockstepModels", "LockstepZxcvbn", "LockstepPrimitives"]),
            Row(
                folder: "Sources/LockstepModelPreviews",
                modules: ["LockstepModels", "Lockstep", "LockstepInMemory", "LockstepPrimitives", "Observation"]),
            // Its values are encrypted at rest, and what waits for the server runs on threads of its own.
            Row(
                folder: "Sources/Stores/Postgres",
                modules: [
                    "Lockstep", "LockstepPrimitives", "LockstepPostgres", "LockstepCrypto", "LockstepSystem", "Synchronization",
                ]),
            Row(
                folder: "Sources/LockstepTokens",
                modules: essentials.union(["LockstepPrimitives", "LockstepCrypto", "Synchronization"])),
            Row(
                folder: "Sources/LockstepVerifier",
                modules: essentials.union([
                    "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepWire", "LockstepTokens", "LockstepCrypto",
                ])),
            // It signs as the backends do, and knows nothing of emulators: their tokens are what it is compared with.
            Row(
                folder: "Sources/LockstepVerifierTestSupport",
                modules: [
                    "LockstepVerifier", "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepTokens", "LockstepWire",
                    "Synchronization",
                ]),
            Row(
                folder: "Sources/LockstepPasswords",
                modules: essentials.union(["LockstepPrimitives", "LockstepCrypto", "LockstepHashes", "Synchronization"])),
            Row(
                folder: "Sources/LockstepEmulation",
                modules: essentials.union([
                    "LockstepTestSupport", "LockstepPrimitives", "LockstepTokens", "LockstepPasswords", "LockstepMicrohttpd",
                    "LockstepSQLite",
                    "LockstepCrypto",
                    "LockstepSystem", "Synchronization",
                ])),
            Row(
                folder: "Sources/LockstepComparison",
                modules: essentials.union([
                    "Lockstep", "LockstepTestSupport", "LockstepPrimitives", "LockstepContracts", "LockstepModels",
                    "LockstepEmulatorTestSupport", "Synchronization",
                ])),
            Row(
                folder: "Sources/LockstepCLI",
                modules: essentials.union([
                    "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepContracts", "LockstepComparison",
                    "LockstepEmulation", "LockstepSystem", "LockstepFirebase", "LockstepFirebaseEmulator",
                    "LockstepFirebaseHarness",
                    "LockstepGoTrue", "LockstepGoTrueEmulator", "LockstepGoTrueHarness", "LockstepClerk", "LockstepClerkEmulator",
                    "LockstepClerkHarness", "LockstepModels", "LockstepPasswordStrength", "LockstepEmulatorTestSupport",
                    "LockstepInMemoryHarness", "LockstepTestSupport", "LockstepPasswords", "LockstepCrypto", "Synchronization",
                ])),
            Row(
                folder: "Adapters/InMemory/Adapter",
                modules: essentials.union(["Lockstep", "LockstepPrimitives", "Synchronization"])),
            Row(
                folder: "Adapters/InMemory/Harness",
                modules: essentials.union([
                    "Lockstep", "LockstepTestSupport", "LockstepPrimitives", "LockstepInMemory", "LockstepContracts",
                    "Synchronization",
                ])),
            Row(
                folder: "Contracts/Suite",
                modules: essentials.union(["Lockstep", "LockstepTestSupport", "LockstepPrimitives", "Synchronization"])),
            Row(
                folder: "Contracts/Mutants",
                modules: essentials.union(["Lockstep", "LockstepPrimitives", "LockstepContracts", "Synchronization"])),
            Row(folder: "Sources/Bindings/Keychain", modules: essentials.union(["Security"])),
            Row(
                folder: "Sources/Stores/Keychain",
                modules: ["Lockstep", "LockstepPrimitives", "LockstepKeychain", "LockstepSystem", "Synchronization"]),
            Row(
                folder: "Sources/Stores/SQLite",
                modules: [
                    "Lockstep", "LockstepPrimitives", "LockstepSQLite", "LockstepCrypto", "LockstepSystem", "Synchronization",
                ]),
            Row(
                folder: "Contracts/Stores",
                modules: essentials.union([
                    "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepSystem", "LockstepSQLite",
                    "LockstepSQLiteStore", "LockstepPostgresStore", "Synchronization",
                ])),
            Row(
                folder: "Sources/LockstepDirectory",
                modules: essentials.union([
                    "Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepWire", "Synchronization",
                ])),
            // An administrator's view of the same wire; no adapter and no harness may import it.
            Row(
                folder: "Adapters/GoTrue/Directory",
                modules: essentials.union([
                    "LockstepGoTrue", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepHTTP", "LockstepPrimitives",
                    "LockstepPasswords",
                ])),
            // The rows behind that view.
            Row(
                folder: "Adapters/GoTrue/Database",
                modules: essentials.union([
                    "LockstepGoTrueDirectory", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepPrimitives",
                    "LockstepPasswords", "LockstepPostgres", "LockstepSystem",
                ])),
            // A service account signs its grants; hashes of other systems are read before they are sent.
            Row(
                folder: "Adapters/Firebase/Directory",
                modules: essentials.union([
                    "LockstepFirebase", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepHTTP", "LockstepPrimitives",
                    "LockstepTokens", "LockstepPasswords",
                ])),
            Row(
                folder: "Adapters/Clerk/Directory",
                modules: essentials.union([
                    "LockstepClerk", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepHTTP", "LockstepPrimitives",
                    "LockstepPasswords",
                ])),
            Row(
                folder: "Contracts/Directories",
                modules: essentials.union(["Lockstep", "LockstepDirectory", "LockstepPrimitives", "Synchronization"])),
            Row(
                folder: "Contracts/Transport",
                modules: essentials.union(["LockstepHTTP", "LockstepPrimitives", "LockstepSystem", "Synchronization"])),
            Row(
                folder: "Contracts/EmulatorTestSupport",
                modules: essentials.union([
                    "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepContracts", "LockstepEmulation",
                    "LockstepTokens", "LockstepCrypto", "Synchronization",
                ])),
            Row(
                folder: "Contracts/Testing",
                modules: essentials.union([
                    "LockstepContracts", "LockstepTransportContracts", "LockstepDirectoryContracts", "LockstepPrimitives",
                    "LockstepTestConcurrency",
                    "Testing", "Synchronization",
                ])),
            Row(folder: "Contracts/Concurrency", modules: essentials.union(["LockstepSystem", "Testing", "Synchronization"])),
        ] + ["Firebase", "GoTrue", "Clerk"].flatMap(adapter)
}
