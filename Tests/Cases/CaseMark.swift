/// A line `/// Cases: E01, E04.` in a comment, with the declaration below it.
public struct CaseMark: Sendable, Hashable {
    /// The ids as they are written.
    public let ids: [String]
    /// The file, relative to the project's folder.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The name of the test, suite, contract, scenario or drive that tries the cases; `nil` if the line stands above none of
    /// these.
    public let trial: String?
}

/// The lines of a source text that name cases, and the malformed ones.
public struct CaseMarks: Sendable {
    /// The well-formed lines.
    public private(set) var marks: [CaseMark] = []
    /// The numbers of malformed lines.
    public private(set) var malformed: [Int] = []

    /// Reads one source file.
    ///
    /// The comment can have other lines. In Swift it belongs to the test, suite, contract, benchmark or scenario below it.
    /// Elsewhere it belongs to the function below it, or to the whole file if the comment is the file's head.
    public init(file: String, text: String) {
        let isSwift = file.hasSuffix(".swift")
        let opening = isSwift ? "///" : "#"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0.trimmed) }
        let quoted = isSwift ? Self.quoted(lines) : []
        for (index, line) in lines.enumerated() where line.hasPrefix(opening) && !quoted.contains(index) {
            let said = line.dropFirst(opening.count).trimmed
            guard said.hasPrefix("Cases:") else { continue }
            guard let ids = Self.ids(in: said.dropFirst("Cases:".count)) else {
                malformed.append(index + 1)
                continue
            }
            let comment = lines[index...].prefix { $0.hasPrefix(opening) }
            let rest = lines[comment.endIndex...]
            let startsFile = lines[..<index].allSatisfy { $0.hasPrefix(opening) }
            let trial = isSwift ? Self.trial(in: rest) : Self.drive(in: rest) ?? (startsFile ? file : nil)
            marks.append(CaseMark(ids: ids, file: file, line: index + 1, trial: trial))
        }
    }

    /// The ids of `E01, E04.`, or `nil` if the text is malformed.
    private static func ids(in text: Substring) -> [String]? {
        let text = text.trimmed
        guard text.hasSuffix(".") else { return nil }
        let ids = text.dropLast().split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        return ids.allSatisfy(AttackCase.isID) && Set(ids).count == ids.count ? ids.map(String.init) : nil
    }

    /// The lines inside a string of several lines.
    private static func quoted(_ lines: [Substring]) -> Set<Int> {
        var inside = false
        var found: Set<Int> = []
        for (index, line) in lines.enumerated() {
            if inside { found.insert(index) }
            if !inside && line.hasPrefix("//") { continue }
            if line.occurrences(of: "\"\"\"") % 2 == 1 { inside.toggle() }
        }
        return found
    }

    /// The name of the declaration below a comment in Swift.
    private static func trial(in lines: ArraySlice<Substring>) -> String? {
        // The part of a declaration before its brace or its second argument has few lines.
        let head = lines.prefix(8)
        guard let first = head.first else { return nil }
        // The arguments of a test can be a table of many lines.
        if first.hasPrefix("@Test") { return name(after: "func", in: lines.prefix(200)) }
        if first.hasPrefix("@Suite") { return name(after: "struct", in: head) ?? name(after: "class", in: head) }
        if first.hasPrefix("struct "), ["Tests", "Contracts", "Benchmark"].contains(where: { first.contains($0) }) {
            return name(after: "struct", in: head.prefix(1))
        }
        if first.contains("("), let name = literal(in: head), isDotted(name) { return name }
        if first.contains("func "),
            head.prefix(4).contains(where: { $0.contains("-> Contract<World> {") || $0.contains("-> [Contract<World>] {") })
        {
            return name(after: "func", in: head)
        }
        return nil
    }

    /// The name of the function below a comment in a script.
    private static func drive(in lines: ArraySlice<Substring>) -> String? {
        guard let first = lines.first(where: { !$0.hasPrefix("@") }) else { return nil }
        if first.hasPrefix("def ") || first.hasPrefix("async def ") { return name(after: "def", in: [first]) }
        return first.hasSuffix("() {") ? String(first.dropLast(4)) : nil
    }

    /// Whether a string is the name of a contract or a scenario: `session.token.single-flight`.
    private static func isDotted(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { !$0.isEmpty } && !name.contains(where: \.isWhitespace)
    }

    /// The name that follows a word.
    private static func name(after word: Substring, in lines: ArraySlice<Substring>) -> String? {
        for line in lines {
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: word), place + 1 < words.count else { continue }
            let name = words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" }
            return name.isEmpty ? nil : String(name)
        }
        return nil
    }

    /// The first string of one line.
    private static func literal(in lines: ArraySlice<Substring>) -> String? {
        for line in lines {
            let parts = line.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count > 2 { return String(parts[1]) }
        }
        return nil
    }
}

extension StringProtocol {
    /// The text without the white space around it.
    fileprivate var trimmed: SubSequence {
        let start = self.drop(while: \.isWhitespace)
        return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
    }

    fileprivate func occurrences(of text: String) -> Int { components(apart: text).count - 1 }

    private func components(apart text: String) -> [SubSequence] { split(separator: text, omittingEmptySubsequences: false) }
}
