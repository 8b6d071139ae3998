import Lockstep
import LockstepContracts
import LockstepPrimitives
import LockstepSQLiteStore
import LockstepSystem

/// `lockstep-lab bench sessions [ROUNDS] [FOLDER]`: the time of a sign-in with a password on each store, in microseconds: by a
/// signed-out user, over a session, and over a session until the old one has ended on the backend.
///
/// The backend is GoTrue's emulator in this process, with the cheapest hash. The folder decides which disk is measured.
struct SessionBenchmark {
    static func run(_ words: [String]) async throws {
        let rounds = words.first.flatMap(Int.init) ?? 100
        let folder = words.count > 1 ? words[1] : try Folder.makeTemporary()
        let (files, database) = ("\(folder)/files", "\(folder)/sqlite")
        let stores: [(name: String, store: any SessionStore)] = [
            ("memory", MemorySessionStore()), ("files", try FileSessionStore(directory: files)),
            ("sqlite", try SQLiteSessionDatabase(directory: database).store(for: "ada")),
        ]
        try print("store", "signed out", "over a session", "until its end", "over / signed out")
        try await RotatingBackend.with { backend in
            for (name, store) in stores { try await measure(name, try backend.client(on: store), backend, rounds) }
        }
        for path in [files, database] { try Folder.remove(path) }
        if words.count < 2 { try Folder.remove(folder) }
    }

    private static func measure(_ name: String, _ client: AuthClient, _ backend: RotatingBackend, _ rounds: Int) async throws {
        let clock = SystemClock()
        let credential = PasswordCredential.password(email: backend.email, password: backend.password)
        var (out, over, end): ([Duration], [Duration], [Duration]) = ([], [], [])
        _ = try await client.signIn(with: credential)
        for _ in 0..<rounds {
            try await client.signOut()
            await client.settle()
            var start = clock.uptime
            _ = try await client.signIn(with: credential)
            out.append(clock.uptime - start)
            start = clock.uptime
            _ = try await client.signIn(with: credential)
            over.append(clock.uptime - start)
            await client.settle()
            end.append(clock.uptime - start)
        }
        let medians = [out, over, end].map { $0.sorted()[rounds / 2] }
        let ratio = Int(medians[1] / medians[0] * 100)
        try print(name, medians[0].text, medians[1].text, medians[2].text, "\(ratio / 100).\(ratio % 100 / 10)\(ratio % 10)")
    }

    private static func print(_ columns: String...) throws {
        let line = columns.map { $0 + String(repeating: " ", count: max(1, 18 - $0.count)) }.joined()
        try StandardStream.output.write(line + "\n")
    }
}

extension Duration {
    /// In microseconds.
    fileprivate var text: String { String(components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000) }
}
