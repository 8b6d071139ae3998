import Foundation

/// The products that need no system library on iOS and similar systems, according to Package.swift and the sources.
struct AppleProducts {
    /// The package with its targets.
    let manifest: Manifest
    private let sources: [House.File]
    /// The types that these systems lack, because they need libcrypto or start a process.
    let absentTypes: Set<String>

    static let platforms = ["ios", "tvos", "watchos", "visionos"]
    /// The first condition of a file that those systems leave out.
    private static let absent = ["#if canImport(CLockstepCrypto)", "#if !os(tvOS) && !os(watchOS)"]
    private static let others = ["#if os(Linux)", "#if os(Linux) || os(macOS)"]

    init(_ manifest: Manifest, sources: [House.File]) {
        self.manifest = manifest
        self.sources = sources
        let files = sources.filter { $0.path.hasPrefix("Sources/Bindings/") && Self.absent.contains($0.condition) }
        absentTypes = Set(
            // A nested type is indented, and has the name of its outer type, too.
            files.flatMap(\.lines).compactMap {
                $0.firstMatch(of: /^public (?:struct|enum|(?:final )?class|actor) (\w+)/).map { String($0.1) }
            })
    }

    /// The names of the products, sorted.
    func names() -> [String] {
        let faulty = Set(manifest.targets.filter { !faults(of: $0).isEmpty }.map(\.name))
        return manifest.products.filter { product in
            Self.platforms.allSatisfy { platform in
                product.targets.allSatisfy { target in
                    faulty.isDisjoint(with: manifest.reach(of: target, on: platform).keys) && !faulty.contains(target)
                }
            }
        }
        .map(\.name).sorted()
    }

    /// The reasons why a target does not work on those systems: a library, or a file that names a missing type.
    func faults(of target: Manifest.Target) -> [String] {
        // The project's own C functions need a header and no library.
        if target.name == "CLockstepSystem" { return [] }
        if target.type == "system" { return ["\(target.name) is a library of the system"] }
        return sources.filter { $0.path.hasPrefix(target.path + "/") && !(Self.absent + Self.others).contains($0.condition) }
            .flatMap { file in
                file.code.flatMap { code in
                    code.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter { absentTypes.contains(String($0)) }
                        .map { "\(file.path):\(code.line) names \($0)" }
                }
            }
    }
}

extension House.File {
    /// The condition that holds the whole file; empty if there is none.
    fileprivate var condition: String {
        let first = code.first { !$0.text.isEmpty }?.text ?? ""
        return first.hasPrefix("#if ") ? first : ""
    }
}
