internal import LockstepSystem

/// A command with what was given to it, checked against its declaration.
struct Invocation: Sendable {
    let command: Command
    private(set) var values: [String: [String]] = [:]
    private(set) var operands: [String] = []
    /// The words behind `--`, for a command that runs another one.
    private(set) var program: [String] = []

    /// The last value of an option.
    subscript(name: String) -> String? { values[name]?.last }

    /// All values of an option that takes several.
    func list(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether a bare option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option that takes a number.
    func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    /// Reads what follows the command's name.
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
                for operand in words { try take(operand: operand) }
                return
            }
            guard word.hasPrefix("--") else {
                guard !word.hasPrefix("-") || word == "-" else { throw UsageError(unknown(word)) }
                try take(operand: word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isOperands = parts[0] == command.operands?.option
            let declared = isOperands ? command.operands?.asOption : command.options.first { $0.name == parts[0] }
            guard let option = declared else { throw UsageError(unknown("--" + parts[0])) }
            if case .none = option.value {
                guard parts.count == 1 else { throw UsageError("--\(option.name) accepts no value. Leave the value out.") }
                values[option.name, default: []].append("")
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : words.popFirst(), !value.isEmpty else {
                throw UsageError("--\(option.name) needs a value: \(option.form).")
            }
            guard isOperands else {
                try take(value, of: option)
                continue
            }
            for word in value.split(separator: ",") { try take(operand: String(word)) }
        }
    }

    private mutating func take(_ value: String, of option: Option) throws(UsageError) {
        switch option.value {
        case .none: break
        case .text: values[option.name, default: []].append(value)
        case .path:
            do throws(SystemError) {
                // A shell leaves the "~" of `--data=~/x` as it is.
                values[option.name, default: []].append(try LocalPath.resolve(value))
            } catch {
                throw UsageError(
                    "invalid value \"\(value)\" for --\(option.name): \(error.refusal?.rawValue ?? error.reason). Name the whole path."
                )
            }
        case .number(_, let range):
            guard let number = Int(value), range.contains(number) else {
                throw UsageError(
                    "invalid value \"\(value)\" for --\(option.name): expected a number from \(range.lowerBound) to \(range.upperBound)."
                )
            }
            values[option.name, default: []].append(value)
        case .choice(let words):
            guard let word = words.word(for: value) else {
                throw UsageError(
                    "invalid value \"\(value)\" for --\(option.name): expected \(words.listedAsChoice)."
                        + words.suggestion(for: value))
            }
            values[option.name, default: []].append(word)
        case .choices(_, let words):
            for part in value.split(separator: ",").map(String.init) {
                guard let word = words.isEmpty ? part : words.word(for: part) else {
                    throw UsageError(
                        "invalid value \"\(part)\" for --\(option.name): expected \(words.listedAsChoice), joined by commas."
                            + words.suggestion(for: part))
                }
                values[option.name, default: []].append(word)
            }
        }
    }

    private mutating func take(operand: String) throws(UsageError) {
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
    /// The operands as an option with a list; `nil` if there is none.
    var asOption: Option? { option.map { Option($0, .choices("NAME,…", choices), "the same as \(placeholder)") } }
}

/// A command line that cannot be used, in a sentence that says what to do.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
