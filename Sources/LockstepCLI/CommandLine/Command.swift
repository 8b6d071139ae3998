/// One of the things that `lockstep` does, declared as data: parsing, help and suggestions all come from here.
struct Command: Sendable {
    let name: String
    let summary: String
    /// A few sentences for its help page.
    let about: String
    /// What may follow without a dash; `nil` where nothing may.
    var operands: Operands?
    let options: [Option]
    let examples: [Example]
    /// Whether it works until Ctrl-C, and so looks for signals itself.
    var endsBySignal = false
    let run: @Sendable (Invocation, Terminal) async throws -> ExitStatus

    struct Operands: Sendable {
        let placeholder: String
        let summary: String
        /// The words that are taken; empty for any.
        let choices: [String]
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

    init(_ name: String, _ value: Value, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    /// How it is written in a help page.
    var form: String {
        switch value {
        case .none: "--\(name)"
        case .text(let placeholder), .number(let placeholder, _), .choices(let placeholder, _): "--\(name) \(placeholder)"
        case .choice(let words): "--\(name) \(words.joined(separator: "|"))"
        }
    }
}

/// How the process ends (docs/design.md, section 8).
enum ExitStatus: Int32, Sendable {
    case success = 0
    /// Something failed, or a promise is broken.
    case failure = 1
    /// The command line, or what it names, cannot be used.
    case usage = 2
    /// Differences were found where none were allowed.
    case differences = 3
}
