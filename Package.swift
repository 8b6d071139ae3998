// swift-tools-version: 6.2
import PackageDescription

/// Every provider has the same two targets: its adapter and its emulator.
///
/// One target has the harnesses that join them.
let providers = ["Firebase", "GoTrue", "Clerk"]

// MARK: System libraries, each wrapped by exactly one target (docs/decisions/0100-house.md)

func systemLibrary(_ name: String, _ path: String, pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil) -> Target {
    var packages: [SystemPackageProvider] = []
    if let apt { packages.append(.apt([apt])) }
    if let brew { packages.append(.brew([brew])) }
    return .systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: packages.isEmpty ? nil : packages)
}

let systemLibraries = [
    systemLibrary(
        "CLockstepCurl", "Sources/Transports/Curl/Library", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    systemLibrary("CLockstepTLS", "Sources/Transports/Curl/TLSLibrary", pkgConfig: "libssl", apt: "libssl-dev"),
    systemLibrary(
        "CLockstepCrypto", "Sources/Bindings/Crypto/Library", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    systemLibrary(
        "CLockstepSQLite", "Sources/Bindings/SQLite/Library", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    systemLibrary(
        "CLockstepMicrohttpd", "Sources/Bindings/Microhttpd/Library", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev",
        brew: "libmicrohttpd"),
    systemLibrary(
        "CLockstepArgon2", "Sources/Bindings/Argon2/Library", pkgConfig: "libargon2", apt: "libargon2-dev", brew: "argon2"),
    systemLibrary(
        "CLockstepCrypt", "Sources/Bindings/Crypt/Library", pkgConfig: "libcrypt", apt: "libcrypt-dev", brew: "libxcrypt"),
    systemLibrary(
        "CLockstepPostgres", "Sources/Bindings/Postgres/Library", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
    systemLibrary(
        "CLockstepQRCode", "Sources/Bindings/QRCode/Library", pkgConfig: "libqrencode", apt: "libqrencode-dev",
        brew: "qrencode"),
    // It brings no file for pkg-config, and Homebrew has no formula of it.
    systemLibrary("CLockstepZxcvbn", "Sources/Bindings/Zxcvbn/Library", apt: "libzxcvbn-dev"),
    systemLibrary("CLockstepSystem", "Sources/Bindings/System/Library"),
]

// MARK: Libraries

func library(_ name: String, _ path: String, _ dependencies: [String]) -> Target {
    .target(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path)
}

#if canImport(Darwin)
let privacyManifest: (exclude: [String], resources: [Resource]?) = ([], [.copy("PrivacyInfo.xcprivacy")])
#else
let privacyManifest: (exclude: [String], resources: [Resource]?) = (["PrivacyInfo.xcprivacy"], nil)
#endif

let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

let libraries = [
    library("LockstepPrimitives", "Sources/LockstepPrimitives", ["LockstepSystem"]),

    // What tests and emulators share, and no app links: clocks that are moved, randomness that a seed decides.
    library("LockstepTestSupport", "Sources/LockstepTestSupport", ["LockstepPrimitives"]),

    // Where there is no libcrypto (iOS and its like), the digests come from CryptoKit and the rest of this target is left out.
    .target(
        name: "LockstepCrypto",
        dependencies: [.byName(name: "CLockstepCrypto", condition: .when(platforms: [.linux, .macOS])), "LockstepPrimitives"],
        path: "Sources/Bindings/Crypto/Binding"),
    library("LockstepSQLite", "Sources/Bindings/SQLite/Binding", ["CLockstepSQLite", "LockstepPrimitives"]),
    library(
        "LockstepMicrohttpd", "Sources/Bindings/Microhttpd/Binding",
        ["CLockstepMicrohttpd", "LockstepPrimitives", "LockstepSystem"]),
    // An app for Apple systems must say why it calls `stat`. Elsewhere a resource would bring Foundation's Bundle with it.
    .target(
        name: "LockstepSystem", dependencies: ["CLockstepSystem"], path: "Sources/Bindings/System/Binding",
        exclude: privacyManifest.exclude, resources: privacyManifest.resources),
    library("LockstepPostgres", "Sources/Bindings/Postgres/Binding", ["CLockstepPostgres", "LockstepPrimitives"]),

    library("Lockstep", "Sources/Lockstep", ["LockstepPrimitives", "LockstepCrypto", "LockstepSystem"]),
    library(
        "LockstepPostgresStore", "Sources/Stores/PostgresStore",
        ["Lockstep", "LockstepPrimitives", "LockstepPostgres", "LockstepCrypto", "LockstepSystem"]),

    library(
        "LockstepSQLiteStore", "Sources/Stores/SQLiteStore",
        ["Lockstep", "LockstepPrimitives", "LockstepSQLite", "LockstepCrypto", "LockstepSystem"]),

    library("LockstepKeychainStore", "Sources/Stores/KeychainStore", ["Lockstep", "LockstepPrimitives", "LockstepSystem"]),

    // The screens of an app, without the drawing.
    library("LockstepModels", "Sources/LockstepModels", ["Lockstep"]),
    // The system's own sheets for the models: AuthenticationServices where it is, and the values for it everywhere.
    library("LockstepAppleSheets", "Sources/LockstepAppleSheets", ["LockstepModels", "Lockstep"]),
    // The one part of the models that needs a library of the system, and so a product of its own.
    .target(
        name: "LockstepPasswordStrength",
        dependencies: [
            .byName(name: "CLockstepZxcvbn", condition: .when(platforms: [.linux])), "LockstepModels", "LockstepPrimitives",
        ],
        path: "Sources/LockstepPasswordStrength"),
    library(
        "LockstepModelPreviews", "Sources/LockstepModelPreviews",
        ["LockstepModels", "Lockstep", "LockstepInMemory"]),

    library("LockstepHTTP", "Sources/LockstepHTTP", ["LockstepPrimitives"]),
    library("LockstepWire", "Sources/LockstepWire", ["Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepCrypto"]),
    // On Linux libcurl speaks TLS by OpenSSL, some of whose settings it does not hand through.
    .target(
        name: "LockstepCurl",
        dependencies: [
            "CLockstepCurl", .byName(name: "CLockstepTLS", condition: .when(platforms: [.linux])), "LockstepHTTP",
            "LockstepPrimitives", "LockstepSystem",
        ], path: "Sources/Transports/Curl/Transport"),
    library("LockstepURLSession", "Sources/Transports/URLSession", ["LockstepHTTP", "LockstepPrimitives"]),

    // The store and the transport that an app takes by default. What the platform does not use is not built.
    .target(
        name: "LockstepPlatform",
        dependencies: [
            "Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepSystem",
            .byName(name: "LockstepURLSession", condition: .when(platforms: applePlatforms)),
            .byName(name: "LockstepKeychainStore", condition: .when(platforms: applePlatforms)),
            .byName(name: "LockstepCurl", condition: .when(platforms: [.linux])),
        ], path: "Sources/LockstepPlatform"),

    library("LockstepTokens", "Sources/LockstepTokens", ["LockstepPrimitives", "LockstepCrypto"]),
    library(
        "LockstepPasswords", "Sources/LockstepPasswords",
        ["CLockstepArgon2", "CLockstepCrypt", "LockstepPrimitives", "LockstepCrypto"]),
    library(
        "LockstepEmulation", "Sources/LockstepEmulation",
        [
            "LockstepPrimitives", "LockstepMicrohttpd", "LockstepSQLite", "LockstepCrypto", "LockstepSystem", "LockstepTokens",
            "LockstepPasswords",
        ]),

    library("LockstepInMemory", "Adapters/InMemory/Adapter", ["Lockstep", "LockstepPrimitives"]),
    library(
        "LockstepInMemoryHarness", "Adapters/InMemory/Harness",
        ["Lockstep", "LockstepPrimitives", "LockstepInMemory", "LockstepContracts"]),

    library("LockstepContracts", "Contracts/Suite", ["Lockstep", "LockstepPrimitives"]),
    library(
        "LockstepEmulatorTestSupport", "Contracts/EmulatorTestSupport",
        [
            "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepContracts", "LockstepEmulation",
            "LockstepTokens", "LockstepCrypto",
        ]),
    // A real server for as long as a process lives: of tests, and of a rehearsed move.
    library("LockstepPostgresServer", "Contracts/PostgresServer", ["LockstepPrimitives", "LockstepSystem"]),
    library(
        "LockstepStoreHarnesses", "Contracts/StoreHarnesses",
        [
            "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepSystem", "LockstepSQLite", "LockstepSQLiteStore",
            "LockstepPostgresStore", "LockstepPostgresServer",
        ]),
    library("LockstepMutants", "Contracts/Mutants", ["Lockstep", "LockstepPrimitives", "LockstepContracts"]),
    library(
        "LockstepTransportContracts", "Contracts/TransportContracts",
        ["LockstepContracts", "LockstepHTTP", "LockstepPrimitives", "LockstepSystem"]),
    library(
        "LockstepDirectoryContracts", "Contracts/DirectoryContracts",
        ["LockstepContracts", "LockstepDirectory", "Lockstep", "LockstepPrimitives"]),
    library("LockstepTestConcurrency", "Contracts/TestConcurrency", ["LockstepSystem"]),
    library(
        "LockstepContractsTesting", "Contracts/ContractsTesting",
        [
            "LockstepContracts", "LockstepTransportContracts", "LockstepDirectoryContracts", "LockstepTestConcurrency",
        ]),

    library(
        "LockstepVerifier", "Sources/LockstepVerifier",
        ["Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepWire", "LockstepTokens", "LockstepCrypto"]),
    // The backend of a server's own tests, which no server links.
    library(
        "LockstepVerifierTestSupport", "Sources/LockstepVerifierTestSupport",
        ["LockstepVerifier", "LockstepHTTP", "LockstepTokens", "LockstepPrimitives", "Lockstep", "LockstepWire"]),

    library(
        "LockstepDirectory", "Sources/LockstepDirectory", ["Lockstep", "LockstepPrimitives", "LockstepWire"]),
    library(
        "LockstepGoTrueDirectory", "Adapters/GoTrue/Directory",
        [
            "LockstepGoTrue", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepHTTP", "LockstepPrimitives",
            "LockstepPasswords",
        ]),
    library(
        "LockstepGoTrueDatabase", "Adapters/GoTrue/Database",
        [
            "LockstepGoTrueDirectory", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepPrimitives",
            "LockstepPasswords", "LockstepPostgres", "LockstepSystem",
        ]),
    // Beside the emulator, so that tests of an app link no client of a database.
    library(
        "LockstepGoTrueEmulatorDatabase", "Adapters/GoTrue/EmulatorDatabase",
        ["LockstepEmulation", "LockstepPostgres", "LockstepSQLite", "LockstepPrimitives"]),
    // Service accounts sign their grants, and the hashes of other systems are read before they are sent.
    library(
        "LockstepFirebaseDirectory", "Adapters/Firebase/Directory",
        [
            "LockstepFirebase", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepHTTP", "LockstepPrimitives",
            "LockstepTokens", "LockstepPasswords",
        ]),
    library(
        "LockstepClerkDirectory", "Adapters/Clerk/Directory",
        [
            "LockstepClerk", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepHTTP", "LockstepPrimitives",
            "LockstepPasswords",
        ]),

    // The engine of a move of users: no backend, and no database but its own.
    library(
        "LockstepMigration", "Sources/LockstepMigration",
        [
            "LockstepDirectory", "LockstepPasswords", "LockstepSQLite", "LockstepCrypto", "LockstepSystem", "LockstepPrimitives",
            "Lockstep",
        ]),

    // Pages for people beside the emulators, on a port of their own.
    library(
        "LockstepDashboard", "Sources/LockstepDashboard",
        ["CLockstepQRCode", "LockstepEmulation", "LockstepPrimitives", "LockstepTokens"]),

    // What a real project allows, judged: rules and requests, and no client.
    library("LockstepDoctor", "Sources/LockstepDoctor", ["LockstepHTTP", "LockstepPrimitives"]),

    // Each provider's adapter on its emulator.
    library(
        "LockstepHarnesses", "Contracts/Harnesses",
        [
            "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepContracts", "LockstepEmulatorTestSupport",
            "LockstepEmulation", "LockstepTokens",
        ] + providers.flatMap { ["Lockstep\($0)", "Lockstep\($0)Emulator"] }),

    library(
        "LockstepComparison", "Sources/LockstepComparison",
        ["Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepModels", "LockstepEmulatorTestSupport"]),
]

let adapters = providers.flatMap { provider in
    [
        library(
            "Lockstep\(provider)", "Adapters/\(provider)/Adapter",
            ["Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepWire"]),
        library(
            "Lockstep\(provider)Emulator", "Adapters/\(provider)/Emulator",
            [
                "LockstepEmulation", "LockstepPrimitives", "LockstepTokens", "LockstepPasswords", "LockstepSQLite",
                "LockstepCrypto",
            ]),
    ]
}

let command: Target = .executableTarget(
    name: "LockstepCLI",
    dependencies: ([
        "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepContracts", "LockstepComparison",
        "LockstepEmulation", "LockstepSystem", "LockstepModels", "LockstepPasswordStrength", "LockstepEmulatorTestSupport",
        "LockstepInMemoryHarness", "LockstepTestSupport", "LockstepPasswords", "LockstepCrypto", "LockstepMigration",
        "LockstepDirectory", "LockstepFirebaseDirectory", "LockstepGoTrueDirectory", "LockstepGoTrueDatabase",
        "LockstepDashboard", "LockstepGoTrueEmulatorDatabase", "LockstepPostgresServer", "LockstepVerifier", "LockstepDoctor",
        "LockstepWire", "LockstepHarnesses",
    ]
        + providers.flatMap { ["Lockstep\($0)", "Lockstep\($0)Emulator"] }).map { .init(stringLiteral: $0) },
    path: "Sources/LockstepCLI",
    plugins: ["BuildCommit"])

/// Writes the release and the commit of the working folder into a source file of the command, at each build.
let plugins: [Target] = [.plugin(name: "BuildCommit", capability: .buildTool(), path: "Sources/BuildCommit")]

// MARK: What the tests and the Makefile start: workers, benchmarks, torture, fuzzing, recordings and cases behind one command

let laboratory: [Target] = [
    /// Recorded conversations, had again by the tests and by `make recordings`.
    library(
        "LockstepRecordings", "Tests/Recordings",
        [
            "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepTokens", "LockstepCrypto", "LockstepSystem",
            "LockstepEmulation", "LockstepEmulatorTestSupport", "LockstepGoTrueEmulator", "LockstepFirebaseEmulator",
        ]),
    /// The attack cases and what tries them, read by the house tests and printed by `make cases`.
    library("LockstepCases", "Tests/Cases", []),
    /// The processes that tests of stores and transports start and kill. It links no emulator.
    .executableTarget(
        name: "lockstep-worker",
        dependencies: [
            "LockstepPrimitives", "LockstepSystem", "LockstepHTTP", "LockstepCurl", "LockstepURLSession", "LockstepContracts",
            "LockstepMutants", "LockstepStoreHarnesses", "LockstepPlatform", "LockstepGoTrue",
        ],
        path: "Tests/Worker"),
    .executableTarget(
        name: "lockstep-lab",
        dependencies: [
            "Lockstep", "LockstepPrimitives", "LockstepSystem", "LockstepHTTP", "LockstepCurl", "LockstepURLSession",
            "LockstepInMemory", "LockstepSQLite", "LockstepSQLiteStore", "LockstepPostgres", "LockstepPostgresStore",
            "LockstepFirebase", "LockstepGoTrue", "LockstepClerk", "LockstepFirebaseEmulator", "LockstepGoTrueEmulator",
            "LockstepClerkEmulator", "LockstepEmulation", "LockstepTokens", "LockstepContracts", "LockstepMutants",
            "LockstepStoreHarnesses", "LockstepRecordings", "LockstepCases", "LockstepInMemoryHarness",
            "LockstepDirectory", "LockstepFirebaseDirectory", "LockstepGoTrueDirectory", "LockstepClerkDirectory",
            "LockstepVerifier", "LockstepVerifierTestSupport", "LockstepEmulatorTestSupport", "LockstepMigration",
            "LockstepPasswords",
            "LockstepGoTrueDatabase", "LockstepGoTrueEmulatorDatabase",
        ],
        path: "Tests/Lab",
        exclude: [
            "Commands/run", "Dashboard/run", "Emulators/run", "Emulators/gotrue", "Moves/run", "Postgres/run", "Requests/run",
            "Seeds/run",
            "Sessions/run", "SignIns/run", "Stores/run", "Tokens/run", "Transport/run", "Transport/Baseline", "Walks/run",
        ]
        .map { "Benchmarks/\($0)" }),
]

// MARK: Tests, one folder a target

func tests(_ name: String, _ dependencies: [String]) -> Target {
    .testTarget(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: "Tests/\(name)")
}

let testTargets =
    [
        // The bindings, and what stands on them alone.
        tests(
            "LibraryTests",
            [
                "LockstepPrimitives", "LockstepCrypto", "LockstepSQLite", "LockstepMicrohttpd", "LockstepSystem",
                "LockstepPostgres", "LockstepHTTP", "LockstepTokens", "LockstepPasswords", "LockstepStoreHarnesses",
                "LockstepTestConcurrency",
            ]),
        tests("LockstepTests", ["Lockstep", "LockstepPrimitives", "LockstepSystem", "LockstepInMemory"]),
        tests("LockstepWireTests", ["LockstepWire", "LockstepHTTP", "Lockstep", "LockstepPrimitives"]),
        tests(
            "LockstepModelsTests",
            [
                "LockstepModels", "LockstepModelPreviews", "LockstepAppleSheets", "LockstepPasswordStrength", "Lockstep",
                "LockstepPrimitives",
                "LockstepInMemory", "LockstepContracts", "LockstepInMemoryHarness", "LockstepEmulatorTestSupport",
                "LockstepTestConcurrency", "LockstepSystem", "LockstepHarnesses",
            ]),
        tests(
            "StoreTests",
            [
                "Lockstep", "LockstepPrimitives", "LockstepSystem", "LockstepSQLite", "LockstepSQLiteStore",
                "LockstepKeychainStore", "LockstepPostgresStore", "LockstepContracts", "LockstepStoreHarnesses",
                "LockstepInMemory",
                "LockstepTestConcurrency", "lockstep-worker",
            ]),
        tests(
            "LockstepPlatformTests",
            [
                "LockstepPlatform", "Lockstep", "LockstepSystem", "LockstepStoreHarnesses",
                "LockstepGoTrueEmulator", "LockstepTestConcurrency", "lockstep-worker",
            ]),
        tests(
            "LockstepEmulationTests",
            [
                "LockstepEmulation", "LockstepPrimitives", "LockstepSystem", "LockstepSQLite", "LockstepTokens",
                "LockstepPasswords", "LockstepCrypto", "LockstepTestConcurrency",
            ]),
        tests(
            "TransportTests",
            [
                "LockstepCurl", "LockstepURLSession", "LockstepHTTP", "LockstepSystem", "LockstepTransportContracts",
                "LockstepContractsTesting", "LockstepTestConcurrency", "lockstep-worker",
            ]),
        tests(
            "ContractTests",
            [
                "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepMutants", "LockstepContractsTesting",
                "LockstepInMemoryHarness", "LockstepStoreHarnesses", "LockstepTestConcurrency", "lockstep-worker",
            ]),
        tests(
            "ProviderContractTests",
            [
                "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepMutants", "LockstepContractsTesting",
                "LockstepHarnesses", "LockstepStoreHarnesses", "LockstepTestConcurrency", "LockstepSystem",
                "LockstepTokens", "LockstepEmulatorTestSupport", "LockstepHTTP", "LockstepCurl",
                "LockstepWire", "LockstepGoTrue", "LockstepFirebase", "LockstepClerk", "LockstepGoTrueEmulator",
                "LockstepFirebaseEmulator", "LockstepClerkEmulator",
            ]),
        tests(
            "LockstepVerifierTests",
            [
                "LockstepVerifier", "LockstepVerifierTestSupport", "LockstepTokens", "Lockstep", "LockstepPrimitives",
                "LockstepHTTP", "LockstepCurl", "LockstepEmulation", "LockstepTestConcurrency",
            ] + providers.map { "Lockstep\($0)Emulator" }),
        tests(
            "LockstepDashboardTests",
            [
                "LockstepDashboard", "LockstepEmulation", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepSystem",
                "LockstepTestConcurrency",
            ]
                + providers.map { "Lockstep\($0)Emulator" }),
        tests(
            "CommandTests",
            [
                "LockstepCLI", "LockstepPrimitives", "LockstepSystem", "LockstepCurl", "LockstepHTTP", "LockstepComparison",
                "LockstepContracts", "LockstepInMemoryHarness", "LockstepPostgresServer", "LockstepDoctor",
                "LockstepFirebaseDirectory", "LockstepEmulatorTestSupport", "LockstepEmulation", "Lockstep",
                "LockstepTestConcurrency",
            ]),
        tests(
            "DirectoryTests",
            [
                "LockstepDirectoryContracts", "LockstepContractsTesting", "LockstepTestConcurrency", "LockstepHTTP",
                "LockstepCurl", "LockstepEmulation", "LockstepEmulatorTestSupport", "LockstepTokens", "LockstepGoTrueDatabase",
                "LockstepStoreHarnesses", "LockstepPostgres", "LockstepGoTrueEmulatorDatabase",
            ]
                + providers.flatMap { ["Lockstep\($0)", "Lockstep\($0)Emulator", "Lockstep\($0)Directory"] }),
        tests(
            "MigrationTests",
            [
                "LockstepMigration", "LockstepDirectory", "LockstepPrimitives", "LockstepSystem", "LockstepCurl",
                "LockstepEmulation", "LockstepSQLite", "LockstepTestConcurrency",
                "LockstepFirebase", "LockstepFirebaseEmulator", "LockstepFirebaseDirectory",
                "LockstepGoTrue", "LockstepGoTrueEmulator", "LockstepGoTrueDirectory", "LockstepGoTrueDatabase",
                "LockstepGoTrueEmulatorDatabase", "LockstepStoreHarnesses", "LockstepContracts", "LockstepEmulatorTestSupport",
                "LockstepCLI", "LockstepPasswords", "LockstepHTTP",
            ]),
        tests(
            "LabTests",
            ["lockstep-lab", "lockstep-worker", "LockstepPrimitives", "LockstepRecordings", "LockstepTestConcurrency"]),
        // They start the command, and build a package that uses the products.
        tests("HouseTests", ["LockstepPrimitives", "LockstepSystem", "LockstepCases", "LockstepCLI", "LockstepTestConcurrency"]),
    ]
    + providers.flatMap { provider in
        [
            // What no promise of all providers speaks of is driven on an adapter's own emulator.
            tests(
                "Lockstep\(provider)Tests",
                [
                    "Lockstep\(provider)", "Lockstep\(provider)Emulator", "Lockstep", "LockstepHTTP", "LockstepPrimitives",
                    "LockstepWire", "LockstepEmulation", "LockstepTokens", "LockstepCurl", "LockstepEmulatorTestSupport",
                    "LockstepTestConcurrency",
                ]
                    + ["LockstepDirectory", "Lockstep\(provider)Directory"] + (provider == "GoTrue" ? ["LockstepRecordings"] : [])
            ),
            tests(
                "Lockstep\(provider)EmulatorTests",
                [
                    "Lockstep\(provider)Emulator", "LockstepEmulation", "LockstepPrimitives", "LockstepTokens", "LockstepHTTP",
                    "LockstepCurl", "LockstepCrypto", "LockstepSQLite", "LockstepEmulatorTestSupport", "LockstepRecordings",
                    "LockstepTestConcurrency",
                ] + (provider == "GoTrue" ? ["LockstepGoTrueEmulatorDatabase", "LockstepPostgresServer"] : [])),
        ]
    }

// MARK: Products, by who uses them (docs/README.md); an app that takes the core, a transport and one adapter builds nothing else

func products(_ names: [String]) -> [Product] { names.map { .library(name: $0, targets: [$0]) } }

let forApps = products(
    [
        "Lockstep", "LockstepPlatform", "LockstepModels", "LockstepAppleSheets", "LockstepPasswordStrength", "LockstepCurl",
        "LockstepURLSession",
    ]
        + providers.map { "Lockstep\($0)" } + ["LockstepKeychainStore"])
let forServers =
    products([
        "LockstepSQLiteStore", "LockstepPostgresStore", "LockstepDirectory", "LockstepFirebaseDirectory",
        "LockstepGoTrueDirectory", "LockstepGoTrueDatabase", "LockstepClerkDirectory", "LockstepMigration", "LockstepPasswords",
    ]) + [.library(name: "LockstepVerifier", targets: ["LockstepVerifier", "LockstepTokens"])]
let forAdapterAuthors =
    products(["LockstepContractsTesting", "LockstepEmulatorTestSupport", "LockstepEmulation"]) + [
        .library(name: "LockstepWire", targets: ["LockstepWire", "LockstepHTTP"]),
        .library(
            name: "LockstepContracts", targets: ["LockstepContracts", "LockstepTransportContracts", "LockstepDirectoryContracts"]),
    ]
let forTestAuthors =
    products(
        ["LockstepInMemory", "LockstepModelPreviews", "LockstepTestSupport", "LockstepVerifierTestSupport"]
            + providers.map { "Lockstep\($0)Emulator" } + ["LockstepComparison"])
    + [
        .library(name: "LockstepHarnesses", targets: ["LockstepHarnesses", "LockstepInMemoryHarness"]),
        .executable(name: "lockstep", targets: ["LockstepCLI"]),
    ]

let package = Package(
    name: "lockstep",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: forApps + forServers + forAdapterAuthors + forTestAuthors,
    targets: systemLibraries + libraries + adapters + plugins + [command] + laboratory + testTargets,
    swiftLanguageModes: [.v6])

/// The test targets that LOCKSTEP_TESTS names (`LOCKSTEP_TESTS='LockstepTests StoreTests' swift test`), and what they need: nothing
/// else is built, while `swift test --filter` first builds every target. Without the variable the package is whole.
///
/// The word `quick` stands for what `make quick` runs: core, models and stores on the adapter in memory, without an emulator. The word
/// `apps` stands for those of them that need no process and no library of a server, as on iOS.
if var names = Context.environment["LOCKSTEP_TESTS"]?.split(separator: " ").map(String.init), !names.isEmpty {
    let areForApps = names == ["apps"]
    if names == ["quick"] || areForApps {
        names =
            ["LockstepTests", "LockstepModelsTests", "LockstepWireTests"]
            + (names == ["quick"] ? ["ContractTests", "StoreTests"] : [])
        let absent: Set = ["LockstepHarnesses", "LockstepEmulatorTestSupport"]
        for target in package.targets where target.name == "LockstepModelsTests" {
            target.dependencies.removeAll { if case .byNameItem(let name, _) = $0 { absent.contains(name) } else { false } }
        }
    }
    var needed: Set = ["LockstepTestSupport", "LockstepPrimitives", "LockstepSystem", "CLockstepSystem"]
    var waiting = names
    while let name = waiting.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { waiting.append(dependency) }
    }
    package.targets.removeAll { !needed.contains($0.name) && $0.type != .plugin }
    // The tests of the command start it by its name. Xcode makes a scheme of all tests for a package with products.
    package.products.removeAll { product in
        guard areForApps else { return product.name != "lockstep" || !needed.contains("LockstepCLI") }
        return (product as? Product.Library).map { !needed.isSuperset(of: $0.targets) } ?? true
    }
}

// `make docs` and `.ci/interface` leave out the tests and what they start: SwiftPM cannot write the symbols of a bundle of tests that was
// not built, and no product needs the laboratory.
if Context.environment["LOCKSTEP_DOCS"] != nil {
    let names = Set(laboratory.map(\.name))
    package.targets.removeAll { $0.type == .test || names.contains($0.name) }
}

let usersOfTestSupport: Set = [
    "LockstepEmulation", "LockstepContracts", "LockstepInMemoryHarness", "LockstepHarnesses", "LockstepComparison",
    "LockstepRecordings",
    "lockstep-lab", "lockstep-worker",
]
for target in package.targets
where target.type == .test || usersOfTestSupport.contains(target.name)
    || providers.contains(where: { "Lockstep\($0)Emulator" == target.name })
{
    target.dependencies.append("LockstepTestSupport")
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
