// swift-tools-version: 6.2
import PackageDescription

/// Every provider has the same three targets: its adapter, its emulator, and the bench that joins them.
let providers = ["Firebase", "GoTrue", "Clerk"]

// MARK: System libraries, each wrapped by exactly one target (docs/design.md, "Dependencies")

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
        "CLockstepArgon2", "Sources/Bindings/Hashes/Argon2Library", pkgConfig: "libargon2", apt: "libargon2-dev", brew: "argon2"),
    systemLibrary(
        "CLockstepCrypt", "Sources/Bindings/Hashes/CryptLibrary", pkgConfig: "libcrypt", apt: "libcrypt-dev", brew: "libxcrypt"),
    systemLibrary(
        "CLockstepPostgres", "Sources/Bindings/Postgres/Library", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
    systemLibrary("CLockstepSystem", "Sources/Bindings/System/Library"),
]

// MARK: Libraries

func library(_ name: String, _ path: String, _ dependencies: [String]) -> Target {
    .target(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path)
}

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
    library("LockstepMicrohttpd", "Sources/Bindings/Microhttpd/Binding", ["CLockstepMicrohttpd", "LockstepPrimitives"]),
    library("LockstepHashes", "Sources/Bindings/Hashes/Binding", ["CLockstepArgon2", "CLockstepCrypt", "LockstepPrimitives"]),
    library("LockstepSystem", "Sources/Bindings/System/Binding", ["CLockstepSystem"]),
    library("LockstepPostgres", "Sources/Bindings/Postgres/Binding", ["CLockstepPostgres", "LockstepPrimitives"]),

    library("Lockstep", "Sources/Lockstep", ["LockstepPrimitives", "LockstepCrypto", "LockstepSystem"]),
    library(
        "LockstepPostgresStore", "Sources/Stores/Postgres",
        ["Lockstep", "LockstepPrimitives", "LockstepPostgres", "LockstepCrypto", "LockstepSystem"]),

    library(
        "LockstepSQLiteStore", "Sources/Stores/SQLite",
        ["Lockstep", "LockstepPrimitives", "LockstepSQLite", "LockstepCrypto", "LockstepSystem"]),

    library("LockstepKeychain", "Sources/Bindings/Keychain/Binding", []),
    library(
        "LockstepKeychainStore", "Sources/Stores/Keychain",
        ["Lockstep", "LockstepPrimitives", "LockstepKeychain", "LockstepSystem"]),

    library("LockstepHTTP", "Sources/LockstepHTTP", ["LockstepPrimitives"]),
    library("LockstepWire", "Sources/LockstepWire", ["Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepCrypto"]),
    // On Linux libcurl speaks TLS by OpenSSL, some of whose settings it does not hand through.
    .target(
        name: "LockstepCurl",
        dependencies: [
            "CLockstepCurl", .byName(name: "CLockstepTLS", condition: .when(platforms: [.linux])), "LockstepHTTP",
            "LockstepPrimitives",
        ], path: "Sources/Transports/Curl/Transport"),
    library("LockstepURLSession", "Sources/Transports/URLSession", ["LockstepHTTP", "LockstepPrimitives"]),

    library("LockstepTokens", "Sources/LockstepTokens", ["LockstepPrimitives", "LockstepCrypto"]),
    library("LockstepPasswords", "Sources/LockstepPasswords", ["LockstepPrimitives", "LockstepCrypto", "LockstepHashes"]),
    library(
        "LockstepEmulation", "Sources/LockstepEmulation",
        ["LockstepPrimitives", "LockstepMicrohttpd", "LockstepSQLite", "LockstepCrypto", "LockstepSystem"]),

    library("LockstepInMemory", "Adapters/InMemory/Adapter", ["Lockstep", "LockstepPrimitives"]),
    library(
        "LockstepInMemoryBench", "Adapters/InMemory/Bench",
        ["Lockstep", "LockstepPrimitives", "LockstepInMemory", "LockstepContracts"]),

    library("LockstepContracts", "Contracts/Suite", ["Lockstep", "LockstepPrimitives"]),
    library(
        "LockstepStaging", "Contracts/Staging",
        [
            "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepContracts", "LockstepEmulation",
            "LockstepTokens", "LockstepCrypto",
        ]),
    library(
        "LockstepStoreBenches", "Contracts/Stores",
        [
            "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepSystem", "LockstepSQLite", "LockstepSQLiteStore",
            "LockstepPostgresStore", "PostgresServer",
        ]),
    library("LockstepMutants", "Contracts/Mutants", ["Lockstep", "LockstepPrimitives", "LockstepContracts"]),
    library("LockstepTransportContracts", "Contracts/Transport", ["LockstepHTTP", "LockstepPrimitives", "LockstepSystem"]),
    library("LockstepTestConcurrency", "Contracts/Concurrency", ["LockstepSystem"]),
    library(
        "LockstepContractsTesting", "Contracts/Testing",
        ["LockstepContracts", "LockstepTransportContracts", "LockstepTestConcurrency"]),

    library("LockstepDirectory", "Sources/LockstepDirectory", ["Lockstep", "LockstepPrimitives"]),
    library(
        "LockstepGoTrueDirectory", "Adapters/GoTrue/Directory",
        ["LockstepGoTrue", "LockstepDirectory", "LockstepWire", "Lockstep", "LockstepHTTP", "LockstepPrimitives"]),

    library("LockstepComparison", "Sources/LockstepComparison", ["Lockstep", "LockstepPrimitives", "LockstepContracts"]),
]

let adapters = providers.flatMap { provider in
    [
        library(
            "Lockstep\(provider)", "Adapters/\(provider)/Adapter",
            ["Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepWire", "LockstepCrypto"]),
        library(
            "Lockstep\(provider)Emulator", "Adapters/\(provider)/Emulator",
            [
                "LockstepEmulation", "LockstepPrimitives", "LockstepTokens", "LockstepPasswords", "LockstepSQLite",
                "LockstepCrypto",
            ]),
        library(
            "Lockstep\(provider)Bench", "Adapters/\(provider)/Bench",
            [
                "Lockstep\(provider)", "Lockstep\(provider)Emulator", "Lockstep", "LockstepPrimitives", "LockstepHTTP",
                "LockstepCurl",
                "LockstepContracts", "LockstepStaging", "LockstepEmulation", "LockstepTokens",
            ]),
    ]
}

let command: Target = .executableTarget(
    name: "LockstepCLI",
    dependencies: ([
        "Lockstep", "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepContracts", "LockstepComparison",
        "LockstepEmulation", "LockstepSystem",
    ]
        + providers.flatMap { ["Lockstep\($0)", "Lockstep\($0)Emulator", "Lockstep\($0)Bench"] }).map {
            .init(stringLiteral: $0)
        },
    path: "Sources/LockstepCLI")

// MARK: Benchmarks, run by `make bench`

let benchmarks: [Target] = [
    .executableTarget(
        name: "EmulatorBenchmark", dependencies: ["LockstepEmulation", "LockstepPrimitives", "LockstepSQLite", "LockstepSystem"],
        path: "Tests/Benchmarks/Emulators", exclude: ["run", "gotrue"]),
    .executableTarget(
        name: "PostgresBenchmark",
        dependencies: [
            "Lockstep", "LockstepPostgres", "LockstepPostgresStore", "LockstepPrimitives", "LockstepSystem", "PostgresServer",
        ], path: "Tests/Benchmarks/Postgres", exclude: ["run"]),
    .executableTarget(
        name: "TransportBenchmark",
        dependencies: ["LockstepCurl", "LockstepURLSession", "LockstepHTTP", "LockstepPrimitives", "LockstepSystem"],
        path: "Tests/Benchmarks/Transport", exclude: ["run", "Baseline"]),
    .executableTarget(
        name: "StoreBenchmark", dependencies: ["Lockstep", "LockstepPrimitives", "LockstepSQLiteStore", "LockstepSystem"],
        path: "Tests/Benchmarks/Stores", exclude: ["run"]),
    .executableTarget(
        name: "TokenBenchmark", dependencies: ["Lockstep", "LockstepInMemory", "LockstepPrimitives", "LockstepSystem"],
        path: "Tests/Benchmarks/Tokens", exclude: ["run"]),
]

// MARK: What is started, raced and killed by the tests and by `make torture`

let torture: [Target] = [
    library("SessionSimulation", "Tests/Torture/Simulation", ["Lockstep", "LockstepPrimitives"]),
    .executableTarget(
        name: "StoreWorker", dependencies: ["LockstepContracts", "LockstepMutants", "LockstepStoreBenches", "LockstepSystem"],
        path: "Tests/Torture/Worker"),
    .target(
        name: "LockstepTorture",
        dependencies: [
            "Lockstep", "LockstepPrimitives", "LockstepCurl", "LockstepGoTrue", "LockstepGoTrueEmulator", "LockstepEmulation",
            "LockstepContracts", "LockstepStoreBenches", "LockstepSystem", "LockstepInMemory", "LockstepFuzzing", "LockstepHTTP",
            "SessionSimulation",
        ], path: "Tests/Torture/Scenarios"),
    .executableTarget(
        name: "SessionWorker",
        dependencies: [
            "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepStoreBenches", "LockstepSystem", "LockstepTorture",
        ],
        path: "Tests/Torture/SessionWorker"),
    .executableTarget(
        name: "TortureRun",
        dependencies: [
            "LockstepTorture", "LockstepPrimitives", "LockstepSystem", "SessionSimulation", "StoreWorker", "SessionWorker",
        ],
        path: "Tests/Torture/Run"),
]

// MARK: One request in a process of its own, for promises about the environment

let transportWorker: Target = .executableTarget(
    name: "TransportWorker", dependencies: ["LockstepCurl", "LockstepURLSession", "LockstepHTTP"], path: "Tests/TransportWorker")

// MARK: Answers for adapters that need no server

let playback = library("LockstepPlayback", "Tests/Playback", ["LockstepHTTP"])

// MARK: Recorded conversations, had again by the tests and by `make recordings`

let recordings: [Target] = [
    library(
        "LockstepRecordings", "Tests/Recordings/Runner",
        [
            "LockstepPrimitives", "LockstepHTTP", "LockstepCurl", "LockstepTokens", "LockstepCrypto", "LockstepSystem",
            "LockstepEmulation", "LockstepStaging", "LockstepGoTrueEmulator", "LockstepFirebaseEmulator",
        ]),
    .executableTarget(
        name: "RecordingsCommand", dependencies: ["LockstepRecordings", "LockstepPrimitives", "LockstepSystem"],
        path: "Tests/Recordings/Command"),
]

// MARK: Requests that no client would send, by the tests and by `make fuzz`

let fuzzing: [Target] = [
    library(
        "LockstepFuzzing", "Tests/Fuzzing/Fuzzer",
        [
            "LockstepPrimitives", "LockstepSystem", "LockstepEmulation", "LockstepGoTrueEmulator", "LockstepFirebaseEmulator",
            "LockstepClerkEmulator", "LockstepTokens", "Lockstep", "LockstepHTTP", "LockstepCurl", "LockstepGoTrue",
            "LockstepFirebase", "LockstepClerk",
        ]),
    .executableTarget(
        name: "FuzzCommand", dependencies: ["LockstepFuzzing", "LockstepPrimitives", "LockstepSystem"],
        path: "Tests/Fuzzing/Command"),
]

// MARK: The attack cases and what tries them, read by the house tests and printed by `make cases`

let cases: [Target] = [
    library("LockstepCases", "Tests/Cases/Register", []),
    .executableTarget(name: "CasesCommand", dependencies: ["LockstepCases"], path: "Tests/Cases/Command"),
]

// MARK: Tests, one folder a target

func tests(of target: String, also dependencies: [String] = []) -> Target {
    .testTarget(
        name: "\(target)Tests", dependencies: ([target] + dependencies).map { .init(stringLiteral: $0) },
        path: "Tests/\(target)Tests")
}

/// A real PostgreSQL server, for tests and benchmarks.
let postgresServer: Target = .target(
    name: "PostgresServer", dependencies: ["LockstepPrimitives", "LockstepSystem"], path: "Tests/PostgresServer",
    exclude: ["serve"])

/// What no promise of all providers speaks of is driven on an adapter's own emulator.
let drivenOnEmulator = ["Firebase", "GoTrue", "Clerk"]

let testTargets =
    [
        tests(of: "LockstepPrimitives"),
        tests(of: "LockstepCrypto", also: ["LockstepPrimitives"]),
        tests(of: "LockstepSQLite", also: ["LockstepPrimitives"]),
        tests(of: "LockstepMicrohttpd", also: ["LockstepPrimitives", "LockstepSystem", "LockstepTestConcurrency"]),
        tests(of: "LockstepHashes", also: ["LockstepPrimitives"]),
        tests(of: "LockstepSystem", also: ["LockstepPrimitives"]),
        tests(
            of: "LockstepPostgres", also: ["LockstepPrimitives", "LockstepSystem", "LockstepTestConcurrency", "PostgresServer"]),
        tests(
            of: "LockstepPostgresStore",
            also: [
                "Lockstep", "LockstepPrimitives", "LockstepSystem", "LockstepContracts", "LockstepStoreBenches",
                "LockstepInMemory", "LockstepTestConcurrency", "PostgresServer", "StoreWorker",
            ]),
        tests(of: "Lockstep", also: ["LockstepPrimitives", "LockstepSystem", "LockstepInMemory"]),
        tests(of: "LockstepHTTP", also: ["LockstepPrimitives"]),
        tests(of: "LockstepTokens", also: ["LockstepPrimitives", "LockstepCrypto"]),
        tests(of: "LockstepPasswords", also: ["LockstepPrimitives"]),
        tests(
            of: "LockstepEmulation",
            also: ["LockstepPrimitives", "LockstepSystem", "LockstepSQLite", "LockstepTestConcurrency"]),
        tests(of: "LockstepFuzzing", also: ["LockstepPrimitives"]),
        tests(of: "LockstepRecordings", also: ["LockstepPrimitives", "LockstepTestConcurrency"]),
        tests(of: "LockstepComparison", also: ["LockstepPrimitives", "LockstepContracts", "LockstepInMemoryBench"]),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "LockstepCurl", "LockstepURLSession", "LockstepHTTP", "LockstepPrimitives", "LockstepSystem",
                "LockstepTransportContracts", "LockstepContractsTesting", "LockstepTestConcurrency", "TransportWorker",
            ], path: "Tests/TransportTests"),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepMutants", "LockstepContractsTesting",
                "LockstepInMemory", "LockstepInMemoryBench", "LockstepStoreBenches", "LockstepTestConcurrency", "StoreWorker",
            ], path: "Tests/ContractTests"),
        .testTarget(
            name: "ProviderContractTests",
            dependencies: [
                "Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepMutants", "LockstepContractsTesting",
                "LockstepFirebaseBench", "LockstepGoTrueBench", "LockstepClerkBench", "LockstepTestConcurrency", "LockstepSystem",
                "LockstepTokens",
            ], path: "Tests/ProviderContractTests"),
        .testTarget(
            name: "CommandTests",
            dependencies: ["LockstepCLI", "LockstepPrimitives", "LockstepSystem", "LockstepCurl", "LockstepHTTP"],
            path: "Tests/CommandTests"),
        tests(
            of: "LockstepGoTrueDirectory",
            also: [
                "Lockstep", "LockstepDirectory", "LockstepHTTP", "LockstepPrimitives", "LockstepCurl", "LockstepEmulation",
                "LockstepGoTrueEmulator", "LockstepTestConcurrency",
            ]),
        .testTarget(
            name: "TortureTests", dependencies: ["LockstepTorture", "StoreWorker", "SessionWorker"], path: "Tests/TortureTests"),
        tests(
            of: "LockstepKeychainStore",
            also: ["Lockstep", "LockstepPrimitives", "LockstepContracts", "LockstepKeychain", "LockstepSystem"]),
        tests(
            of: "LockstepSQLiteStore",
            also: ["Lockstep", "LockstepPrimitives", "LockstepSQLite", "LockstepSystem", "LockstepInMemory"]),
        .testTarget(name: "SessionSimulationTests", dependencies: ["SessionSimulation"], path: "Tests/SessionSimulationTests"),
        .testTarget(name: "HouseTests", dependencies: ["LockstepSystem", "LockstepCases"], path: "Tests/HouseTests"),
    ]
    + providers.flatMap { provider in
        [
            tests(
                of: "Lockstep\(provider)",
                also: ["Lockstep", "LockstepHTTP", "LockstepPrimitives", "LockstepPlayback", "LockstepWire"]
                    + (drivenOnEmulator.contains(provider)
                        ? [
                            "Lockstep\(provider)Emulator", "LockstepEmulation", "LockstepTokens", "LockstepCurl",
                            "LockstepStaging", "LockstepTestConcurrency",
                        ] : [])
                    + (provider == "GoTrue" ? ["LockstepRecordings", "LockstepDirectory", "LockstepGoTrueDirectory"] : [])),
            tests(
                of: "Lockstep\(provider)Emulator",
                also: [
                    "LockstepEmulation", "LockstepPrimitives", "LockstepTokens", "LockstepHTTP", "LockstepCurl", "LockstepCrypto",
                    "LockstepStaging", "LockstepRecordings", "LockstepTestConcurrency",
                ]),
        ]
    }

// MARK: Products: an app that takes the core, a transport and one adapter builds nothing else

func product(_ name: String) -> Product { .library(name: name, targets: [name]) }

let products =
    [
        "Lockstep", "LockstepHTTP", "LockstepWire", "LockstepCurl", "LockstepURLSession", "LockstepInMemory",
        "LockstepInMemoryBench", "LockstepSQLiteStore", "LockstepPostgresStore", "LockstepKeychain", "LockstepKeychainStore",
    ].map(product)
    + providers.map { product("Lockstep\($0)") } + ["LockstepDirectory", "LockstepGoTrueDirectory"].map(product)
    + [
        "LockstepTestSupport", "LockstepContracts", "LockstepStaging", "LockstepTransportContracts", "LockstepContractsTesting",
        "LockstepMutants",
    ].map(
        product)
    + ["LockstepEmulation", "LockstepTokens", "LockstepPasswords"].map(product)
    + providers.flatMap { [product("Lockstep\($0)Emulator"), product("Lockstep\($0)Bench")] }
    + [
        .executable(name: "lockstep", targets: ["LockstepCLI"]),
        .executable(name: "store-worker", targets: ["StoreWorker"]),
        .executable(name: "session-worker", targets: ["SessionWorker"]),
        .executable(name: "transport-worker", targets: ["TransportWorker"]),
        .executable(name: "lockstep-torture", targets: ["TortureRun"]),
        .executable(name: "emulator-benchmark", targets: ["EmulatorBenchmark"]),
        .executable(name: "postgres-benchmark", targets: ["PostgresBenchmark"]),
        .executable(name: "transport-benchmark", targets: ["TransportBenchmark"]),
        .executable(name: "store-benchmark", targets: ["StoreBenchmark"]),
        .executable(name: "token-benchmark", targets: ["TokenBenchmark"]),
        .executable(name: "lockstep-recordings", targets: ["RecordingsCommand"]),
        .executable(name: "lockstep-fuzz", targets: ["FuzzCommand"]),
        .executable(name: "lockstep-cases", targets: ["CasesCommand"]),
    ]

let package = Package(
    name: "lockstep",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: products,
    targets: systemLibraries + libraries + adapters + [command] + benchmarks + torture + [
        playback, postgresServer, transportWorker,
    ]
        + recordings + fuzzing + cases
        + testTargets,
    swiftLanguageModes: [.v6])

let usersOfTestSupport: Set = [
    "LockstepEmulation", "LockstepContracts", "LockstepInMemoryBench", "LockstepComparison", "LockstepRecordings",
    "LockstepFuzzing", "SessionSimulation", "LockstepTorture", "SessionWorker",
]
for target in package.targets
where target.type == .test || usersOfTestSupport.contains(target.name)
    || providers.contains(where: { ["Lockstep\($0)Emulator", "Lockstep\($0)Bench"].contains(target.name) })
{
    target.dependencies.append("LockstepTestSupport")
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
