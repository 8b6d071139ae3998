import Foundation
import LockstepSystem

/// The public names of a module, one declaration a line, read from its symbol graph.
///
/// A line is the path of a symbol, a tabulator, and its declaration; or a type, a tabulator, and a protocol that it conforms to.
struct PublicAPI: Equatable {
    var lines: Set<String>

    init(text: String) { lines = Set(text.split(separator: "\n").map(String.init)) }

    var text: String { lines.sorted().map { $0 + "\n" }.joined() }

    /// Returns the declarations of `self` that `other` lacks, by name.
    func breakages(in other: PublicAPI) -> [String] {
        func path(_ line: String) -> Substring { line.prefix { $0 != "\t" } }
        let added = Dictionary(grouping: other.lines.subtracting(lines), by: path)
        return lines.subtracting(other.lines).sorted().map { line in
            let declaration = line.dropFirst(path(line).count + 1)
            // A conformance has a colon before the protocol.
            if declaration.hasPrefix(": ") { return "\(path(line)) no longer conforms to \(declaration.dropFirst(2))" }
            let now = added[path(line), default: []].map { $0.dropFirst(path(line).count + 1) }.filter { !$0.hasPrefix(": ") }
            return now.isEmpty
                ? "\(path(line)) is gone: \(declaration)"
                : "\(path(line)) was: \(declaration) - is: \(now.sorted().joined(separator: " | "))"
        }
    }
}

extension PublicAPI {
    /// Part of a symbol graph file.
    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Identifier: Decodable { let precise: String }
            struct Fragment: Decodable { let spelling: String }
            let identifier: Identifier
            let pathComponents: [String]
            let declarationFragments: [Fragment]
        }

        struct Relationship: Decodable {
            let kind: String
            let source: String
            let target: String
            let targetFallback: String?
        }

        let symbols: [Symbol]
        let relationships: [Relationship]
    }

    /// Reads the public symbols of a built module.
    ///
    /// - Parameters:
    ///   - module: The module's name.
    ///   - folder: The build folder, which has the module in `Modules`.
    ///   - flags: What the compiler needs to find the libraries of the system.
    /// - Throws: An error if the compiler's tool cannot read the module.
    init(module: String, in folder: String, flags: [String]) async throws {
        let output = try Folder.makeTemporary(prefix: "lockstep-api")
        defer { try? FileManager.default.removeItem(atPath: output) }
        let target = try await Self.target()
        let outcome = try await ChildProcess.run(
            "swift-symbolgraph-extract",
            [
                "-module-name", module, "-I", folder + "/Modules", "-target", target, "-output-dir", output,
                "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
            ] + flags, within: .seconds(300))
        guard outcome.status == 0 else { throw ToolFailure(words: String(decoding: outcome.errors, as: UTF8.self)) }
        lines = []
        for file in try FileManager.default.contentsOfDirectory(atPath: output) where file.hasSuffix(".symbols.json") {
            let graph = try JSONDecoder().decode(
                Graph.self, from: Data(contentsOf: URL(fileURLWithPath: "\(output)/\(file)")))
            var paths: [String: String] = [:]
            for symbol in graph.symbols {
                let path = symbol.pathComponents.joined(separator: ".")
                paths[symbol.identifier.precise] = path
                let words = symbol.declarationFragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
                lines.insert("\(path)\t\(words.joined(separator: " "))")
            }
            for relationship in graph.relationships where relationship.kind == "conformsTo" {
                guard let path = paths[relationship.source] else { continue }
                lines.insert("\(path)\t: \(paths[relationship.target] ?? relationship.targetFallback ?? relationship.target)")
            }
        }
    }

    /// The compiler options that find the system's libraries: their module maps, and the folders of their headers.
    static func flags() async throws -> [String] {
        let sources = House.root.appendingPathComponent("Sources").path
        let maps = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix("module.modulemap") }
        let folders = try await ChildProcess.run("pkg-config", ["--cflags-only-I", "libpq"]).text.split(separator: " ")
        return (maps.map { "-fmodule-map-file=\(sources)/\($0)" } + folders.map(String.init)).flatMap { ["-Xcc", $0] }
    }

    struct ToolFailure: Error, CustomStringConvertible {
        let words: String
        var description: String { words }
    }

    /// The target triple of the compiler.
    private static func target() async throws -> String {
        let outcome = try await ChildProcess.run("swiftc", ["-print-target-info"], within: .seconds(60))
        struct Info: Decodable {
            struct Target: Decodable { let unversionedTriple: String }
            let target: Target
        }
        return try JSONDecoder().decode(Info.self, from: Data(outcome.output)).target.unversionedTriple
    }
}
