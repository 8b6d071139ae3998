import Foundation
import LockstepSystem
import Testing

/// The list of docs/apple.md, the builds of `.ci/apple` and `.spi.yml` name the same products.
@Suite("Products without system libraries")
struct AppleProductsTests {
    private static func products() async throws -> AppleProducts {
        AppleProducts(try await Manifest.current(), sources: try House.files())
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func simulatorsBuildEveryAppleProduct() async throws {
        let script = House.root.appendingPathComponent(".ci/apple").path
        let outcome = try await ChildProcess.run("/bin/bash", [script, "products"])
        let built = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(built.sorted() == (try await Self.products().names()), "docs/apple.md lists them between two marks")
        let workflow = try Self.text(".github/workflows/apple.yml")
        for step in [#".ci/apple build "$SYSTEM""#, #".ci/apple test "$SYSTEM""#, "system: [iOS, tvOS, watchOS, visionOS]"] {
            #expect(workflow.contains(step), "\(step)")
        }
    }

    /// The index ignores a file of more than 1,000 bytes.
    @Test func packageIndexDocumentsEveryAppleProduct() async throws {
        let text = try Self.text(".spi.yml")
        #expect(text.utf8.count <= 1000)
        let lists = text.matches(of: /documentation_targets:\s*\[([^\]]*)\]/)
        let named = lists.flatMap { $0.1.split { ", \n".contains($0) }.map(String.init) }
        // A product that is empty on iOS has no page there.
        let expected = try await Self.products().names().filter { $0 != "LockstepPasswordStrength" }
        #expect(named.sorted() == expected)
        let built = text.matches(of: /platform: ([a-z-]+),?\s+(?:scheme|target): (\w+)/)
        #expect(built.map { String($0.1) }.sorted() == (AppleProducts.platforms + ["linux", "macos-spm"]).sorted())
        #expect(built.allSatisfy { $0.2 == "LockstepPlatform" })
    }

    /// The tests that a simulator runs are compiled for it.
    @Test(arguments: ["LockstepTests", "LockstepModelsTests", "LockstepContracts", "LockstepInMemoryHarness"])
    func appTestsNameNoMissingType(_ name: String) async throws {
        let products = try await Self.products()
        let target = try #require(products.manifest.targets.first { $0.name == name })
        for fault in products.faults(of: target) { Issue.record("\(fault)") }
    }

    @Test func plantedFaultsAreFound() async throws {
        let products = try await Self.products()
        #expect(products.absentTypes.isSuperset(of: ["AES", "RSAPublicKey", "ChildProcess"]), "\(products.absentTypes)")
        let place = try #require(products.manifest.targets.firstIndex { $0.name == "LockstepHTTP" })
        #expect(products.names().contains("LockstepURLSession"))

        var linked = products.manifest
        linked.targets[place].dependencies.insert("CLockstepSQLite")
        #expect(!AppleProducts(linked, sources: try House.files()).names().contains("LockstepURLSession"))

        let cipher = House.File(path: "Sources/LockstepHTTP/Planted.swift", text: "let key = AES(key)\n")
        let changed = AppleProducts(products.manifest, sources: try House.files() + [cipher])
        #expect(!changed.names().contains("LockstepURLSession"))
        #expect(changed.faults(of: linked.targets[place]) == ["Sources/LockstepHTTP/Planted.swift:1 names AES"])
    }
}
