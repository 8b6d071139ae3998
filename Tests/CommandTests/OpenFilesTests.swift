import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Commands with few file descriptors", .limitedConcurrency)
struct OpenFilesTests {
    /// A limit that the command cannot raise.
    ///
    /// On macOS it is 256 until a process raises it.
    private func run(_ words: String..., within limit: Int) async throws -> ChildProcess.Outcome {
        let script = "ulimit -n \(limit) && exec \"$@\""
        return try await ChildProcess.run(
            "sh", ["-c", script, "sh", Lockstep.executable] + words, within: .seconds(300))
    }

    @Test func compareRunsWithFewFileDescriptors() async throws {
        let run = try await run("compare", "--journeys", "sign-up,token", "--no-contracts", within: 256)
        #expect(run.status == 0, "\(String(decoding: run.errors, as: UTF8.self))")
    }

    /// Twice as many clients as open files wait for messages.
    ///
    /// Each of them waits or gets 503, and every other request gets its response.
    @Test func serveTurnsAwayClientsThatWait() async throws {
        let limit = 96
        let end = try await ServerProcess.serving([], lines: 3, openFiles: limit) { lines in
            let bases = lines.compactMap { $0["base"]?.string } + lines.prefix(1).compactMap { $0["dashboard"]?.string }
            let ports = bases.compactMap { $0.split(separator: "/")[1].split(separator: ":").last.flatMap { Int($0) } }
            #expect(ports.count == 4)
            let responses = try await BlockingThread.run {
                func waiter(_ number: Int) throws -> SocketConnection {
                    let client = try SocketConnection(port: ports[number % 4])
                    try client.write("GET /__lockstep/messages?wait=60 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    return client
                }
                let clients = try (0..<(2 * limit)).map(waiter)
                for port in ports.prefix(3) {
                    for _ in 0..<10 {
                        let client = try SocketConnection(port: port)
                        try client.write("GET /__lockstep/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                        #expect(String(decoding: try client.read(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
                    }
                }
                func response(to client: SocketConnection, within limit: Duration) -> String {
                    do throws(SystemError) {
                        return String(decoding: try client.read(within: limit), as: UTF8.self)
                    } catch {
                        return error.code == SystemError.timedOut ? "waits" : "\(error)"
                    }
                }
                // The dashboard rejects clients without a key. Each of them can take the place of one that waits.
                let (plain, patient) = (clients.indices.filter { $0 % 4 == 3 }, clients.indices.filter { $0 % 4 != 3 })
                let rejections = plain.map { response(to: clients[$0], within: .seconds(60)) }
                let late = try (0..<3).map(waiter)
                return rejections + (patient.map { clients[$0] } + late).map { response(to: $0, within: .milliseconds(20)) }
            }
            let busy = responses.filter { $0.hasPrefix("HTTP/1.1 503 ") && $0.contains("Retry-After: 1\r\n") }
            let waiting = responses.filter { $0 == "waits" }
            let rejected = responses.filter { $0.hasPrefix("HTTP/1.1 401 ") }
            #expect(!busy.isEmpty && !waiting.isEmpty && !rejected.isEmpty)
            #expect(busy.count + waiting.count + rejected.count == responses.count, "\(Set(responses))")
        }
        #expect(end.status == 0)
    }

    /// Fewer environments run at the same time, but every contract is checked.
    @Test func contractsRunsWithFewFileDescriptors() async throws {
        let run = try await run("contracts", "--only", "session.refresh", "--format", "json", within: 128)
        #expect(run.status == 0, "\(run.text)\(String(decoding: run.errors, as: UTF8.self))")
        #expect(run.text.contains("\"verdict\": \"kept\""))
        #expect(!run.text.contains("\"verdict\": \"notChecked\""), "\(run.text)")
    }
}
