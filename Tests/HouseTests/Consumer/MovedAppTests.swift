import Foundation
import Testing

/// The steps of docs/coming-from.md, done on an app of each vendor's SDK.
@Suite("Apps that leave a vendor's SDK")
struct MovedAppTests {
    /// Both apps compile, and each call is replaced as the table of the page says.
    @Test(arguments: MovedApp.all.map(\.vendor))
    func callsAreReplacedAsThePageSays(_ vendor: String) throws {
        let app = try #require(MovedApp.all.first { $0.vendor == vendor })
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-moved-\(vendor)-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [("Before", app.before), ("After", app.after)] {
            let file = folder.appendingPathComponent("\(name).swift")
            try text.write(to: file, atomically: true, encoding: .utf8)
            let (status, output) = try Compiler.typeCheck([file.path], module: name, isOfPackage: false)
            #expect(status == 0, "\(output.prefix(4000))")
        }
        let table = try Self.table()
        let column = try #require(table[0].firstIndex(of: vendor))
        for line in app.lines {
            let row = try #require(table.first { $0[0] == line.row }, "the page has no row \(line.row)")
            for (cell, code) in [(row[column], line.before), (row[row.count - 1], line.after)] {
                let missing = Self.calls(in: cell).filter { !code.contains($0) }
                #expect(missing.isEmpty, "\(line.row): \(missing) of the page is not in \(code)")
            }
        }
    }

    /// The cells of the page's table of calls.
    private static func table() throws -> [[String]] {
        let page = try String(contentsOf: House.root.appendingPathComponent("docs/coming-from.md"), encoding: .utf8)
        let lines = page.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| you want |") })
        return lines[start...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The names in a cell, such as `signIn(` and `.emailLink(`.
    private static func calls(in cell: String) -> [String] {
        cell.matches(of: /`(?<code>[^`]+)`/).flatMap { code in
            let text = String(code.output.code)
            let calls = text.matches(of: /[A-Za-z]+\(/).map { String($0.output) }
            return calls.isEmpty ? [String(text.split(separator: ".").last ?? "")] : calls
        }
    }
}
