import LockstepEmulation
import LockstepPrimitives
import LockstepSQLite

/// Routes of every kind that do as little as possible, so that the benchmark measures the shared code.
final class BenchmarkEmulator: Emulator {
    static let provider = "benchmark"

    private let database: Database
    private let key: String

    init(in environment: EmulationEnvironment) throws {
        database = try Database(
            "benchmark", in: environment.storage,
            Schema([
                """
                CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, phone TEXT, created_at INTEGER NOT NULL,
                    confirmed_at INTEGER, name TEXT, logins INTEGER NOT NULL DEFAULT 0)
                """
            ]))
        let key = environment.randomness.uuid()
        self.key = key
        try database.write { connection in
            for number in 0..<100 {
                let id = number == 0 ? key : environment.randomness.uuid()
                try connection.run(
                    """
                    INSERT INTO users (id, email, created_at, name)
                    VALUES (\(id), \("user-\(number)@example.com"), \(environment.now), \("User \(number)"))
                    """)
            }
        }
    }

    func reset() throws {}

    var variables: JSONObject { ["key": .string(key)] }

    var router: Router {
        let database = database
        var router = Router()
        router.on("GET", "/constant") { _ in .json(["id": "constant"]) }
        router.on("GET", "/users/{id}") { request in
            let id = request[placeholder: "id"]
            let user = try database.read { connection in
                try connection.first("SELECT * FROM users WHERE id = \(id)") { row throws(SQLiteError) in try User(row) }
            }
            return user.map { .json($0.json) } ?? .empty(status: 404)
        }
        router.on("POST", "/users/{id}") { request in
            let id = request[placeholder: "id"]
            try database.write { try $0.run("UPDATE users SET logins = logins + 1 WHERE id = \(id)") }
            return .empty()
        }
        router.on("GET", "/later", suspending: { _ in .json(["id": "constant"]) })
        return router
    }
}

private struct User: Sendable {
    var id: String
    var email: String
    var phone: String?
    var createdAt: Instant
    var confirmedAt: Instant?
    var name: String?
    var logins: Int

    init(_ row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        email = try row["email"]
        phone = try row["phone"]
        createdAt = try row["created_at"]
        confirmedAt = try row["confirmed_at"]
        name = try row["name"]
        logins = try row["logins"]
    }

    var json: JSON {
        [
            "id": .string(id), "email": .string(email), "phone": phone.map { .string($0) } ?? .null,
            "created_at": .string(createdAt.rfc3339), "confirmed_at": confirmedAt.map { .string($0.rfc3339) } ?? .null,
            "name": name.map { .string($0) } ?? .null, "logins": .int(Int64(logins)),
        ]
    }
}
