import Foundation
import LockstepSystem
import Testing

/// The package as `swift package dump-package` describes it: its targets with their dependencies, and its products.
struct Manifest: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String
        var dependencies: Set<String>
        /// The platforms of a conditional dependency, by its name.
        private(set) var platforms: [String: Set<String>] = [:]

        private enum Key: String, CodingKey { case name, type, path, dependencies }

        /// The manifest contains a dependency as `{"byName": [name, condition]}`.
        private struct Dependency: Decodable {
            struct Condition: Decodable { let platformNames: Set<String> }

            let name: String
            let condition: Condition?
            private enum Key: String, CodingKey { case byName }

            init(from decoder: any Decoder) throws {
                var parts = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .byName)
                name = try parts.decode(String.self)
                condition = try parts.decodeIfPresent(Condition.self)
            }
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            name = try members.decode(String.self, forKey: .name)
            type = try members.decode(String.self, forKey: .type)
            path = try members.decode(String.self, forKey: .path)
            let all = try members.decode([Dependency].self, forKey: .dependencies)
            dependencies = Set(all.map(\.name))
            for dependency in all { platforms[dependency.name] = dependency.condition?.platformNames }
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

    // The dump uses its own scratch folder, because `swift test` locks the package's folder. `LOCKSTEP_TESTS` would shorten the
    // manifest.
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
    /// The targets that `target` depends on, directly or through others, each with the shortest path to it.
    ///
    /// - Parameters:
    ///   - target: The name of the target.
    ///   - platform: The platform, such as "ios". Default: all platforms together.
    /// - Returns: The names on the paths, from `target` on.
    func reach(of target: String, on platform: String? = nil) -> [String: [String]] {
        let pairs = targets.map { target in
            let names = target.dependencies.filter { name in
                guard let platform, let platforms = target.platforms[name] else { return true }
                return platforms.contains(platform)
            }
            return (target.name, names)
        }
        let dependencies = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
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
