import Lockstep
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI

@Suite("Rehearsals with one's own users", .limitedConcurrency) struct RehearsalTests {
    /// A rehearsal that serves, as a process.
    private struct Process {
        let line: JSON
        let text: String
        private let process: ChildProcess

        init(_ move: String, _ options: [String]) async throws {
            process = try ChildProcess(
                Lockstep.executable, ["migrate", "rehearse", "--move", move, "--serve", "--port", "0"] + options)
            (text, line) = try await BlockingThread.run { [process] in
                var output: [UInt8] = []
                while true {
                    let part = try process.readOutput()
                    output += part
                    let last = output.split(separator: 0x0a).last ?? []
                    if output.last == 0x0a, let line = try? JSON.parse(Array(last)), line["base"] != nil {
                        return (String(decoding: output, as: UTF8.self), line)
                    }
                    if part.isEmpty {
                        let errors = String(decoding: try process.readErrors(), as: UTF8.self)
                        throw AuthError(.unknown, String(decoding: output, as: UTF8.self) + errors)
                    }
                }
            }
        }

        func end(_ signal: Signal) async throws -> Int32 {
            try await BlockingThread.run { [process] in
                process.send(signal)
                return try process.wait()
            }
        }
    }

    private static func send(
        _ method: HTTPMethod, _ url: String, _ authorization: String?, _ body: JSON? = nil
    ) async throws -> HTTPResponse {
        try await CurlTransport().send(
            HTTPRequest(
                method, url, headers: authorization.map { ["Authorization": $0] } ?? [:], body: body.map { .json($0) } ?? .none))
    }

    private static func control(_ line: JSON) -> String { line["control"]?["Authorization"]?.string ?? "" }

    /// The requests that a server has received, as "GET /path".
    private static func requests(of line: JSON) async throws -> [String] {
        let document = try await send(.get, line["transcript"]?.string ?? "", control(line)).json()
        return (document.array ?? []).map { "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "")" }
    }

    private static let passwords = ["ada": "Old-Password-1!", "linus": "Old-Password-2!"]

    /// A source with users, an empty target, and a move file, in a folder of its own.
    private static func with(
        _ from: String, _ to: String, _ body: (_ move: String, _ real: [JSON]) async throws -> Void
    ) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-rehearsal")
        defer { try? Folder.remove(folder) }
        _ = try await ServerProcess.serving([from, to, "--mode", "strict"], lines: 2) { lines in
            let source = try #require(lines.first { $0["provider"]?.string == from })
            let target = try #require(lines.first { $0["provider"]?.string == to })
            for (name, password) in passwords {
                let made = try await send(
                    .post, "\(source["base"]?.string ?? "")/__lockstep/users", control(source),
                    ["email": .string("\(name)@example.com"), "password": .string(password), "emailConfirmed": true])
                try #require(made.isSuccess, "\(made.status)")
            }
            func side(_ line: JSON, _ file: String) throws -> JSON {
                let base = line["base"] ?? .null
                switch line["provider"]?.string {
                case "firebase":
                    return ["provider": "firebase", "emulator": base, "project": line["vars"]?["project"] ?? .null]
                default:
                    let key = (line["vars"]?["service_role"] ?? line["vars"]?["secret_key"])?.string ?? ""
                    try AtomicFile.replace("\(folder)/\(file)", with: Array(key.utf8))
                    return ["provider": line["provider"] ?? .null, "url": base, "key": ["file": .string(file)]]
                }
            }
            let file: JSON = ["from": try side(source, "from-key"), "to": try side(target, "to-key")]
            try AtomicFile.replace("\(folder)/move.json", with: file.bytes())
            try await body("\(folder)/move.json", [source, target])
        }
    }

    private static func rehearsals(beside move: String) throws -> [String] {
        let folder = MoveFile.folder(of: move)
        guard try Folder.names(folder).contains("migration-rehearsals") else { return [] }
        return try Folder.names("\(folder)/migration-rehearsals").map { "\(folder)/migration-rehearsals/\($0)" }
    }

    @Test(arguments: ["gotrue", "clerk"]) func oldUserSignsInToTheServedRehearsal(_ provider: String) async throws {
        try await Self.with("firebase", provider) { move, real in
            let process = try await Process(move, ["--yes"])
            let base = try #require(process.line["base"]?.string)
            #expect(process.text.contains("2  create") && process.text.contains("all of them were reads"), "\(process.text)")
            #expect(!process.text.contains("@example.com"))
            // The app signs in, and the real target has no users.
            let side = try #require(
                MoveProvider.named(provider)?.rehearsal.side(base, process.line["vars"]?.object ?? [:]))
            let end = MoveProvider.Side(end: side, name: "to", file: try MoveFile(move), transport: CurlTransport())
            let adapter = try #require(try await MoveProvider.named(provider)?.openTarget(end).adapter)
            for (name, password) in Self.passwords {
                let client = AuthClient(
                    adapter: adapter, store: MemorySessionStore(clock: SystemClock()),
                    effects: ClientEffects(clock: SystemClock(), randomness: SystemRandomness()))
                let step = try await client.signIn(with: .password(email: "\(name)@example.com", password: Secret(password)))
                #expect(step.session?.user.email == "\(name)@example.com")
            }
            let (source, target) = (try await Self.requests(of: real[0]), try await Self.requests(of: real[1]))
            #expect(
                !source.isEmpty
                    && source.allSatisfy {
                        $0.hasPrefix("GET ") || $0.hasSuffix("/accounts:query") || $0.hasSuffix("/accounts:lookup")
                    },
                "\(source)")
            #expect(
                !target.isEmpty && target.allSatisfy { $0.hasPrefix("GET ") && !$0.contains("users") }, "\(target)")
            try await Self.expectClosed(process.line)
            try await Self.expectRemoved(process, beside: move)
        }
    }

    /// What tests read without a token in other emulators needs it.
    private static func expectClosed(_ line: JSON) async throws {
        let prefix = "\(line["base"]?.string ?? "")/__lockstep"
        for path in ["/messages", "/sms", "/inbox", "/inbox/", "/inbox/api/v1/messages", "/users", "/clock", "/transcript", "/"] {
            #expect(try await send(.get, prefix + path, nil).status == 401, "\(path)")
            #expect(try await send(.get, prefix + path, "Bearer owner").status == 401, "\(path)")
            #expect(try await send(.get, prefix + path, control(line)).status == 200, "\(path)")
        }
    }

    /// Ctrl-C removes the files; after SIGKILL, the next start does.
    private static func expectRemoved(_ process: Process, beside move: String) async throws {
        let runs = try rehearsals(beside: move)
        #expect(runs.count == 1)
        for run in runs {
            #expect(try (FileStatus(of: run)?.mode ?? 0o77) & 0o77 == 0)
            for name in try Folder.names(run) { #expect(try (FileStatus(of: "\(run)/\(name)")?.mode ?? 0o77) & 0o77 == 0) }
        }
        #expect(try await process.end(.interrupt) == 0)
        #expect(try rehearsals(beside: move).isEmpty)
        let killed = try await Process(move, ["--yes", "--sample", "1"])
        #expect(killed.text.contains("1  create"), "\(killed.text)")
        #expect(try await killed.end(.kill) == 137)
        #expect(try rehearsals(beside: move).count == 1)
        let next = try await Lockstep.run(["migrate", "rehearse", "--move", move])
        #expect(next.status == 2 && next.output.contains("would copy 2 users"), "\(next)")
        #expect(try rehearsals(beside: move).isEmpty)
    }

    @Test func firebaseOfARehearsalHasAnOwnerWithASecret() async throws {
        try await Self.with("gotrue", "firebase") { move, _ in
            let process = try await Process(move, ["--yes", "--ready-file", "\(move).ready"])
            let base = try #require(process.line["base"]?.string)
            let project = try #require(process.line["vars"]?["project"]?.string)
            let users = "\(base)/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:query"
            let codes = "\(base)/emulator/v1/projects/\(project)/oobCodes"
            for token in [nil, "Bearer owner", "Bearer ya29.x"] {
                #expect(try await Self.send(.post, users, token, [:]).status >= 400, "\(token ?? "none")")
                #expect(try await Self.send(.get, codes, token).status == 401, "\(token ?? "none")")
            }
            let owner = "Bearer \(process.line["vars"]?["owner"]?.string ?? "")"
            let found = try await Self.send(.post, users, owner, ["returnUserInfo": false]).json()
            #expect(found["recordsCount"]?.string == "2")
            #expect(try await Self.send(.get, codes, owner).status == 200)
            try await Self.expectClosed(process.line)
            #expect(try await process.end(.terminate) == 0)
        }
    }

    @Test(arguments: ["--host", "--allow-host", "--data"])
    func optionsThatWouldOpenTheEmulatorAreRefused(_ option: String) async throws {
        let run = try await Lockstep.run(["migrate", "rehearse", "--yes", option, "0.0.0.0"])
        #expect(run.status == 2 && run.errors.contains("no option \(option)"), "\(run.errors)")
    }
}
