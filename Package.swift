// swift-tools-version: 6.2
import PackageDescription

/// Each has an adapter, an emulator, a directory, and tests of the first two.
let providers = ["Firebase", "GoTrue", "Clerk"]

// MARK: A target in one line

/// The targets of a list of words: `HTTP` is `LockstepHTTP`, and `CLockstepTLS@linux` is one on that system only.
///
/// A name that begins with `Lockstep`, `CLockstep` or `lockstep` is whole.
func dependencies(_ list: String) -> [Target.Dependency] {
    let systems: [Substring: TargetDependencyCondition?] = [
        "linux": .when(platforms: [.linux]), "unix": .when(platforms: [.linux, .macOS]),
        "apple": .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]),
    ]
    return list.split(separator: " ").map { word in
        let parts = word.split(separator: "@")
        let isWhole = ["Lockstep", "CLockstep", "lockstep"].contains { parts[0].hasPrefix($0) }
        return .byName(
            name: isWhole ? String(parts[0]) : "Lockstep\(parts[0])",
            condition: parts.count > 1 ? systems[parts[1]] ?? nil : nil)
    }
}

/// A library; without a path, its folder is `Sources/` and its name.
func library(_ name: String, at path: String? = nil, _ list: String) -> Target {
    .target(name: "Lockstep\(name)", dependencies: dependencies(list), path: path ?? "Sources/Lockstep\(name)")
}

func tests(_ name: String, _ list: String) -> Target {
    .testTarget(
        name: name, dependencies: dependencies("Primitives TestSupport TestConcurrency \(list)"), path: "Tests/\(name)")
}

/// The words for these targets of each provider: an adapter's kind is empty.
func ofEach(_ kinds: String...) -> String {
    providers.flatMap { provider in kinds.map { provider + $0 } }.joined(separator: " ")
}

/// A C library, wrapped by the target above its folder alone (docs/decisions/0100-house.md).
func system(_ name: String, _ folder: String, pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil) -> Target {
    let packages: [SystemPackageProvider] = (apt.map { [.apt([$0])] } ?? []) + (brew.map { [.brew([$0])] } ?? [])
    return .systemLibrary(
        name: "CLockstep\(name)", path: "Sources/\(folder)", pkgConfig: pkgConfig, providers: packages.isEmpty ? nil : packages)
}

// MARK: Libraries of the system

let systemLibraries = [
    system("Curl", "Transports/Curl/Library", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    system("TLS", "Transports/Curl/TLSLibrary", pkgConfig: "libssl", apt: "libssl-dev"),
    system("Crypto", "Bindings/Crypto/Library", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    system("SQLite", "Bindings/SQLite/Library", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    system(
        "Microhttpd", "Bindings/Microhttpd/Library", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    system("Argon2", "Bindings/Argon2/Library", pkgConfig: "libargon2", apt: "libargon2-dev", brew: "argon2"),
    system("Crypt", "Bindings/Crypt/Library", pkgConfig: "libcrypt", apt: "libcrypt-dev", brew: "libxcrypt"),
    system("Postgres", "Bindings/Postgres/Library", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
    system("QRCode", "Bindings/QRCode/Library", pkgConfig: "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
    // It brings no file for pkg-config, and Homebrew has no formula of it.
    system("Zxcvbn", "Bindings/Zxcvbn/Library", apt: "libzxcvbn-dev"),
    system("System", "Bindings/System/Library"),
]

// An app for Apple systems must say why it calls `stat`. Elsewhere a resource would bring Foundation's Bundle with it.
#if canImport(Darwin)
let privacyManifest: (exclude: [String], resources: [Resource]?) = ([], [.copy("PrivacyInfo.xcprivacy")])
#else
let privacyManifest: (exclude: [String], resources: [Resource]?) = (["PrivacyInfo.xcprivacy"], nil)
#endif

let bindings = [
    .target(
        name: "LockstepSystem", dependencies: ["CLockstepSystem"], path: "Sources/Bindings/System/Binding",
        exclude: privacyManifest.exclude, resources: privacyManifest.resources),
    // Where there is no libcrypto (iOS and its like), the digests come from CryptoKit and the rest of this target is left out.
    library("Crypto", at: "Sources/Bindings/Crypto/Binding", "CLockstepCrypto@unix Primitives"),
    library("SQLite", at: "Sources/Bindings/SQLite/Binding", "CLockstepSQLite Primitives"),
    library("Microhttpd", at: "Sources/Bindings/Microhttpd/Binding", "CLockstepMicrohttpd Primitives System"),
    library("Postgres", at: "Sources/Bindings/Postgres/Binding", "CLockstepPostgres Primitives"),
]

// MARK: What an app or a server links

let client = [
    library("Primitives", "System"),
    library("", "Primitives Crypto System"),
    library("HTTP", "Primitives"),
    library("Wire", "Lockstep HTTP Primitives Crypto"),
    // On Linux libcurl speaks TLS by OpenSSL, some of whose settings it does not hand through.
    library("Curl", at: "Sources/Transports/Curl/Transport", "CLockstepCurl CLockstepTLS@linux HTTP Primitives System"),
    library("URLSession", at: "Sources/Transports/URLSession", "HTTP Primitives"),
    library("KeychainStore", at: "Sources/Stores/KeychainStore", "Lockstep Primitives System"),
    library("SQLiteStore", at: "Sources/Stores/SQLiteStore", "Lockstep Primitives SQLite Crypto System"),
    library("PostgresStore", at: "Sources/Stores/PostgresStore", "Lockstep Primitives Postgres Crypto System"),
    // The store and the transport that an app takes by default. What the platform does not use is not built.
    library("Platform", "Lockstep HTTP Wire Primitives System URLSession@apple KeychainStore@apple Curl@linux"),
    // The sessions that the vendors' own SDKs have left on the device.
    library("VendorSessions", "Platform Lockstep KeychainStore Primitives System Wire"),

    // The screens of an app without the drawing, the system's sheets for them, and what needs a library of the system.
    library("Models", "Lockstep"),
    library("AppleSheets", "Models Lockstep"),
    library("PasswordStrength", "CLockstepZxcvbn@linux Models Primitives"),
    library("ModelPreviews", "Models Lockstep InMemory"),
]

let server = [
    library("Tokens", "Primitives Crypto"),
    library("Passwords", "CLockstepArgon2 CLockstepCrypt Primitives Crypto"),
    library("Verifier", "Lockstep Primitives HTTP Wire Tokens Crypto"),
    library("VerifierTestSupport", "Verifier HTTP Tokens Primitives Lockstep Wire"),
    // The one list of the fields of an administrator's user: below directories and emulators, and in no app.
    library("UserFields", "Primitives"),
    library("Directory", "Lockstep Primitives Wire UserFields"),
    library(
        "GoTrueDatabase", at: "Adapters/GoTrue/Database",
        "GoTrueDirectory Directory Wire Lockstep Primitives Passwords Postgres System"),
    // The engine of a move of users: no backend, and no database but its own.
    library("Migration", "Directory UserFields Passwords SQLite Crypto System Primitives Lockstep"),
]

// MARK: Providers

let adapters = providers.flatMap { provider in
    [
        library(
            provider, at: "Adapters/\(provider)/Adapter",
            // The accounts of clerk-ios contain a digest.
            "Lockstep HTTP Primitives Wire" + (provider == "Clerk" ? " Crypto" : "")),
        library(
            "\(provider)Directory", at: "Adapters/\(provider)/Directory",
            // Service accounts sign their grants.
            "\(provider) Directory Wire Lockstep HTTP Primitives Passwords" + (provider == "Firebase" ? " Tokens" : "")),
        library(
            "\(provider)Emulator", at: "Adapters/\(provider)/Emulator",
            "Emulation Primitives TestSupport Tokens Passwords SQLite Crypto"),
    ]
}

let emulation = [
    // What tests and emulators share, and no app links: clocks that are moved, randomness that a seed decides.
    library("TestSupport", "Primitives"),
    library("Emulation", "Primitives UserFields TestSupport Microhttpd SQLite Crypto System Tokens Passwords"),
    // Beside the emulator, so that tests of an app link no client of a database.
    library("GoTrueEmulatorDatabase", at: "Adapters/GoTrue/EmulatorDatabase", "Emulation Postgres SQLite Primitives"),
    library("InMemory", at: "Adapters/InMemory/Adapter", "Lockstep Primitives"),
    library("InMemoryHarness", at: "Adapters/InMemory/Harness", "Lockstep Primitives TestSupport InMemory Contracts"),
]

// MARK: Contracts

let contracts = [
    library("Contracts", at: "Contracts/Suite", "Lockstep Primitives TestSupport"),
    library("Mutants", at: "Contracts/Mutants", "Lockstep Primitives Contracts"),
    library("TransportContracts", at: "Contracts/TransportContracts", "Contracts HTTP Primitives System"),
    library("DirectoryContracts", at: "Contracts/DirectoryContracts", "Contracts Directory Lockstep Primitives"),
    library("TestConcurrency", at: "Contracts/TestConcurrency", "System"),
    library(
        "ContractsTesting", at: "Contracts/ContractsTesting", "Contracts TransportContracts DirectoryContracts TestConcurrency"),
    library(
        "EmulatorTestSupport", at: "Contracts/EmulatorTestSupport",
        "Lockstep Primitives HTTP Curl Contracts Emulation Tokens Crypto"),
    // A real server for as long as a process lives: of tests, and of a rehearsed move.
    library("PostgresServer", at: "Contracts/PostgresServer", "Primitives System"),
    library(
        "StoreHarnesses", at: "Contracts/StoreHarnesses",
        "Lockstep Primitives Contracts System SQLite SQLiteStore PostgresStore PostgresServer"),
    // Each provider's adapter on its emulator.
    library(
        "Harnesses", at: "Contracts/Harnesses",
        "Lockstep Primitives TestSupport HTTP Curl Contracts EmulatorTestSupport Emulation Tokens \(ofEach("", "Emulator"))"),
]

// MARK: The command

let command = [
    // Each backend as the target of a move: what it accepts, and its facts for a plan.
    library("MoveTargets", "Migration Directory Passwords Primitives \(ofEach("Directory")) GoTrueDatabase"),
    // Pages for people beside the emulators, on a port of their own.
    library("Dashboard", "CLockstepQRCode Crypto Emulation Primitives System Tokens"),
    // What a real project allows, judged: rules and requests, and no client.
    library("Doctor", "HTTP Primitives"),
    library("Comparison", "Lockstep Primitives TestSupport Contracts Models EmulatorTestSupport"),
    .executableTarget(
        name: "LockstepCLI",
        dependencies: dependencies(
            """
            Lockstep Primitives HTTP Curl Contracts Comparison Emulation System Models PasswordStrength EmulatorTestSupport \
            InMemoryHarness TestSupport Passwords Crypto Migration MoveTargets Directory UserFields \(ofEach("Directory")) \
            GoTrueDatabase \
            Dashboard GoTrueEmulatorDatabase PostgresServer Verifier Doctor Wire Harnesses \(ofEach("", "Emulator"))
            """),
        path: "Sources/LockstepCLI", plugins: ["BuildCommit"]),
    // Writes the release and the commit of the working folder into a source file of the command, at each build.
    .plugin(name: "BuildCommit", capability: .buildTool(), path: "Sources/BuildCommit"),
]

// MARK: What the tests and the Makefile start, and no product contains

/// The programs of Tests/Lab/Benchmarks that are no Swift.
let benchmarkScripts = [
    "Commands/run", "Dashboard/run", "Emulators/run", "Emulators/gotrue", "Moves/run", "Postgres/run", "Requests/run",
    "Seeds/run",
    "Sessions/run", "SignIns/run", "Stores/run", "Tokens/run", "Transport/run", "Transport/Baseline", "Walks/run",
].map { "Benchmarks/\($0)" }

let laboratory: [Target] = [
    // Recorded conversations, had again by the tests and by `make recordings`.
    library(
        "Recordings", at: "Tests/Recordings",
        "Primitives TestSupport HTTP Curl Tokens Crypto System Emulation EmulatorTestSupport GoTrueEmulator FirebaseEmulator"),
    // The processes that tests of stores and transports start and kill. It links no emulator.
    .executableTarget(
        name: "lockstep-worker",
        dependencies: dependencies(
            "Primitives System HTTP Curl URLSession Contracts Mutants StoreHarnesses Platform GoTrue"),
        path: "Tests/Worker"),
    .executableTarget(
        name: "lockstep-lab",
        dependencies: dependencies(
            """
            Lockstep Primitives TestSupport System HTTP Curl URLSession InMemory SQLite SQLiteStore Postgres PostgresStore Emulation \
            Tokens Contracts Mutants StoreHarnesses Recordings InMemoryHarness Directory Verifier VerifierTestSupport \
            EmulatorTestSupport Migration MoveTargets Passwords GoTrueDatabase GoTrueEmulatorDatabase \
            \(ofEach("", "Emulator", "Directory"))
            """),
        path: "Tests/Lab", exclude: benchmarkScripts),
]

// MARK: Tests

/// The targets that LOCKSTEP_TESTS names.
let chosen = (Context.environment["LOCKSTEP_TESTS"] ?? "").split(separator: " ").map(String.init)
/// What the tests of the models need to run on the emulators too; a short build takes it only if it names it.
let withEmulators = chosen.isEmpty || chosen.contains("LockstepHarnesses") ? "Harnesses EmulatorTestSupport" : ""

let testTargets =
    [
        // The bindings, and what stands on them alone.
        tests("LibraryTests", "Crypto SQLite Microhttpd System Postgres HTTP Tokens Passwords StoreHarnesses"),
        tests("LockstepTests", "Lockstep System InMemory Wire HTTP Contracts"),
        tests(
            "LockstepModelsTests",
            "Models ModelPreviews AppleSheets PasswordStrength Lockstep InMemory Contracts InMemoryHarness System \(withEmulators)"
        ),
        tests(
            "StoreTests",
            "Lockstep System SQLite SQLiteStore KeychainStore PostgresStore Contracts StoreHarnesses InMemory lockstep-worker"),
        tests(
            "TransportTests",
            "Curl URLSession HTTP System TransportContracts ContractsTesting Platform Lockstep InMemory StoreHarnesses GoTrueEmulator lockstep-worker"
        ),
        tests("ContractTests", "Lockstep Contracts Mutants ContractsTesting InMemoryHarness StoreHarnesses lockstep-worker"),
        tests(
            "ProviderContractTests",
            """
            Lockstep Contracts Mutants ContractsTesting Harnesses StoreHarnesses System Tokens EmulatorTestSupport HTTP Curl Wire \
            \(ofEach("", "Emulator"))
            """),
        tests("LockstepVerifierTests", "Verifier VerifierTestSupport Tokens Lockstep HTTP Curl Emulation \(ofEach("Emulator"))"),
        tests(
            "LockstepVendorSessionsTests",
            "VendorSessions KeychainStore Lockstep Contracts Crypto Curl HTTP Emulation System Wire Verifier \(ofEach("", "Emulator"))"
        ),
        tests("LockstepEmulationTests", "Emulation System SQLite Tokens Passwords Crypto"),
        tests("LockstepDashboardTests", "Dashboard Emulation HTTP Curl System \(ofEach("Emulator"))"),
        tests(
            "DirectoryTests",
            """
            DirectoryContracts ContractsTesting HTTP Curl Emulation EmulatorTestSupport Tokens GoTrueDatabase StoreHarnesses Postgres \
            GoTrueEmulatorDatabase \(ofEach("", "Emulator", "Directory"))
            """),
        tests(
            "MigrationTests",
            """
            Migration Directory System Curl Emulation SQLite GoTrueDatabase GoTrueEmulatorDatabase StoreHarnesses Contracts \
            EmulatorTestSupport Passwords HTTP Tokens LockstepCLI MoveTargets \(ofEach("", "Emulator", "Directory"))
            """),
        tests(
            "CommandTests",
            """
            System Curl HTTP Crypto Comparison Contracts InMemoryHarness PostgresServer Doctor FirebaseDirectory EmulatorTestSupport \
            Emulation Lockstep LockstepCLI
            """),
        tests("LabTests", "lockstep-lab lockstep-worker Recordings"),
        // They start the command, and build a package that uses the products.
        tests("HouseTests", "System LockstepCLI"),
    ]
    + providers.flatMap { provider in
        [
            // What no contract of all providers speaks of is driven on an adapter's own emulator.
            tests(
                "Lockstep\(provider)Tests",
                """
                \(provider) \(provider)Emulator \(provider)Directory Lockstep HTTP Wire Emulation Tokens Curl EmulatorTestSupport \
                Directory \(provider == "GoTrue" ? "Recordings" : "")
                """),
            tests(
                "Lockstep\(provider)EmulatorTests",
                """
                \(provider)Emulator Emulation Tokens HTTP Curl Crypto SQLite EmulatorTestSupport Recordings \
                \(provider == "GoTrue" ? "GoTrueEmulatorDatabase PostgresServer" : "")
                """),
        ]
    }

// MARK: Products, by who uses them (docs/README.md); an app that takes the core, a transport and one adapter builds nothing else

/// `name`: the product, which is its first target; `others`: what it brings with it.
func product(_ name: String, _ others: String...) -> Product {
    .library(name: "Lockstep\(name)", targets: ([name] + others).map { "Lockstep\($0)" })
}

let forApps =
    ["", "Platform", "Models", "AppleSheets", "PasswordStrength", "Curl", "URLSession", "KeychainStore", "VendorSessions"].map {
        product($0)
    }
    + providers.map { product($0) }
let forServers =
    ["SQLiteStore", "PostgresStore", "GoTrueDatabase", "Migration", "Passwords"].map { product($0) }
    + providers.map { product("\($0)Directory") } + [product("Directory", "UserFields"), product("Verifier", "Tokens")]
let forAdapterAuthors = [
    product("ContractsTesting"), product("EmulatorTestSupport"), product("Emulation"), product("Wire", "HTTP"),
    product("Contracts", "TransportContracts", "DirectoryContracts"),
]
let forTestAuthors =
    ["InMemory", "ModelPreviews", "TestSupport", "VerifierTestSupport"].map { product($0) }
    + providers.map { product("\($0)Emulator") }
    + [product("Harnesses", "InMemoryHarness"), .executable(name: "lockstep", targets: ["LockstepCLI"])]

let package = Package(
    name: "lockstep",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: forApps + forServers + forAdapterAuthors + forTestAuthors,
    targets: systemLibraries + bindings + client + server + adapters + emulation + contracts + command + laboratory + testTargets,
    swiftLanguageModes: [.v6])

/// LOCKSTEP_TESTS names targets: nothing else than these and what they need is built (`LOCKSTEP_TESTS='LockstepTests StoreTests' swift
/// test`), while `swift test --filter` first builds every target. Without the variable the package is whole.
if !chosen.isEmpty {
    var (needed, waiting): (Set<String>, [String]) = ([], chosen)
    while let name = waiting.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { waiting.append(dependency) }
    }
    package.targets.removeAll { !needed.contains($0.name) && $0.type != .plugin }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !needed.isSuperset(of: targets)
    }
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
