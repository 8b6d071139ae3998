/// A command of `lockstep`, declared as data for parsing, help and suggestions.
struct Command: Sendable {
    let name: String
    let summary: String
    /// The description on its help page.
    let about: String
    /// The operands; `nil` if there are none.
    var operands: Operands?
    let options: [Option]
    let examples: [Example]
    /// The placeholder for another command after `--`; `nil` if this command does not run another command.
    var program: String?
    /// Whether lockstep.json and the environment may set its options.
    var readsConfiguration = false
    /// Whether it runs until Ctrl-C, and handles signals itself.
    var endsBySignal = false
    /// Whether a signal is its normal end, with status 0.
    var runsUntilSignal = false
    /// The meaning of status 1.
    var failure = "something failed"
    /// The meaning of status 3; `nil` if it is never used.
    var difference: String?
    /// The commands of a group, with the group's name in front of their names; empty for a single command.
    var verbs: [Command] = []
    /// The default verb; `nil` if a verb is required.
    var standardVerb: String?
    let run: @Sendable (Invocation, Terminal) async throws -> ExitStatus

    /// Finds a command of the group.
    ///
    /// - Parameter word: The word after the group's name.
    /// - Throws: ``UsageError`` if the group has no such command.
    func verb(_ word: String) throws(UsageError) -> Command {
        if let verb = verbs.first(where: { $0.name == "\(name) \(word)" }) { return verb }
        throw UsageError(
            "there is no command \"\(name) \(word)\"."
                + verbs.map { String($0.name.dropFirst(name.count + 1)) }.suggestion(for: word)
                + " See lockstep help \(name).")
    }

    /// Whether a word is, or resembles, the name of a command in the group.
    ///
    /// Then it is not an operand of the default verb.
    func isVerb(_ word: String) -> Bool {
        let names = verbs.map { String($0.name.dropFirst(name.count + 1)) }
        return names.contains(word) || !names.suggestion(for: word).isEmpty
    }

    /// The options, including the one with the operands' values.
    var allOptions: [Option] { (operands?.asOption.map { [$0] } ?? []) + options }

    /// The exit statuses for its help page.
    var endings: [(status: String, meaning: String)] {
        func ending(_ status: ExitStatus, _ meaning: String) -> (status: String, meaning: String) {
            ("\(status.rawValue)", meaning)
        }
        var endings = [
            ending(.success, runsUntilSignal ? "ended by Ctrl-C or SIGTERM" : "success"),
            ending(.failure, failure), ending(.usage, "invalid arguments, or a file or server that cannot be used"),
        ]
        if options.contains(where: { $0.name == "fail-on-differences" }) {
            endings.append(ending(.differences, "differences were found, and --fail-on-differences was given"))
        }
        if let difference { endings.append(ending(.differences, difference)) }
        if program != nil {
            return [
                ending(.usage, "invalid arguments, or the emulators cannot start"),
                ending(.programNotRunnable, "the command cannot be run"), ending(.programNotFound, "the command was not found"),
                ("128+N", "signal N ended the command"), ("N", "the command's own status"),
            ]
        }
        return runsUntilSignal ? endings : endings + [("130", "ended by Ctrl-C (143: ended by SIGTERM)")]
    }

    /// Declares a group of commands.
    ///
    /// - Parameters:
    ///   - name: The group's name.
    ///   - summary: One line for the list of commands.
    ///   - about: The description on its help page.
    ///   - standardVerb: The default verb.
    /// - Returns: The group, which does not run anything itself.
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
        /// The option with the same values, separated by commas; `nil` for none.
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
        /// An option without a value.
        case none
        /// Any text.
        case text(String)
        /// A file or folder: a path, one that begins with `~/`, or a `file:` URL.
        case path(String)
        /// A file or folder for one of these providers: a path, or the provider's name, `=`, and a path.
        case providerPath(String, [String])
        /// A whole number in a range.
        case number(String, ClosedRange<Int>)
        /// One of these words.
        case choice([String])
        /// Some of these words, separated by commas.
        case choices(String, [String])
    }

    /// The part of a help page.
    enum Group: String, Sendable, CaseIterable {
        case common = "options"
        case data, network, output
    }

    let name: String
    let value: Value
    let summary: String
    let group: Group
    /// The default in a few words; `nil` if there is none, or if the summary contains it.
    let standard: String?
    /// Whether it may be in lockstep.json; `false` if it makes the command do something else.
    let isSetting: Bool

    init(
        _ name: String, _ value: Value, _ summary: String, standard: String? = nil, isSetting: Bool = true,
        in group: Group = .common
    ) {
        self.group = group
        self.name = name
        self.value = value
        self.summary = summary
        self.standard = standard
        self.isSetting = isSetting
    }

    /// The summary with the default.
    var about: String { summary + (standard.map { " (default: \($0))" } ?? "") }

    /// The form on a help page.
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

/// The exit status of the process.
struct ExitStatus: RawRepresentable, Sendable, Hashable {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    static let success = ExitStatus(rawValue: 0)
    /// Something failed, or a contract is broken.
    static let failure = ExitStatus(rawValue: 1)
    /// Invalid arguments, or a file or server that cannot be used.
    static let usage = ExitStatus(rawValue: 2)
    /// There are differences, and they are not allowed.
    static let differences = ExitStatus(rawValue: 3)
    /// The command to run exists but cannot be run, the same as in shells.
    static let programNotRunnable = ExitStatus(rawValue: 126)
    /// The command to run was not found.
    static let programNotFound = ExitStatus(rawValue: 127)
}
