import Foundation

/// The compiler, for code that is not in a file of the package.
enum Compiler {
    /// The identifier with which SwiftPM gives the targets of this package access to each other: the folder's name.
    private static var packageName: String {
        String(House.root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Checks files as one module, against the modules of the running build.
    ///
    /// - `isOfPackage`: Whether the files belong to a target, or to an app that uses the products.
    static func typeCheck(
        _ files: [String], module: String, isOfPackage: Bool = true
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        var arguments = ["swiftc", "-typecheck", "-module-name", module, "-swift-version", "6"]
        if isOfPackage {
            arguments += ["-strict-memory-safety", "-package-name", packageName]
            for feature in [
                "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
            ] {
                arguments += ["-enable-upcoming-feature", feature]
            }
        }
        let build = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        arguments += ["-I", build.appendingPathComponent("Modules").path]
        let bindings = House.root.appendingPathComponent("Sources/Bindings")
        for case let file as URL in FileManager.default.enumerator(at: bindings, includingPropertiesForKeys: nil) ?? .init()
        where file.lastPathComponent == "module.modulemap" {
            arguments += ["-Xcc", "-fmodule-map-file=\(file.path)"]
        }
        process.arguments = arguments + files
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
