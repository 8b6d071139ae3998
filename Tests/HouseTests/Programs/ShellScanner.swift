/// Finds the programs that a shell script starts: the first word of each command, without functions and the shell's own commands.
///
/// Names in variables and paths are not found.
struct ShellScanner {
    private let text: [UInt8]
    private var place = 0
    private var words: [String] = []
    private var functions: Set<String> = []
    /// The ends of the here-documents that begin after this line.
    private var documents: [String] = []

    /// Returns the programs of scripts that share their functions.
    static func programs(in scripts: [String]) -> Set<String> {
        var (words, functions) = (Set<String>(), Set<String>())
        for script in scripts {
            var scanner = ShellScanner(text: Array(script.utf8))
            while scanner.next != nil { scanner.list(until: nil) }
            words.formUnion(scanner.words)
            functions.formUnion(scanner.functions)
        }
        return words.subtracting(functions).subtracting(Self.builtins).filter { $0.wholeMatch(of: /[a-z][a-z0-9_.+-]*/) != nil }
    }

    private init(text: [UInt8]) { self.text = text }

    private static let builtins = Set(
        ("alias bg break builtin cd compgen complete continue declare echo eval exit export false fg getopts hash jobs kill let local "
            + "mapfile popd printf pushd pwd read readonly return set shift shopt source test times trap true type typeset ulimit "
            + "umask unalias unset wait print zmodload zpty")
            .split(separator: " ").map(String.init))
    /// Words before a command.
    private static let openings: Set = [
        "if", "then", "else", "elif", "while", "until", "do", "done", "fi", "esac", "{", "}", "!",
    ]
    /// Words before something else.
    private static let headers: Set = ["for", "case", "in", "[[", "[", ":", ".", "function", "select"]
    /// Programs and commands that start the program in their arguments.
    private static let starters: Set = ["exec", "command", "env", "time", "nohup", "sudo", "xargs", "timeout", "setsid"]

    private var next: UInt8? { place < text.count ? text[place] : nil }

    private func isNext(_ words: String) -> Bool { text[place...].starts(with: words.utf8) }

    /// Reads commands up to a closing character, which is also read.
    private mutating func list(until end: UInt8?) {
        var begins = true
        var isStarted = false
        var line = words.count
        while let byte = next {
            if byte == end {
                place += 1
                return
            }
            switch byte {
            case UInt8(ascii: "\n"):
                place += 1
                skipDocuments()
                (begins, isStarted, line) = (true, false, words.count)
            case UInt8(ascii: " "), UInt8(ascii: "\t"): place += 1
            case UInt8(ascii: "#"): while let byte = next, byte != UInt8(ascii: "\n") { place += 1 }
            case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"):
                if isNext(";;") { line = words.count }
                place += 1
                (begins, isStarted) = (true, false)
            case UInt8(ascii: "("):
                if isNext("()") {
                    place += 2
                    if let name = words.popLast() { functions.insert(name) }
                    begins = true
                } else {
                    place += 1
                    list(until: UInt8(ascii: ")"))
                    begins = false
                }
            case UInt8(ascii: ")"):
                // The patterns of a case, which look like commands.
                words.removeLast(max(0, words.count - line))
                place += 1
                begins = true
            case UInt8(ascii: "<"), UInt8(ascii: ">"): redirection()
            default:
                let word = word()
                guard begins, !isDescriptor(word) else { continue }
                if word.wholeMatch(of: /\w+(\[.*\])?\+?=.*/.dotMatchesNewlines()) != nil {
                    if next == UInt8(ascii: "("), word.hasSuffix("=") { array() }
                    continue
                }
                if Self.openings.contains(word) { continue }
                if isStarted, word.wholeMatch(of: /-.*|[0-9]+/) != nil { continue }
                begins = Self.starters.contains(word)
                isStarted = begins
                if word == "case" { line = words.count }
                if !Self.headers.contains(word), word != "exec", word != "command" { words.append(word) }
            }
        }
    }

    /// Whether a word is the number of a file before a redirection.
    private func isDescriptor(_ word: String) -> Bool {
        (next == UInt8(ascii: "<") || next == UInt8(ascii: ">")) && word.allSatisfy(\.isNumber)
    }

    /// Reads the words of an array, which are no commands.
    private mutating func array() {
        let count = words.count
        place += 1
        list(until: UInt8(ascii: ")"))
        words.removeLast(words.count - count)
    }

    private mutating func redirection() {
        let isDocument = isNext("<<") && !isNext("<<<")
        while let byte = next, "<>&-".utf8.contains(byte) { place += 1 }
        if next == UInt8(ascii: "(") {
            place += 1
            return list(until: UInt8(ascii: ")"))
        }
        while next == UInt8(ascii: " ") { place += 1 }
        let word = word()
        if isDocument { documents.append(word.filter { $0 != "'" && $0 != "\"" }) }
    }

    private mutating func skipDocuments() {
        for end in documents {
            while place < text.count {
                let line = text[place...].prefix { $0 != UInt8(ascii: "\n") }
                place = min(line.endIndex + 1, text.count)
                if String(decoding: line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }, as: UTF8.self) == end {
                    break
                }
            }
        }
        documents = []
    }

    /// Reads a word, and the commands in it.
    private mutating func word() -> String {
        let start = place
        while let byte = next, !" \t\n;&|()<>".utf8.contains(byte) { part(byte) }
        if place == start { place += 1 }
        return String(decoding: text[start..<min(place, text.count)], as: UTF8.self)
    }

    private mutating func part(_ byte: UInt8) {
        place += 1
        switch byte {
        case UInt8(ascii: "\\"): place += 1
        case UInt8(ascii: "'"):
            while let byte = next, byte != UInt8(ascii: "'") { place += 1 }
            place += 1
        case UInt8(ascii: "\""):
            while let byte = next, byte != UInt8(ascii: "\"") { byte == UInt8(ascii: "'") ? (place += 1) : part(byte) }
            place += 1
        case UInt8(ascii: "$") where isNext("(("): while let byte = next, byte != UInt8(ascii: "\n"), !isNext("))") { place += 1 }
        case UInt8(ascii: "$") where isNext("("):
            place += 1
            list(until: UInt8(ascii: ")"))
        case UInt8(ascii: "$") where isNext("{"):
            while let byte = next, byte != UInt8(ascii: "}") { part(byte) }
            place += 1
        default: break
        }
    }
}
