import Foundation
import LockstepSystem
import Testing

/// A package that depends on this one by its products, like a user's package.
///
/// It has an app for each backend, a target for each page with snippets, which declares only the products that the page names,
/// and a program for each page that connects code to the emulators.
///
/// It is built once for all tests.
struct ConsumerPackage: Sendable {
    /// The output of a failed build; `nil` if everything compiles.
    let failure: String?
    /// The build of an app with all products for apps, in a root without server headers.
    let withoutServers: (status: Int32, output: String)
    /// Next to the products of the project, so that a second run builds only changes.
    private static let folder = House.root.appendingPathComponent(".build/consumer").path

    /// The package, built at its first use.
    static func built() async throws -> ConsumerPackage { try await building.value }

    private static let building = Task { try await ConsumerPackage() }

    private init() async throws {
        var targets: [String] = []
        var written: Set<String> = []
        for app in ReadmeApp.all {
            try Self.write(app.main(), to: "Sources/\(app.name)/main.swift", &written)
            try Self.write(ReadmeApp.surroundings, to: "Sources/\(app.name)/Surroundings.swift", &written)
            targets.append(
                Self.target(
                    "executableTarget", app.name, ["Lockstep", "LockstepPlatform", "LockstepModels", "LockstepCurl", app.product])
            )
        }
        let products = try Self.productsForApps()
        let imports = products.map { "import \($0)\n" }.joined()
        try Self.write(imports + "print(\"built\")\n", to: "Sources/\(Self.everyProduct)/main.swift", &written)
        targets.append(Self.target("executableTarget", Self.everyProduct, products))
        try Self.write(FirstApp.main(), to: "Sources/\(FirstApp.name)/main.swift", &written)
        targets.append(Self.target("executableTarget", FirstApp.name, FirstApp.products))
        for app in ConnectedApp.all {
            try Self.write(app.main(), to: "Sources/\(app.name)/main.swift", &written)
            targets.append(Self.target("executableTarget", app.name, app.products))
        }
        for page in SnippetPage.all where page.path != "README.md" {
            try Self.write(try page.source(), to: "Sources/\(page.target)/Page.swift", &written)
            for file in page.files {
                let text = try String(contentsOf: House.root.appendingPathComponent(file), encoding: .utf8)
                try Self.write(text, to: "Sources/\(page.target)/\(file.split(separator: "/").last ?? "")", &written)
            }
            targets.append(Self.target("target", page.target, page.products, page.settings))
        }
        targets += try Self.writeExample(&written) + Self.writeSheets(&written)
        try Self.write(Self.manifest(targets), to: "Package.swift", &written)
        try Self.removeSources(but: written)
        // An earlier run has left the stand-in of AuthenticationServices there, and perhaps the sheets that used it.
        for name in ["AuthenticationServices", "LockstepAppleSheets"] {
            try? FileManager.default.removeItem(atPath: "\(Self.folder)/build/debug/Modules/\(name).swiftmodule")
        }
        // This build comes first. Otherwise it would not build products that are already built.
        let app = try await ChildProcess.run(
            House.root.appendingPathComponent(".ci/without-servers").path,
            [Self.swift, "build"] + Self.options + ["--product", Self.everyProduct], environment: Self.environment,
            within: .seconds(1200))
        withoutServers = (app.status, String(decoding: app.output + app.errors, as: UTF8.self))
        let build = try await ChildProcess.run(
            Self.swift, ["build"] + Self.options, environment: Self.environment, within: .seconds(1200))
        failure = build.status == 0 ? nil : Self.errors(of: String(decoding: build.output + build.errors, as: UTF8.self))
    }

    /// The program that imports every product for apps.
    static let everyProduct = "EveryProductForApps"

    /// The products for apps, as in docs/README.md.
    ///
    /// zxcvbn is a separate library for apps on Linux that use it.
    private static func productsForApps() throws -> [String] {
        let page = try String(contentsOf: House.root.appendingPathComponent("docs/README.md"), encoding: .utf8)
        let part = page.components(separatedBy: "\n### Apps\n").last?.components(separatedBy: "\n### Servers\n").first ?? ""
        let products = part.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.hasPrefix("Lockstep") }
        }
        return products.filter { $0 != "LockstepPasswordStrength" }
    }

    /// The views of Examples/SwiftUI, compiled with stand-ins for the names of SwiftUI.
    ///
    /// - Returns: the targets.
    private static func writeExample(_ written: inout Set<String>) throws -> [String] {
        let standIn = House.root.appendingPathComponent("Tests/Fixtures/SwiftUIStandIn.swift")
        try write(String(contentsOf: standIn, encoding: .utf8), to: "Sources/SwiftUI/SwiftUI.swift", &written)
        let folder = House.root.appendingPathComponent("Examples/SwiftUI")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" {
            try write(String(contentsOf: file, encoding: .utf8), to: "Sources/ExampleSwiftUI/\(file.lastPathComponent)", &written)
        }
        let example = target("target", "ExampleSwiftUI", ["LockstepPlatform", "LockstepModels", "LockstepGoTrue"])
        return [
            #".target(name: "SwiftUI", swiftSettings: strict),"#,
            example.replacingOccurrences(of: "dependencies: [", with: #"dependencies: ["SwiftUI", "#),
        ]
    }

    /// The sheets of Apple systems, compiled with stand-ins of AuthenticationServices, and a program that runs them.
    ///
    /// - Returns: The targets.
    private static func writeSheets(_ written: inout Set<String>) throws -> [String] {
        func copy(_ file: String, to path: String) throws {
            try write(String(contentsOf: House.root.appendingPathComponent(file), encoding: .utf8), to: path, &written)
        }
        try copy("Tests/Fixtures/AuthenticationServicesStandIn.swift", to: "Sources/AuthenticationServices/Names.swift")
        try copy("Tests/Fixtures/AppleSheetsProgram.swift", to: "Sources/AppleSheetsProgram/AppleSheetsProgram.swift")
        let folder = "Sources/LockstepAppleSheets"
        for file in try FileManager.default.contentsOfDirectory(atPath: House.root.appendingPathComponent(folder).path)
        where file.hasSuffix(".swift") {
            try copy("\(folder)/\(file)", to: "Sources/AppleSheetsOnStandIns/\(file)")
        }
        let settings = [
            #".enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("ExistentialAny")"#,
            ".strictMemorySafety(), .treatAllWarnings(as: .error)",
        ]
        let sheets = target("target", "AppleSheetsOnStandIns", ["Lockstep", "LockstepModels"], settings)
        let program = target("executableTarget", "AppleSheetsProgram", ["Lockstep"], settings)
        return [
            #".target(name: "AuthenticationServices", swiftSettings: strict),"#,
            sheets.replacingOccurrences(of: "dependencies: [", with: #"dependencies: ["AuthenticationServices", "#),
            program.replacingOccurrences(
                of: "dependencies: [", with: #"dependencies: ["AuthenticationServices", "AppleSheetsOnStandIns", "#),
        ]
    }

    /// The lines that name an error and its place, or all lines if there are none.
    private static func errors(of text: String) -> String {
        let lines = text.split(separator: "\n")
        let errors = lines.filter { $0.contains(": error: ") }
        return (errors.isEmpty ? lines : errors).suffix(40).joined(separator: "\n")
    }

    private static let options = [
        "--package-path", folder, "--scratch-path", folder + "/build", "--disable-index-store", "-debug-info-format", "none",
        "-q",
    ]

    /// The variables of this process without LOCKSTEP_TESTS, which removes products.
    private static let environment = ProcessInfo.processInfo.environment.filter { $0.key != "LOCKSTEP_TESTS" }

    /// The command line of `swift run` in the package, without the name of a program.
    var swiftRun: [String] { [Self.swift, "run"] + Self.options }

    private static let swift = House.root.appendingPathComponent(".ci/swift").path

    /// Builds `lockstep`, a product of the package's dependency.
    func buildCommand() async throws {
        let build = try await ChildProcess.run(
            Self.swift, ["build"] + Self.options + ["--product", "lockstep"], environment: Self.environment,
            within: .seconds(1200))
        if build.status != 0 { Issue.record("\(Self.errors(of: String(decoding: build.output + build.errors, as: UTF8.self)))") }
    }

    /// A program of the package.
    func program(_ name: String) -> String { "\(Self.folder)/build/debug/\(name)" }

    /// Writes a file only if it has changed, so that it is not compiled again.
    private static func write(_ text: String, to path: String, _ written: inout Set<String>) throws {
        written.insert(path)
        let file = URL(fileURLWithPath: "\(folder)/\(path)")
        if let there = try? String(contentsOf: file, encoding: .utf8), there == text { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// Removes files of an earlier run that no file has replaced.
    private static func removeSources(but written: Set<String>) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder + "/Sources")
        where path.hasSuffix(".swift") && !written.contains("Sources/" + path) {
            try FileManager.default.removeItem(atPath: folder + "/Sources/" + path)
        }
    }

    private static func target(_ kind: String, _ name: String, _ products: [String], _ settings: [String] = []) -> String {
        let products = products.map { #".product(name: "\#($0)", package: "lockstep")"# }.joined(separator: ", ")
        return
            #".\#(kind)(name: "\#(name)", dependencies: [\#(products)], swiftSettings: strict + [\#(settings.joined(separator: ", "))]),"#
    }

    private static func manifest(_ targets: [String]) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let strict: [SwiftSetting] = [
            .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
        ]
        let package = Package(
            name: "Consumer", platforms: [.macOS(.v15)],
            dependencies: [.package(name: "lockstep", path: "\(House.root.path)")],
            targets: [
                \(targets.joined(separator: "\n        "))
            ])
        """
    }
}
