#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The requirements with the tests that cover them, and what is wrong with both.
struct RequirementRegister: Sendable {
    /// Unknown ids, requirements without a test or a declared gap, and gaps that a test covers.
    private(set) var faults: [String] = []
    /// The tests of each requirement, as `file: name`.
    private(set) var tests: [Requirement.ID: [String]] = [:]
    private let gaps: [Requirement.ID: DeclaredGap]

    /// Joins the requirements with the tests whose trait `.covers` names them, and with the declared gaps.
    init(
        _ requirements: [Requirement] = Requirement.all, gaps: [DeclaredGap] = DeclaredGap.all,
        sources: [(file: String, text: String)]
    ) {
        self.gaps = Dictionary(gaps.map { ($0.id, $0) }) { first, _ in first }
        let known = Set(requirements.map(\.id))
        for (file, text) in sources {
            for match in text.matches(of: /\.covers\(([^)]*)\)[\s\S]*?func (\w+)/) {
                for id in match.1.matches(of: /"(\w+)"/).map({ String($0.1) }) {
                    tests[id, default: []].append("\(file): \(match.2)")
                    if !known.contains(id) { faults.append("\(file): \(match.2) covers \(id), which is no requirement") }
                }
            }
        }
        faults += gaps.filter { !known.contains($0.id) }.map { "the gap \($0.id) is no requirement" }
        for one in requirements {
            switch (self.gaps[one.id]?.extent, tests[one.id]) {
            case (nil, nil): faults.append("\(one.id) has no test, and is no declared gap: \(one.sentence)")
            case (.part, nil): faults.append("\(one.id) is declared as tested in part, and has no test")
            case (.whole, _?): faults.append("\(one.id) is a declared gap, and has a test")
            case (nil, _?), (.part, _?), (.whole, nil): break
            }
        }
    }

    /// Reads the tests of a project.
    ///
    /// - Throws: The errors of the file system.
    static func read(project path: String) throws -> RequirementRegister {
        let folder = URL(fileURLWithPath: path).appendingPathComponent("Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix("Tests.swift") && $0 != "LabTests/RequirementTests.swift"
        }
        return RequirementRegister(
            sources: try paths.sorted().map { path in
                (path, String(decoding: try Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self))
            })
    }

    /// The output of `make cases`.
    var text: String {
        var lines: [String] = []
        for one in Requirement.all {
            lines.append("\(one.id)  \(one.sentence)")
            lines += (tests[one.id] ?? []).map { "       \($0)" }
            if let gap = gaps[one.id] { lines.append("     \(gap.extent == .part ? "PART" : "GAP"): \(gap.reason)") }
        }
        return (lines + faults.map { "wrong: \($0)" }).joined(separator: "\n")
    }
}
