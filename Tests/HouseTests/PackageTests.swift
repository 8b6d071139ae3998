import Foundation
import Testing

/// The parts of the package and its products.
@Suite("The package")
struct PackageTests {
    @Test func eachProductIsOnThePage() async throws {
        let manifest = try await Manifest.current()
        let page = try String(contentsOf: House.root.appendingPathComponent("docs/README.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.first?.isLetter == true }
        }
        #expect(named.sorted() == manifest.products.map(\.name).sorted(), "docs/README.md names each product once")
    }

    @Test(arguments: ForbiddenEdge.all)
    func noTargetReachesAForbiddenTarget(_ edge: ForbiddenEdge) async throws {
        let manifest = try await Manifest.current()
        for way in edge.ways(in: manifest) { Issue.record("\(way)") }
        let names = manifest.targets.map(\.name)
        for pattern in edge.from + edge.to + edge.except {
            #expect(names.contains { ForbiddenEdge.matches($0, [pattern]) }, "no target has the name \"\(pattern)\"")
        }
    }

    /// Adds each forbidden dependency between two targets, one at a time.
    @Test(arguments: ForbiddenEdge.all)
    func forbiddenDependenciesAreFound(_ edge: ForbiddenEdge) async throws {
        let manifest = try await Manifest.current()
        let names = manifest.targets.map(\.name)
        var planted = 0
        for (place, start) in names.enumerated() where edge.begins(at: start) {
            for end in names where end != start && edge.forbids(end) {
                var changed = manifest
                changed.targets[place].dependencies.insert(end)
                planted += 1
                #expect(edge.ways(in: changed).contains { $0.hasPrefix("\(start) > \(end):") }, "\(start) > \(end)")
            }
        }
        #expect(planted > 0)
    }

    /// One target calls a library, in one folder that can use unsafe memory.
    @Test func eachSystemLibraryHasOneBinding() async throws {
        let manifest = try await Manifest.current()
        for library in manifest.targets where library.type == "system" {
            let users = manifest.targets.filter { $0.dependencies.contains(library.name) }
            #expect(users.count == 1, "\(library.name): \(users.map(\.name))")
            for target in users {
                let files = try House.files(below: [target.path]).filter { $0.imports.contains { $0.module == library.name } }
                #expect(!files.isEmpty, "\(target.name) does not import \(library.name)")
                for file in files where !House.bindings.contains(where: file.path.hasPrefix) {
                    Issue.record("\(file.path) imports \(library.name) outside a binding")
                }
            }
        }
    }
}
