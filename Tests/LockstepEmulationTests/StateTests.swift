import Foundation
import LockstepEmulation
import LockstepPrimitives
import LockstepSQLite
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct StateTests {
    @Test func stateInAFolderSurvivesTheServer() async throws {
        let folder = NSTemporaryDirectory() + "lockstep-" + SystemRandomness().uuid()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = EmulatorOptions()
        options.storage = .folder(folder)
        try await withServer(options) { server async throws in
            _ = try await send("PUT", "/notes/a", to: server, body: "x")
        }
        try await withServer(options) { server async throws in
            #expect(try await send("GET", "/notes/a", to: server).json["text"] == "x")
        }
    }

    @Test func erasingWorksWithForeignKeysInAnyOrder() throws {
        let database = try Database(
            "erase", in: .memory,
            Schema(["CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE b (a INTEGER REFERENCES a(id))"]))
        try database.write { connection in
            try connection.run("INSERT INTO a VALUES (1)")
            try connection.run("INSERT INTO b VALUES (1)")
        }
        try database.erase()
        #expect(
            try database.read { try $0.value("SELECT (SELECT count(*) FROM a) + (SELECT count(*) FROM b)", as: Int.self) } == 0)
    }

    @Test func writersWaitForEachOther() async throws {
        let database = try Database("count", in: .memory, Schema(["CREATE TABLE a (n INTEGER); INSERT INTO a VALUES (0)"]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try database.write { connection in
                        let number = try connection.value("SELECT n FROM a", as: Int.self) ?? 0
                        try connection.run("UPDATE a SET n = \(number + 1)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try database.read { try $0.value("SELECT n FROM a", as: Int.self) } == 50)
    }

    @Test func portInUseIsReported() throws {
        let server = try EmulatorServer { try NotesEmulator(in: $0) }
        defer { server.stop() }
        var options = EmulatorOptions()
        options.port = server.port
        let error = #expect(throws: (any Error).self) { _ = try EmulatorServer(options) { try NotesEmulator(in: $0) } }
        #expect("\(error.map { "\($0)" } ?? "")".contains("\(server.port)"))
    }

    @Test func serversStartAndStopRepeatedly() async throws {
        for _ in 0..<30 {
            try await withServer { server async throws in
                #expect(try await send("GET", "/constant", to: server).status == 200)
            }
        }
    }
}
