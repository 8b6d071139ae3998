import Testing

@Suite("The import table")
struct ImportTests {
    @Test func everyFileImportsOnlyWhatItsRowAllows() throws {
        let files = try House.files(below: ["Sources", "Adapters", "Contracts"])
        #expect(files.count > 50)
        for file in files {
            let row = ImportTable.rows.first { file.path.hasPrefix($0.folder + "/") }
            guard let row else {
                Issue.record("\(file.path) belongs to no row of the import table")
                continue
            }
            for (module, line) in file.imports where !row.modules.contains(module) {
                Issue.record("\(file.path):\(line) imports \(module), which \(row.folder) may not")
            }
        }
    }

    /// What the public interface of a target names, its users can name: no import beside the product's own is needed for it.
    @Test func whatThePublicInterfaceNamesIsExported() throws {
        for row in ImportTable.rows where !row.folder.hasPrefix("Sources/Bindings/") {
            let lines = try House.files(below: [row.folder]).flatMap(\.lines)
            func modules(_ prefix: String) -> Set<String> {
                Set(lines.filter { $0.hasPrefix(prefix) }.compactMap { $0.split(separator: " ").last.map(String.init) })
            }
            let named = modules("public import Lockstep")
            let missing = named.subtracting(modules("@_exported public import Lockstep"))
            #expect(missing.isEmpty, "\(row.folder) names \(missing.sorted()) in its public interface: export each once")
        }
    }

    /// The whole of Foundation only where FoundationEssentials is not to be had: on Apple systems.
    @Test func foundationIsTheSmallOneWhereThereIsOne() throws {
        for file in try House.files(below: ["Sources", "Adapters", "Contracts"])
        where !file.path.hasPrefix("Sources/Transports/URLSession/") {
            let asks = file.lines.contains { $0.hasPrefix("#if canImport(FoundationEssentials)") }
            for (module, line) in file.imports where module == "Foundation" && !asks {
                Issue.record("\(file.path):\(line) imports all of Foundation")
            }
        }
    }
}
