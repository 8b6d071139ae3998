import Foundation
import LockstepSystem
import Testing

/// The package as `swift package dump-package` describes it: its targets with what they depend on, and its products.
struct Manifest: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String
        var dependencies: Set<String>

        private enum Key: String, CodingKey { case name, type, path, dependencies }

        /// A dependency is written as `{"byName": [name, condition]}`.
        private struct Dependency: Decodable {
            let name: String
            private enum Key: String, CodingKey { case byName }

            init(from decoder: any Decoder) throws {
                var parts = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .byName)
                name = try parts.decode(String.self)
            }
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            name = try members.decode(String.self, forKey: .name)
            type = try members.decode(String.self, forKey: .type)
            path = try members.decode(String.self, forKey: .path)
            dependencies = Set(try members.decode([Dependency].self, forKey: .dependencies).map(\.name))
        }
    }

    struct Product: Decodable {
        let name: String
        let targets: [String]
    }

    var targets: [Target]
    let products: [Product]

    /// The manifest of this package.
    ///
    /// All tests share one dump.
    static func current() async throws -> Manifest { try await dump.value }

    // The dump has a scratch folder of its own, because `swift test` locks the package's own. `LOCKSTEP_TESTS` would shorten it.
    private static let dump = Task {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-manifest-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let outcome = try await ChildProcess.run(
            "swift", ["package", "--package-path", House.root.path, "--scratch-path", scratch, "dump-package"],
            environment: ProcessInfo.processInfo.environment.filter { $0.key != "LOCKSTEP_TESTS" }, within: .seconds(300))
        try #require(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
        return try JSONDecoder().decode(Manifest.self, from: Data(outcome.output))
    }
}

extension Manifest {
    /// The targets that `target` depends on, directly or through others, each with the shortest way to it.
    func reach(of target: String) -> [String: [String]] {
        let dependencies = Dictionary(targets.map { ($0.name, $0.dependencies) }, uniquingKeysWith: { first, _ in first })
        var ways: [String: [String]] = [:]
        var waiting = [[target]]
        while !waiting.isEmpty {
            let way = waiting.removeFirst()
            for next in dependencies[way[way.count - 1], default: []].sorted() where ways[next] == nil && next != target {
                ways[next] = way + [next]
                waiting.append(way + [next])
            }
        }
        return ways
    }
}
