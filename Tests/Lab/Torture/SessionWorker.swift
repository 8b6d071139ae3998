import Lockstep
import LockstepContracts
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem
import LockstepTestSupport
import Synchronization

/// A process that uses sessions until it is killed, or its standard input ends.
///
/// `lockstep-lab session sessions BACKEND ROUND EMAIL PASSWORD PLACE…` signs in, refreshes and signs out forever, and prints a
/// line for each: `in?` and `out?` before, `in`, `token` and `out` after; `failed …` for what must not happen.
///
/// `lockstep-lab session replaced BACKEND EMAIL PASSWORD PLACE…` signs in over its session forever, and prints `in?` before, `in`
/// after, and `settled` when the old session has ended.
///
/// `lockstep-lab session race BACKEND PLACE…` prints `ready`. Then it reads numbers, one on each line: after this many seconds
/// it needs a token, and prints it after `refreshed` or `found`, or `failed …`. `+4` lets four seconds pass meanwhile, and
/// prints `passed`.
///
/// `lockstep-lab session move PLACE… PLACE…` moves a session from the first place to the second and back, and prints a line for each.
struct SessionWorker {
    static func run(_ words: [String]) async throws {
        let (commands, input) = AsyncStream<String>.makeStream()
        try BlockingThread.start {
            while let bytes = try? StandardStream.input.read(), !bytes.isEmpty {
                // A pipe writes lines as short as these in one piece.
                for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") { input.yield(String(line)) }
            }
            CurrentProcess.exit(0)
        }
        switch (words.first, words.count) {
        case ("sessions", 7...): try await useSessions(Array(words.dropFirst()))
        case ("replaced", 6...): try await replaceSessions(Array(words.dropFirst()))
        case ("race", 4...): try await race(Array(words.dropFirst()), commands)
        case ("move", 5): try await move(Array(words[1...2]), Array(words[3...4]))
        default:
            try StandardStream.error.write(
                "usage: lockstep-lab session sessions BACKEND ROUND EMAIL PASSWORD PLACE… | replaced BACKEND EMAIL PASSWORD PLACE… | race BACKEND PLACE… | move PLACE… PLACE…\n"
            )
            CurrentProcess.exit(2)
        }
    }

    private static func race(_ words: [String], _ commands: AsyncStream<String>) async throws {
        guard let place = StoreHarnesses.place(Array(words.dropFirst())) else { CurrentProcess.exit(2) }
        let clock = ManualClock(base: SystemClock())
        let refreshes = Mutex(0)
        let events = AuthEventSink { event in
            if event.name == .sessionRefreshed { refreshes.withLock { $0 += 1 } }
        }
        let client = try RotatingBackend.client(of: words[0], on: try await place.open(), clock: clock, events: events)
        guard case .signedIn = await client.restore() else { return tell("no user is signed in") }
        tell("ready")
        for await command in commands {
            guard let seconds = Int64(command) else { CurrentProcess.exit(2) }
            clock.advance(by: .seconds(seconds))
            guard !command.hasPrefix("+") else {
                tell("passed")
                continue
            }
            refreshes.withLock { $0 = 0 }
            // The clock continues while it waits.
            Task { @Sendable in
                do throws(AuthError) {
                    let token = try await client.accessToken()
                    guard case .signedIn = client.state else { return tell("failed: no user is signed in") }
                    tell("\(refreshes.withLock { $0 } > 0 ? "refreshed" : "found") \(token.reveal())")
                } catch {
                    tell("failed with \(error.code.rawValue)")
                }
            }
        }
    }

    private static func move(_ first: [String], _ second: [String]) async throws {
        guard let first = StoreHarnesses.place(first), let second = StoreHarnesses.place(second) else { CurrentProcess.exit(2) }
        let (one, other) = (try await first.open(), try await second.open())
        while true {
            tell("there \(try await MoveKills.adapter.moveSession(from: one, to: other))")
            tell("back \(try await MoveKills.adapter.moveSession(from: other, to: one))")
        }
    }

    private static func useSessions(_ words: [String]) async throws {
        guard let round = Int64(words[1]), let place = StoreHarnesses.place(Array(words[4...])) else { CurrentProcess.exit(2) }
        // A day for each round, so that the clocks of all rounds are in order, and more than an hour for each token.
        let clock = ManualClock(base: SystemClock())
        clock.advance(by: .seconds(86_400 * round))
        let client = try RotatingBackend.client(of: words[0], on: try await place.open(), clock: clock)
        let credential = PasswordCredential.password(email: words[2], password: Secret(words[3]))
        var turn = round
        while true {
            do throws(AuthError) {
                if case .signedIn = await client.restore() {
                    for _ in 0..<(1 + turn % 4) {
                        clock.advance(by: .seconds(4000))
                        _ = try await client.accessToken()
                        tell("token")
                    }
                    tell("out?")
                    try await client.signOut()
                    tell("out")
                } else {
                    tell("in?")
                    _ = try await client.signIn(with: credential)
                    tell("in")
                }
            } catch {
                tell("failed with \(error.code.rawValue)")
            }
            turn += 1
        }
    }

    private static func replaceSessions(_ words: [String]) async throws {
        guard let place = StoreHarnesses.place(Array(words[3...])) else { CurrentProcess.exit(2) }
        let client = try RotatingBackend.client(of: words[0], on: try await place.open())
        let credential = PasswordCredential.password(email: words[1], password: Secret(words[2]))
        await client.restore()
        for turn in 1... {
            do throws(AuthError) {
                tell("in?")
                _ = try await client.signIn(with: credential)
                tell("in")
                guard turn.isMultiple(of: 3) else { continue }
                await client.settle()
                tell("settled")
            } catch {
                tell("failed with \(error.code.rawValue)")
            }
        }
    }

    /// The process that started it can be gone.
    ///
    /// Then it ends soon.
    private static func tell(_ line: String) { try? StandardStream.output.write(line + "\n") }
}
