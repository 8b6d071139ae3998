import Testing

/// The compiler finds a module that any target has built, so it accepts imports that Package.swift does not declare.
@Suite("Imports")
struct ImportTests {
    /// The folder of a target, and its files.
    private static func files(of target: Manifest.Target) throws -> [House.File] { try House.files(below: [target.path]) }

    @Test func everyImportIsADeclaredDependency() async throws {
        let targets = try await Manifest.current().targets
        let own = Set(targets.map(\.name))
        var count = 0
        for target in targets where target.type != "system" {
            for file in try Self.files(of: target) {
                count += 1
                for (module, line) in file.imports where own.contains(module) && !target.dependencies.contains(module) {
                    Issue.record(
                        "\(file.path):\(line) imports \(module), which Package.swift does not declare for \(target.name)")
                }
            }
        }
        #expect(count > 50)
    }

    /// An unneeded dependency hides the real ones of a target.
    ///
    /// Providers share their dependencies. At least one of them needs each.
    @Test func everyDeclaredDependencyIsImported() async throws {
        let targets = try await Manifest.current().targets
        func kind(_ name: String) -> String {
            ["Firebase", "GoTrue", "Clerk"].reduce(name) { $0.replacing($1, with: "Provider") }
        }
        // Package.swift gives the first three to every target of tests. An executable is a program that the tests start.
        let given = ["LockstepPrimitives", "LockstepTestSupport", "LockstepTestConcurrency"]
        let programs = Set(targets.filter { $0.type == "executable" }.map(\.name))
        for (target, siblings) in Dictionary(grouping: targets.filter { $0.type != "system" }, by: { kind($0.name) }) {
            let imported = Set(try siblings.flatMap(Self.files).flatMap { $0.imports.map { kind($0.module) } })
            let excused = programs.union(siblings[0].type == "test" ? given : [])
            let unused = Set(siblings.flatMap(\.dependencies)).subtracting(excused).filter { !imported.contains(kind($0)) }
            #expect(unused.isEmpty, "\(target) declares \(unused.sorted()), which none of its files imports")
        }
    }

    /// The system modules that only few targets can import.
    private static let limited: [(modules: Set<String>, folders: [String], reason: String)] = [
        (["CryptoKit"], ["Sources/Bindings/Crypto/"], "digests come from LockstepCrypto"),
        (["Security"], ["Sources/Stores/KeychainStore/"], "the Keychain has one binding"),
        (
            ["FoundationNetworking"], ["Sources/Transports/URLSession/", "Tests/TransportTests/"],
            "requests go through a transport"
        ),
        (
            ["Glibc", "Darwin", "Musl"], House.bindings + ["Tests/LibraryTests/"],
            "the system's calls belong into a binding"
        ),
        (
            ["Testing"], ["Contracts/TestConcurrency/", "Contracts/ContractsTesting/", "Tests/"],
            "no product but the bridge depends on Swift Testing"
        ),
        (["XCTest"], [], "tests are written with Swift Testing"),
    ]

    @Test func systemModulesAreImportedOnlyInTheirFolders() throws {
        for file in try House.files() {
            for (module, line) in file.imports {
                for rule in Self.limited where rule.modules.contains(module) && !rule.folders.contains(where: file.path.hasPrefix)
                {
                    Issue.record("\(file.path):\(line) imports \(module): \(rule.reason)")
                }
            }
        }
    }

    /// Bindings, stores and screens do not use Foundation.
    ///
    /// An app that needs it imports it.
    @Test func lowTargetsImportNoFoundation() throws {
        let folders =
            ["SQLite", "Microhttpd", "Postgres", "System"].map { "Sources/Bindings/\($0)" } + [
                "Sources/Transports/Curl", "Sources/Stores", "Sources/LockstepModels", "Sources/LockstepPasswordStrength",
                "Sources/LockstepModelPreviews", "Sources/LockstepTestSupport",
            ]
        for folder in folders {
            let files = try House.files(below: [folder])
            #expect(!files.isEmpty, "\(folder) has no files")
            // The Keychain's values are types of Foundation.
            for file in files where file.path != "Sources/Stores/KeychainStore/SystemKeychain.swift" {
                for (module, line) in file.imports where module.hasPrefix("Foundation") {
                    Issue.record("\(file.path):\(line) imports \(module)")
                }
            }
        }
    }

    /// Users can name every type of a target's public interface without another import.
    ///
    /// Type aliases would not do: with member import visibility, the members of an aliased type stay invisible.
    @Test func modulesOfThePublicInterfaceAreReexported() async throws {
        for target in try await Manifest.current().targets
        where !["Sources/Bindings/", "Tests/"].contains(where: target.path.hasPrefix) {
            let lines = try Self.files(of: target).flatMap(\.lines)
            func modules(_ prefix: String) -> Set<String> {
                Set(lines.filter { $0.hasPrefix(prefix) }.compactMap { $0.split(separator: " ").last.map(String.init) })
            }
            let named = modules("public import Lockstep")
            // A configuration conforms to a protocol of the wire, which an app passes and never names. The rest of that module is
            // for authors of adapters.
            let missing = named.subtracting(modules("@_exported public import Lockstep")).subtracting(["LockstepWire"])
            #expect(missing.isEmpty, "\(target.name) names \(missing.sorted()) in its public interface: export each once")
        }
    }

    /// Sources import all of Foundation only if FoundationEssentials is not available: on Apple systems.
    @Test func sourcesImportFoundationEssentials() throws {
        for file in try House.files(below: ["Sources", "Adapters", "Contracts"])
        // A plugin runs during the build of the package and starts git. No product contains it. Only Foundation has the bundle
        // identifier of an app and the types that system sheets need.
        where ![
            "Sources/Transports/URLSession/", "Sources/BuildCommit/", "Sources/LockstepPlatform/PlatformStore.swift",
            "Sources/LockstepAppleSheets/AppleSheets.swift",
        ].contains(where: file.path.hasPrefix) {
            let asks = file.lines.contains { $0.hasPrefix("#if canImport(FoundationEssentials)") }
            for (module, line) in file.imports where module == "Foundation" && !asks {
                Issue.record("\(file.path):\(line) imports all of Foundation")
            }
        }
    }
}
