/// A command with its arguments, validated against its declaration.
struct Invocation: Sendable {
    let command: Command
    private var given: [String: Given] = [:]
    private(set) var operands: [String] = []
    /// The words after `--`, for a command that runs another one.
    private(set) var program: [String] = []

    /// The values of an option, and their origin.
    struct Given: Sendable {
        var texts: [String]
        let origin: Origin
    }

    /// The origin of an option's value.
    enum Origin: Sendable, Hashable {
        /// The command line.
        case commandLine
        /// An environment variable, by its name.
        case variable(String)
        /// A member of lockstep.json: its name and the file's path.
        case member(String, String)
    }

    /// The last value of an option.
    subscript(name: String) -> String? { given[name]?.texts.last }

    /// Returns all values of an option that can be repeated.
    func list(_ name: String) -> [String] { given[name]?.texts ?? [] }

    /// Whether a bare option is set.
    func has(_ name: String) -> Bool { given[name]?.texts.isEmpty == false }

    /// Returns the value of an option with numbers.
    func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    /// Returns the origin of an option's value; `nil` if it has none.
    func origin(_ name: String) -> Origin? { given[name]?.origin }

    /// Returns the place of an option's value for errors: `--port`, `LOCKSTEP_PORT`, or a member of lockstep.json.
    func place(_ name: String) -> String { given[name]?.origin.place(of: name) ?? "--\(name)" }

    /// Reads the words after the command's name.
    ///
    /// - Throws: ``UsageError``
    init(_ command: Command, _ words: [String]) throws(UsageError) {
        self.command = command
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--" {
                if command.program != nil {
                    program = Array(words)
                    return
                }
                for operand in words { try add(operand: operand) }
                return
            }
            guard word.hasPrefix("--") else {
                guard !word.hasPrefix("-") || word == "-" else { throw UsageError(unknown(word)) }
                try checkIsNoProgram(word, before: words)
                try add(operand: word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isOperands = parts[0] == command.operands?.option
            let declared = isOperands ? command.operands?.asOption : command.options.first { $0.name == parts[0] }
            guard let option = declared else { throw UsageError(unknown("--" + parts[0])) }
            if case .none = option.value {
                guard parts.count == 1 else { throw UsageError("--\(option.name) does not accept a value. Remove the value.") }
                add([""], of: option, from: .commandLine)
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : words.popFirst(), !value.isEmpty else {
                throw UsageError("--\(option.name) needs a value: \(option.form).")
            }
            guard isOperands else {
                add(try option.read(value, from: "--\(option.name)"), of: option, from: .commandLine)
                continue
            }
            for word in value.split(separator: ",") { try add(operand: String(word)) }
        }
    }

    /// Adds values of an option.
    mutating func add(_ texts: [String], of option: Option, from origin: Origin) {
        given[option.name, default: Given(texts: [], origin: origin)].texts += texts
    }

    /// Sets the operands if the command line has none.
    mutating func fill(operands names: [String], from origin: Origin) {
        operands = names
        if let name = command.operands?.option { given[name] = Given(texts: names, origin: origin) }
    }

    /// Rejects the beginning of another command that stands where operands stand.
    private func checkIsNoProgram(_ word: String, before rest: ArraySlice<String>) throws(UsageError) {
        guard command.program != nil, let choices = command.operands?.choices, choices.word(for: word) == nil,
            choices.suggestion(for: word).isEmpty
        else { return }
        let line = (["lockstep", command.name] + operands + ["--", word] + rest.filter { $0 != "--" }).map(\.shellWord)
        throw UsageError("the command must stand after \"--\": \(line.joined(separator: " "))")
    }

    private mutating func add(operand: String) throws(UsageError) {
        guard let declared = command.operands else {
            throw UsageError("lockstep \(command.name) does not accept \"\(operand)\". See lockstep help \(command.name).")
        }
        guard let word = declared.choices.isEmpty ? operand : declared.choices.word(for: operand) else {
            throw UsageError(
                "invalid value \"\(operand)\": expected \(declared.choices.listedAsChoice)."
                    + declared.choices.suggestion(for: operand))
        }
        operands.append(word)
    }

    private func unknown(_ word: String) -> String {
        let known = (command.options.map(\.name) + [command.operands?.option].compactMap(\.self)).map { "--" + $0 }
        return "lockstep \(command.name) has no option \(word)." + known.suggestion(for: word)
            + " See lockstep help \(command.name)."
    }
}

extension Command.Operands {
    /// The operands as an option with a list, or `nil`.
    var asOption: Option? { option.map { Option($0, .choices("NAME,…", choices), "the same as \(placeholder)") } }
}

extension Invocation.Origin {
    /// Returns the place of an option's value for errors.
    func place(of name: String) -> String {
        switch self {
        case .commandLine: "--\(name)"
        case .variable(let variable): variable
        case .member(let member, let path): "\"\(member)\" in \"\(path)\""
        }
    }
}

/// An error of the command line: a sentence with the problem and the remedy.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    /// Creates an error.
    ///
    /// The sentence follows "lockstep: ", so the library's "Invalid value" begins in lower case there.
    init(_ description: String) {
        self.description = description.hasPrefix("Invalid value") ? "i" + description.dropFirst() : description
    }
}
