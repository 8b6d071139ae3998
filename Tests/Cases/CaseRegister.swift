#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cases with their tests, and the faults in the marks and the declared gaps.
public struct CaseRegister: Sendable {
    /// The part of a case that is tested.
    public enum Standing: Sendable, Hashable {
        /// The whole sentence is tested.
        case tried
        /// A part is tested, as declared.
        case partly(reason: String)
        /// Nothing is tested, as declared.
        case gap(reason: String)
        /// Nothing is tested, and no reason is declared.
        case missing
    }

    /// The faults, one sentence each with its place: unknown ids, lines above no test, undeclared gaps, wrong gaps.
    public private(set) var faults: [String] = []
    private var trials: [AttackCase.ID: [CaseMark]] = [:]
    private let gaps: [AttackCase.ID: DeclaredGap]

    /// Joins the cases with the lines that name them and with the declared gaps.
    public init(
        cases: [AttackCase] = AttackCase.all, gaps: [DeclaredGap] = DeclaredGap.all, sources: [(file: String, text: String)]
    ) {
        self.gaps = Dictionary(gaps.map { ($0.id, $0) }) { first, _ in first }
        let known = Set(cases.map(\.id))
        for (file, text) in sources {
            let found = CaseMarks(file: file, text: text)
            faults += found.malformed.map { "\(file):\($0) is not of the form `Cases: E01, E04.`" }
            for mark in found.marks {
                if mark.trial == nil { faults.append("\(file):\(mark.line) stands above no test, contract, scenario or drive") }
                for id in mark.ids where !known.contains(id) {
                    faults.append("\(file):\(mark.line) names \(id), which is no case")
                }
                if mark.trial != nil { for id in mark.ids { trials[id, default: []].append(mark) } }
            }
        }
        faults += gaps.filter { !known.contains($0.id) }.map { "the gap \($0.id) is no case" }
        faults += Dictionary(grouping: gaps, by: \.id).filter { $0.value.count > 1 }.keys.sorted().map {
            "the gap \($0) is declared twice"
        }
        for one in cases {
            switch (self.gaps[one.id]?.extent, trials[one.id]?.first) {
            case (nil, nil): faults.append("\(one.id) is tried by nothing, and is no declared gap: \(one.sentence)")
            case (.part, nil): faults.append("\(one.id) is declared as tried in part, and nothing tries it")
            case (.whole, let mark?): faults.append("\(one.id) is a declared gap, and \(mark.file):\(mark.line) tries it")
            case (nil, _?), (.part, _?), (.whole, nil): break
            }
        }
    }

    /// The tests of a case, in the order of the files.
    public func trials(of one: AttackCase) -> [CaseMark] { trials[one.id] ?? [] }

    /// The part of a case that is tested.
    public func standing(of one: AttackCase) -> Standing {
        switch (gaps[one.id], trials[one.id]) {
        case (nil, nil): .missing
        case (nil, _?): .tried
        case (let gap?, _): gap.extent == .part ? .partly(reason: gap.reason) : .gap(reason: gap.reason)
        }
    }

    /// Reads the register of a project's folder: Swift below Sources, Adapters, Contracts and Tests, and the drives of
    /// Tests/Clients.
    ///
    /// - Throws: The errors of the file system.
    public static func read(project path: String) throws -> CaseRegister {
        let project = URL(fileURLWithPath: path)
        var sources: [(file: String, text: String)] = []
        for folder in ["Adapters", "Contracts", "Sources", "Tests"] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: project.appendingPathComponent(folder).path)
            for path in paths.map({ "\(folder)/\($0)" }).sorted() where isSource(path) {
                let file = project.appendingPathComponent(path)
                guard let text = try? String(decoding: Data(contentsOf: file), as: UTF8.self) else { continue }
                sources.append((path, text))
            }
        }
        return CaseRegister(sources: sources)
    }

    private static func isSource(_ path: String) -> Bool {
        if path.hasSuffix(".swift") { return true }
        guard path.hasPrefix("Tests/Clients/") else { return false }
        let name = path.split(separator: "/").last ?? ""
        return name.hasSuffix(".py") || name.hasSuffix(".sh") || !name.contains(".")
    }
}
