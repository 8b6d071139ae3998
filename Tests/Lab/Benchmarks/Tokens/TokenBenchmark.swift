import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepSystem

/// `lockstep-lab bench tokens [ROUNDS] [FOLDER]`: the time of getting a valid token, in nanoseconds, and the factor if each call
/// reads the store.
struct TokenBenchmark {
    static func run(_ words: [String]) async throws {
        let rounds = words.first.flatMap(Int.init) ?? 1000
        let folder = words.count > 1 ? words[1] : try Folder.makeTemporary()
        let files = "\(folder)/files"
        let backend = InMemoryBackend(randomness: SystemRandomness())
        let client = AuthClient(adapter: InMemoryAdapter(backend: backend), store: try FileSessionStore(directory: files))
        _ = try await client.signIn(with: .anonymous)
        let sent = backend.traffic.requests

        // In hundreds, because a single call is as fast as reading the clock.
        let own = try await median(of: rounds, times: 100) { try await client.accessToken() }
        try print("accessToken()", own, nil)
        guard backend.traffic.requests == sent else { throw StoreError(.corrupt, "A valid token has cost a request.") }
        let now = SystemClock().now.seconds
        for (name, store) in [("files", try FileSessionStore(directory: files)), ("memory", MemorySessionStore())]
            as [(String, any SessionStore)]
        {
            let standIn = StoredSessionActor(store: store)
            try await standIn.keep(tokenOf: 900)
            let time = try await median(of: rounds, times: 1) { try await standIn.accessToken(at: now) }
            try print("actor, store (\(name)), JSON", time, own)
        }
        try Folder.remove(files)
        if words.count < 2 { try Folder.remove(folder) }
    }

    /// The time of one call, as the median of the rounds.
    private static func median<Value>(
        of rounds: Int, times: Int, _ body: () async throws -> Value
    ) async throws -> Double {
        let clock = SystemClock()
        var all: [Double] = []
        for _ in 0..<rounds {
            let start = clock.uptime
            for _ in 0..<times { _ = try await body() }
            let time = (clock.uptime - start).components
            all.append((Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9) / Double(times))
        }
        return all.sorted()[rounds / 2]
    }

    private static func print(_ name: String, _ time: Double, _ own: Double?) throws {
        let ratio = own.map { ", \(Int((time / $0).rounded())) times" } ?? ""
        let padded = name + String(repeating: " ", count: max(1, 32 - name.count))
        try StandardStream.output.write("\(padded)\(Int(time.rounded())) ns\(ratio)\n")
    }
}
