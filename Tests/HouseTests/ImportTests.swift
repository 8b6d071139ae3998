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
