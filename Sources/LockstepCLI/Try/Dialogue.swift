import LockstepComparison
import LockstepPrimitives
import LockstepSystem

/// Questions and answers in a terminal, line by line.
///
/// Nothing is overwritten, so a screen reader can read everything.
@MainActor
final class Dialogue {
    /// The reason why a dialogue ends.
    enum Ending: Error {
        /// The user quits the app.
        case quit
        /// The user leaves what was asked; the app's screen is shown.
        case back
        /// Ctrl-D, or the end of a file.
        case inputEnded
    }

    /// A choice, by its number or by a letter.
    struct Choice {
        let label: String
        let action: @MainActor () async throws -> Void
    }

    private let terminal: Terminal
    private let lines: InputLines
    private let width: Int
    private let isTerminal = StandardStream.input.isTerminal

    init(_ terminal: Terminal, _ lines: InputLines) {
        self.terminal = terminal
        self.lines = lines
        width = max(20, min(terminal.width, 76))
    }

    // MARK: What is said

    /// The name of a screen.
    func heading(_ text: String) throws {
        try terminal.print("")
        try terminal.print(terminal.paint.bold(text.visible))
    }

    /// Sentences.
    func say(_ text: String) throws {
        for line in text.wrapped(width, first: "", rest: "") { try terminal.print(line) }
    }

    /// Prints a text to copy, such as a link, on a separate line without breaks.
    func show(_ text: String) throws { try terminal.print("  " + text.visible) }

    /// Prints an error.
    func complain(_ text: String) throws {
        for line in text.wrapped(width - 2, first: "! ", rest: "  ") { try terminal.print(terminal.paint.red(line)) }
    }

    // MARK: What is asked

    /// Asks for a line of text; the default if nothing is typed.
    ///
    /// - Parameter isField: Whether the question says how to leave it; a menu has its own way.
    /// - Throws: ``Ending/back`` if the user types a hyphen alone.
    func ask(_ label: String, default proposal: String = "", isField: Bool = true) async throws -> String {
        try terminal.prompt(
            label.visible + (proposal.isEmpty ? isField ? " (- to go back): " : ": " : " [\(proposal.visible)]: "))
        let line = try await next().trimmed
        guard line != "-" else { throw Ending.back }
        return line.isEmpty ? proposal : line
    }

    /// Asks for a line of text that is not shown while it is typed.
    ///
    /// - Parameters:
    ///   - kept: The text that stays if nothing is typed.
    /// - Returns: The result.
    /// - Throws: ``Ending/back`` if the user types a hyphen alone.
    func askUnseen(_ label: String, keeping kept: String = "") async throws -> String {
        lines.hide()
        defer { lines.show() }
        try terminal.prompt(label.visible + (kept.isEmpty ? " (not shown): " : " (not shown; press Enter to keep it): "))
        let line = try await next()
        guard line != "-" else { throw Ending.back }
        return line.isEmpty ? kept : line
    }

    /// Asks for a numbered choice or for a letter, until the answer is valid.
    func choose(_ choices: [Choice], keys: [(key: String, choice: Choice)] = []) async throws {
        for (index, choice) in choices.enumerated() {
            let number = String(index + 1)
            let indent = String(repeating: " ", count: 4)
            let first = String(repeating: " ", count: max(0, 2 - number.count)) + number + "  "
            for line in choice.label.wrapped(width - 4, first: first, rest: indent) { try terminal.print(line) }
        }
        if !keys.isEmpty {
            try terminal.print(terminal.paint.dim(list(of: keys.map { "\($0.key) \($0.choice.label)" })))
        }
        while true {
            let answer = try await ask("Choice", isField: false).lowercased()
            if let number = Int(answer), choices.indices.contains(number - 1) { return try await choices[number - 1].action() }
            if let found = keys.first(where: { $0.key == answer }) { return try await found.choice.action() }
            let letters = keys.isEmpty ? "" : ", or " + keys.map(\.key).listedAsChoice
            try complain(
                choices.isEmpty
                    ? "Type \(keys.map(\.key).listedAsChoice)." : "Type a number from 1 to \(choices.count)\(letters).")
        }
    }

    /// The texts, separated by commas, without a line break inside a text.
    private func list(of texts: [String]) -> String {
        var lines = [""]
        for (index, text) in texts.enumerated() {
            let piece = text + (index + 1 < texts.count ? "," : "")
            if lines[lines.count - 1].count + 1 + piece.count > width { lines.append("") }
            lines[lines.count - 1] += " " + piece
        }
        return lines.joined(separator: "\n")
    }

    private func next() async throws -> String {
        let lines = lines
        let line = try await BlockingThread.run { try lines.next() }
        // A terminal ends the line itself, when the user does.
        if line == nil || !isTerminal { try terminal.print("") }
        guard let line else { throw Ending.inputEnded }
        guard let text = String(validating: line, as: UTF8.self) else {
            try complain("This is not UTF-8 text. Type it again.")
            return ""
        }
        return text
    }
}

extension String {
    /// Without white space at both ends.
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
