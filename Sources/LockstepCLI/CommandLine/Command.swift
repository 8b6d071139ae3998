/// One of the things that `lockstep` does, declared as data: parsing, help and suggestions all come from here.
struct Command: Sendable {
    let name: String
    let summary: String
    /// A few sentences for its help page.
    let about: String
    /// What may follow without a dash; `nil` if nothing may.
    var operands: Operands?
    let options: [Option]
    let examples: [Example]
    /// How another command behind `--` is written; `nil` if it runs none.
    var program: String?
    /// Whether lockstep.json and the environment may set its options.
    var readsConfiguration = false
    /// Whether it works until Ctrl-C, and so looks for signals itself.
    var endsBySignal = false
    /// Whether a signal is its usual end, with status 0.
    var runsUntilSignal = false
    /// What its status 1 says.
    var failure = "something failed"
    /// What its status 3 says; `nil` if it never ends with it.
    var difference: String?
    /// The commands of a group, each with the group's name in front of its own; empty unless the command is a group.
    var verbs: [Command] = []
    /// The verb that runs without being named; `nil` if one must be named.
    var standardVerb: String?
    let run: @Sendable (Invocation, Terminal) async throws -> ExitStatus

    /// Finds a command of the group.
    ///
    /// - Parameter word: The word behind the group's name.
    /// - Returns: The command.
    /// - Throws: ``UsageError`` if the group has no such command.
    func verb(_ word: String) throws(UsageError) -> Command {
        if let verb = verbs.first(where: { $0.name == "\(name) \(word)" }) { return verb }
        throw UsageError(
            "there is no command \"\(name) \(word)\"."
                + verbs.map { String($0.name.dropFirst(name.count + 1)) }.suggestion(for: word)
                + " See lockstep help \(name).")
    }

    /// Whether a word is the name of a command of the group, or nearly one: then it is no operand of the standard verb.
    func isVerb(_ word: String) -> Bool {
        let names = verbs.map { String($0.name.dropFirst(name.count + 1)) }
        return names.contains(word) || !names.suggestion(for: word).isEmpty
    }

    /// The options, and the one that has the operands' values.
    var allOptions: [Option] { (operands?.asOption.map { [$0] } ?? []) + options }

    /// How it can end, for its help page.
    var endings: [(status: String, meaning: String)] {
        func ending(_ status: ExitStatus, _ meaning: String) -> (status: String, meaning: String) {
            ("\(status.rawValue)", meaning)
        }
        var endings = [
            ending(.success, runsUntilSignal ? "ended by Ctrl-C or SIGTERM" : "success"),
            ending(.failure, failure), ending(.usage, "invalid arguments, or a file or server that cannot be used"),
        ]
        if options.contains(where: { $0.name == "fail-on-differences" }) {
            endings.append(ending(.differences, "there are differences, and --fail-on-differences was given"))
        }
        if let difference { endings.append(ending(.differences, difference)) }
        if program != nil {
            return [
                ending(.usage, "invalid arguments, or the emulators cannot start"),
                ending(.programNotRunnable, "the command cannot be run"), ending(.programNotFound, "the command was not found"),
                ("128+N", "signal N ended the command"), ("N", "the command's own status"),
            ]
        }
        return runsUntilSignal ? endings : endings + [("130", "ended by Ctrl-C; 143: by SIGTERM")]
    }

    /// Declares a group of commands.
    ///
    /// - Parameters:
    ///   - name: The group's name.
    ///   - summary: One line for the list of commands.
    ///   - about: A few sentences for its help page.
    ///   - examples: Command lines of its verbs.
    ///   - verbs: Its commands.
    ///   - standardVerb: The one that runs without being named.
    /// - Returns: The group, which runs nothing itself.
    static func group(
        _ name: String, summary: String, about: String, examples: [Example], verbs: [Command], standardVerb: String? = nil
    ) -> Command {
        Command(
            name: name, summary: summary, about: about, options: [], examples: examples, verbs: verbs, standardVerb: standardVerb
        ) { _, _ in
            throw UsageError("lockstep \(name) needs a verb. See lockstep help \(name).")
        }
    }

    struct Operands: Sendable {
        let placeholder: String
        let summary: String
        /// The accepted words; empty for any.
        let choices: [String]
        /// The option that has the same values, joined by commas; `nil` for none.
        var option: String?
    }

    struct Example: Sendable {
        let line: String
        let meaning: String
    }
}

/// An option of a command.
struct Option: Sendable {
    enum Value: Sendable {
        /// It stands alone.
        case none
        /// Any text.
        case text(String)
        /// A file or folder: a path, one that begins with `~/`, or a `file:` URL.
        case path(String)
        /// A file or folder for one of these providers: a path alone, or behind the provider's name and `=`.
        case providerPath(String, [String])
        /// A whole number in a range.
        case number(String, ClosedRange<Int>)
        /// One of these words.
        case choice([String])
        /// Some of these words, joined by commas.
        case choices(String, [String])
    }

    let name: String
    let value: Value
    let summary: String
    /// What holds without the option, in a few words; `nil` if nothing does, or the summary says it.
    let standard: String?
    /// Whether it may stand in lockstep.json: not if the command does another work with it.
    let isSetting: Bool

    init(_ name: String, _ value: Value, _ summary: String, standard: String? = nil, isSetting: Bool = true) {
        self.name = name
        self.value = value
        self.summary = summary
        self.standard = standard
        self.isSetting = isSetting
    }

    /// The summary with the default.
    var about: String { summary + (standard.map { " (default: \($0))" } ?? "") }

    /// How it is written in a help page.
    var form: String {
        switch value {
        case .none: "--\(name)"
        case .text(let placeholder), .path(let placeholder), .number(let placeholder, _), .choices(let placeholder, _):
            "--\(name) \(placeholder)"
        case .providerPath(let placeholder, _): "--\(name) [PROVIDER=]\(placeholder)"
        case .choice(let words): "--\(name) \(words.joined(separator: "|"))"
        }
    }
}

/// How the process ends (docs/decisions/1700-command.md).
struct ExitStatus: RawRepresentable, Sendable, Hashable {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    static let success = ExitStatus(rawValue: 0)
    /// Something failed, or a contract is broken.
    static let failure = ExitStatus(rawValue: 1)
    /// The command line, or what it names, cannot be used.
    static let usage = ExitStatus(rawValue: 2)
    /// Differences were found where none were allowed.
    static let differences = ExitStatus(rawValue: 3)
    /// The command to run is there, and cannot be run: as shells report it.
    static let programNotRunnable = ExitStatus(rawValue: 126)
    /// There is no such command to run.
    static let programNotFound = ExitStatus(rawValue: 127)
}
