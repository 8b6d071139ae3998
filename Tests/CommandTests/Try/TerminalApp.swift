import Foundation
import LockstepSystem

/// `lockstep try` on a terminal of its own, and a person who reads what it shows; every method blocks its thread.
final class TerminalApp {
    /// What the person did not find, with what was shown.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    /// The same password in every test, unless it is replaced.
    static let password = "correct horse battery staple"

    private let process: ChildProcess
    private var bytes: [UInt8] = []
    /// All that was shown, the echo of what was typed included.
    private(set) var shown = ""
    /// What is not answered yet begins here.
    private var place = 0
    /// What has been shown since the last answer begins here.
    private var turn = 0
    /// All that was typed where it must not be shown.
    private var unseen: Set<String> = []

    private init(_ arguments: [String], _ environment: [String: String]) throws {
        var variables = ProcessInfo.processInfo.environment
        variables["TERM"] = "xterm-256color"
        variables["NO_COLOR"] = "1"
        variables["LOCKSTEP_PUBLIC_KEY"] = nil
        for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
        process = try ChildProcess(Lockstep.executable, ["try"] + arguments, environment: variables, terminalColumns: 60)
    }

    /// Starts the app and lets a person use it; what the person leaves is killed.
    static func run<Value: Sendable>(
        _ arguments: [String], environment: [String: String] = [:], _ person: @escaping @Sendable (TerminalApp) throws -> Value
    ) async throws -> Value {
        try await BlockingThread.run {
            let app = try TerminalApp(arguments, environment)
            defer { app.process.kill() }
            return try person(app)
        }
    }

    /// Lines that are longer than the terminal, links and keys apart, which must be whole.
    var longLines: [String] {
        lines(of: shown).filter { $0.count > 60 && !$0.contains("http://") }
    }

    /// Whether something that was typed unseen is shown.
    var showsSecrets: Bool { unseen.contains(where: shown.contains) }

    // MARK: Reading

    /// Reads on until a text is shown.
    @discardableResult
    func read(to text: String) throws -> String {
        while true {
            let rest = shown.dropFirst(place)
            if let found = rest.firstRange(of: text) {
                let part = rest[..<found.upperBound]
                place += part.count
                return String(part)
            }
            // Nothing more comes in that time, or nothing at all.
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
        try read(to: question + ": ")
        try press(text + "\n")
    }

    /// Answers a question whose answer is not shown.
    func answerUnseen(_ label: String, _ text: String) throws {
        try read(to: "\(label) (not shown")
        try read(to: "): ")
        unseen.insert(text)
        try press(text + "\n")
    }

    /// Takes the choice that begins so, of the menu that comes next.
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

    /// Takes a choice by its letter.
    @discardableResult
    func press(key: String) throws -> String {
        let menu = try read(to: "Choice: ")
        try press(key + "\n")
        return menu
    }

    // MARK: What a person does

    /// The newest code in the inbox; the menu is shown again afterwards.
    func newestCode() throws -> String {
        try press(key: "i")
        try read(to: "Inbox\n")
        let start = place
        try read(to: "Choice: ")
        let inbox = String(shown.dropFirst(start).prefix(place - start))
        guard let code = inbox.firstRange(of: "Code: ") else { throw Unexpected(description: "no code in:\n\(inbox)") }
        // Where there are links, the inbox has choices of its own.
        if inbox.contains("Back\n") {
            let back = lines(of: inbox).last { $0.hasSuffix("  Back") } ?? ""
            try press(back.filter(\.isNumber) + "\n")
        } else {
            place = start
        }
        return String(inbox[code.upperBound...].prefix(while: \.isNumber))
    }

    /// What an authenticator app shows; half a minute later than the last time, since each code is good once.
    func authenticatorCode() throws -> String {
        try press(key: "t")
        try choose("Half a minute")
        try press(key: "a")
        try read(to: "  Code: ")
        return String(try read(to: "\n").filter(\.isNumber))
    }

    /// Makes an account, up to the proof of its address.
    func signUp(_ email: String, by choice: String = "Create an account") throws {
        try choose(choice)
        try read(to: "Name (\"?\" for another) [")
        try press("\n")
        // There may be an address in the field already.
        try read(to: "E-mail")
        try answer("", email)
        try answerUnseen("Password", Self.password)
    }

    /// Makes an account and proves its address, as the provider wants it.
    func signUpAndProve(_ email: String, by choice: String = "Create an account") throws {
        try signUp(email, by: choice)
        try prove()
        try read(to: "Signed in\n")
    }

    /// Gives the code of the newest message, or opens its link: elsewhere if the app can wait for that.
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
            // The inbox that was shown is left by what is chosen next: the code is read from another one.
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
