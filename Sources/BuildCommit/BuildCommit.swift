import Foundation
import PackagePlugin

/// Writes the release in VERSION and the commit of this package's working folder into a source file of the command, at each build.
///
/// The manifest's `gitInformation` is not an alternative: SwiftPM caches it, so the command would name an earlier commit.
///
/// The commit is empty if the package is no working folder of git. LOCKSTEP_COMMIT names one for such a build.
@main
struct BuildCommit: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let source = context.pluginWorkDirectoryURL.appendingPathComponent("Build.swift")
        let commit = ProcessInfo.processInfo.environment["LOCKSTEP_COMMIT"] ?? Self.commit(of: context.package.directoryURL)
        let digits = String(commit.prefix(40).filter(\.isHexDigit))
        let file = context.package.directoryURL.appendingPathComponent("VERSION")
        let version = try String(contentsOf: file, encoding: .utf8).filter { $0.isASCII && !$0.isWhitespace && $0 != "\"" }
        return [
            .buildCommand(
                displayName: "Release and commit of the command", executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: [
                    "-c",
                    #"printf 'enum Build {\n    static let version = "%s"\n    static let commit = "%s"\n}\n' "$1" "$2" > "$3""#,
                    "sh", version, digits, source.path,
                ], outputFiles: [source])
        ]
    }

    /// The commit that is checked out in this folder, which must be the top of its repository.
    private static func commit(of folder: URL) -> String {
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = ["git", "-C", folder.path, "rev-parse", "--show-toplevel", "HEAD"]
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        guard (try? git.run()) != nil else { return "" }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard git.terminationStatus == 0, lines.count == 2 else { return "" }
        let top = URL(fileURLWithPath: lines[0]).resolvingSymlinksInPath()
        return top.path == folder.resolvingSymlinksInPath().path ? lines[1] : ""
    }
}
