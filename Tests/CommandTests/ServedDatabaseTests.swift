import LockstepCurl
import LockstepHTTP
import LockstepPostgresServer
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep serve gotrue --database", .timeLimit(.minutes(5)), .limitedConcurrency)
struct ServedDatabaseTests {
    private static func signUp(_ line: JSON, _ email: String) async throws -> Int {
        let base = try #require(line["base"]?.string)
        return try await CurlTransport().send(
            HTTPRequest(
                .post, base + "/signup", headers: [:], body: .json(["email": .string(email), "password": "Correct-Horse-1"]))
        ).status
    }

    /// A server that keeps running would keep its folder and its memory after each rehearsal.
    @Test func postgresStopsWithItsLastReference() async throws {
        func leave() async throws -> String {
            let server = try await PostgresServer()
            let address = try await server.makeDatabase()
            let host = address.dropFirst("host=".count).prefix { $0 != " " }
            #expect(try FileStatus(of: "\(host)/.s.PGSQL.5432") != nil, "\(address)")
            return String(host)
        }
        let host = try await leave()
        #expect(try FileStatus(of: String(host.dropLast("/first".count))) == nil, "\(host)")
    }

    @Test func usersStayInTheDatabase() async throws {
        let postgres = try await PostgresServer.shared()
        let address = try await postgres.makeDatabase()
        let arguments = ["gotrue", "--database", address, "--create-schema"]
        _ = try await ServerProcess.serving(arguments, lines: 1) { lines in
            let line = try #require(lines.first)
            #expect(line["vars"]?["database"]?.string?.contains("for tests and rehearsals") == true)
            #expect(line.text().contains(address) == false)
            #expect(try await Self.signUp(line, "ada@example.com") == 200)
        }
        #expect(try await postgres.sql("SELECT email FROM auth.users", in: address) == "ada@example.com")
        _ = try await ServerProcess.serving(arguments, lines: 1) { lines in
            let line = try #require(lines.first)
            #expect(try await Self.signUp(line, "bob@example.com") == 200)
        }
        #expect(try await postgres.sql("SELECT count(*) FROM auth.users", in: address) == "2")
    }

    @Test func saysThatTheDatabaseIsForRehearsals() async throws {
        let address = try await PostgresServer.shared().makeDatabase()
        let errors = try await ServerProcess.errors(of: ["gotrue", "--database", address, "--create-schema"])
        #expect(errors.hasPrefix("gotrue: users are in schema auth of database test_"), "\(errors)")
        #expect(errors.contains("(for tests and rehearsals)"))
    }

    @Test func unusableDatabaseExits2() async throws {
        let address = try await PostgresServer.shared().makeDatabase()
        for (arguments, words) in [
            (["gotrue", "--database", address], "has no schema auth. Add --create-schema"),
            (["gotrue", "--database", "host=/nowhere dbname=x"], "Check that the server is running"),
            (["gotrue", "--database", "host=db.example.com sslmode=disable"], "sslmode=verify-full"),
            (["gotrue", "--database", "password=abcdef nonsense"], "neither key=value pairs nor a PostgreSQL URI"),
            (["firebase", "--database", address], "--database needs the gotrue provider"),
            (["gotrue", "--create-schema"], "--create-schema needs --database"),
            (["gotrue", "--database", address, "--data", "/tmp"], "cannot be used together"),
        ] {
            let run = try await Lockstep.run(["serve", "--port", "0"] + arguments)
            #expect(run.status == 2, "\(arguments)")
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("abcdef"), "\(run.errors)")
        }
    }
}
