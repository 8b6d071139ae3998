import Foundation
import Testing

@Suite("Concurrent tests")
struct ConcurrencyTests {
    /// A test runner starts all cases together.
    ///
    /// Suites that start servers run their cases in turn, because an ordinary user would run out of files.
    @Test func suitesThatStartServersRunTheirCasesInTurn() throws {
        let files = try House.files(below: ["Tests"])
        let folders = Dictionary(grouping: files) { file in
            // The folders of the bindings' tests are separate topics.
            file.path.split(separator: "/").prefix(file.path.hasPrefix("Tests/LibraryTests/") ? 3 : 2).joined(separator: "/")
        }
        var count = 0
        for (folder, files) in folders where folder.hasSuffix("Tests") || folder.hasPrefix("Tests/LibraryTests/") {
            let modules = Set(files.flatMap { $0.imports.map(\.module) })
            let servers: Set = ["LockstepEmulation", "LockstepMicrohttpd", "LockstepRecordings", "LockstepTransportContracts"]
            guard !modules.isDisjoint(with: servers) else { continue }
            for file in files {
                for (suite, isLimited) in Self.suites(in: file) {
                    count += 1
                    #expect(isLimited, "\(file.path): write @Suite(.limitedConcurrency) above \(suite)")
                }
            }
        }
        #expect(count > 40)
    }

    /// The types with tests at the top of a file, and whether their cases run in turn.
    private static func suites(in file: House.File) -> [(name: Substring, isLimited: Bool)] {
        var suites: [(name: Substring, isLimited: Bool)] = []
        var type: (name: Substring, isLimited: Bool)?
        var attribute: Substring = ""
        for line in file.lines {
            if line.hasPrefix("@Suite") { attribute = line }
            let words = line.split(whereSeparator: { " (:{".contains($0) })
            if let place = words.firstIndex(where: { ["struct", "class", "enum", "actor"].contains($0) }), !line.hasPrefix(" "),
                place + 1 < words.count, words[place + 1] != "func"
            {
                type = (words[place + 1], attribute.contains(".limitedConcurrency"))
                attribute = ""
            } else if line.hasPrefix("extension ") {
                type = nil
            }
            if line.drop(while: { $0 == " " }).hasPrefix("@Test"), let found = type {
                suites.append(found)
                type = nil
            }
        }
        return suites
    }
}
