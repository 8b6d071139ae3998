import Foundation
import LockstepSystem

/// `lockstep try` in its own terminal, and a person who reads its output.
///
/// Every method blocks its thread.
final class TerminalApp {
    /// The text that the person did not find, with the output.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    /// The same password in every test, unless it is replaced.
    static let password = "correct horse battery staple"

    private let process: ChildProcess
    private var bytes: [UInt8] = []
    /// The whole output, including the echo of typed text.
    private(set) var shown = ""
    /// The place of the first unanswered text.
    private var place = 0
    /// The place after the last answer.
    private var turn = 0
    /// Every text that was typed where it must not be shown.
    private var unseen: Set<String> = []

    private init(_ arguments: [String], _ environment: [String: String]) throws {
        var variables = ProcessInfo.processInfo.environment
        variables["TERM"] = "xterm-256color"
        variables["NO_COLOR"] = "1"
        variables["LOCKSTEP_PUBLIC_KEY"] = nil
        for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
        process = try ChildProcess(Lockstep.executable, ["try"] + arguments, environment: variables, terminalColumns: 60)
    }

    /// Starts the app and lets a person use it.
    ///
    /// Kills the app if the person leaves it running.
    static func run<Value: Sendable>(
        _ arguments: [String], environment: [String: String] = [:], _ person: @escaping @Sendable (TerminalApp) throws -> Value
    ) async throws -> Value {
        try await BlockingThread.run {
            let app = try TerminalApp(arguments, environment)
            defer { app.process.kill() }
            return try person(app)
        }
    }

    /// Lines that are longer than the terminal, except links and keys, which must not break.
    var longLines: [String] {
        lines(of: shown).filter { $0.count > 60 && !$0.contains("http://") }
    }

    /// Whether the output shows a text that was typed unseen.
    var showsSecrets: Bool { unseen.contains(where: shown.contains) }

    // MARK: Reading

    /// Reads until a text appears.
    @discardableResult
    func read(to text: String) throws -> String {
        while true {
            let rest = shown.dropFirst(place)
            if let found = rest.firstRange(of: text) {
                let part = rest[..<found.upperBound]
                place += part.count
                return String(part)
            }
            // No more output came in that time, or none at all.
            guard let more = try? process.readOutput(within: .seconds(30)), !more.isEmpty else {
                throw Unexpected(description: "no \(text.debugDescription) in:\n\(shown)")
            }
            bytes += more
            shown = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        }
    }

    /// Reads to the end.
    ///
    /// - Returns: the exit status.
    func end() throws -> Int32 {
        while case let more = try process.readOutput(within: .seconds(60)), !more.isEmpty { bytes += more }
        shown = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        return try process.wait()
    }

    // MARK: Answering

    /// Types keys, without Enter.
    func press(_ keys: String) throws {
        turn = place
        try process.write(Array(keys.utf8))
    }

    /// Answers a question.
    func answer(_ question: String, _ text: String) throws {
        try read(to: question.isEmpty ? ": " : question + " (- to go back): ")
        try press(text + "\n")
    }

    /// Answers a question whose input is not shown.
    func answerUnseen(_ label: String, _ text: String) throws {
        try read(to: "\(label) (not shown")
        try read(to: "): ")
        unseen.insert(text)
        try press(text + "\n")
    }

    /// Chooses the entry of the next menu that begins with a text.
    @discardableResult
    func choose(_ label: String) throws -> String {
        try read(to: "Choice: ")
        let menu = String(shown.dropFirst(turn).prefix(place - turn))
        let choice = lines(of: menu).last { line in
            line.drop { $0 == " " || $0.isNumber }.hasPrefix(label) && line.first { $0 != " " }?.isNumber == true
        }
        guard let number = choice?.drop(while: { $0 == " " }).prefix(while: \.isNumber), !number.isEmpty else {
            throw Unexpected(description: "no choice \(label.debugDescription) in:\n\(menu)")
        }
        try press(number + "\n")
        return menu
    }

    /// Chooses an entry by its letter.
    @discardableResult
    func press(key: String) throws -> String {
        let menu = try read(to: "Choice: ")
        try press(key + "\n")
        return menu
    }

    // MARK: A person's actions

    /// The newest code in the inbox.
    ///
    /// The menu is shown again afterwards.
    func newestCode() throws -> String {
        try press(key: "i")
        try read(to: "Inbox\n")
        let start = place
        try read(to: "Choice: ")
        let inbox = String(shown.dropFirst(start).prefix(place - start))
        guard let code = inbox.firstRange(of: "Code: ") else { throw Unexpected(description: "no code in:\n\(inbox)") }
        // If there are links, the inbox has its own choices.
        if inbox.contains("Back\n") {
            let back = lines(of: inbox).last { $0.hasSuffix("  Back") } ?? ""
            try press(back.filter(\.isNumber) + "\n")
        } else {
            place = start
        }
        return String(inbox[code.upperBound...].prefix(while: \.isNumber))
    }

    /// The code of an authenticator app, half a minute after the last one, because each code works once.
    func authenticatorCode() throws -> String {
        try press(key: "t")
        try choose("Half a minute")
        try press(key: "a")
        try read(to: "  Code: ")
        return String(try read(to: "\n").filter(\.isNumber))
    }

    /// Creates an account, up to the verification of its address.
    func signUp(_ email: String, by choice: String = "Create an account") throws {
        try choose(choice)
        try read(to: "Name (\"?\" for another) [")
        try press("\n")
        // The field can already contain an address.
        try read(to: "E-mail")
        try answer("", email)
        try answerUnseen("Password", Self.password)
    }

    /// Creates an account and verifies its address in the provider's way.
    func signUpAndProve(_ email: String, by choice: String = "Create an account") throws {
        try signUp(email, by: choice)
        try prove()
        try read(to: "Signed in\n")
    }

    /// Enters the code of the newest message, or opens its link: on another device if the app can wait for that.
    ///
    /// - Returns: The screen that asked for it.
    @discardableResult
    func prove() throws -> String {
        let proof = try read(to: "q quit\n")
        try press(key: "i")
        try read(to: "Inbox\n")
        let start = place
        let inbox = try read(to: "Choice: ")
        if inbox.contains("Code: ") {
            // The next choice leaves the shown inbox. The code comes from another inbox.
            if let back = lines(of: inbox).last(where: { $0.hasSuffix("  Back") }) {
                try press(back.filter(\.isNumber) + "\n")
            } else {
                place = start
            }
            try give(try newestCode())
            return proof
        }
        let device = proof.contains("on another device") ? "on another device" : "on this device"
        let choice = lines(of: inbox).first { $0.contains("Open the link") && $0.contains(device) } ?? ""
        try press(choice.drop { $0 == " " }.prefix(while: \.isNumber) + "\n")
        return proof
    }

    func give(_ code: String) throws {
        try choose("Type the code")
        try answer("Code", code)
    }

    /// Opens the newest link of the inbox: `on this device`, or `on another device`.
    func openNewestLink(_ place: String) throws {
        try press(key: "i")
        try read(to: "Inbox\n")
        let menu = try read(to: "Choice: ")
        let choice = lines(of: menu).first { $0.contains("Open the link") && $0.contains(place) } ?? ""
        try press(choice.drop { $0 == " " }.prefix(while: \.isNumber) + "\n")
    }

    private func lines(of text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
