import LockstepEmulation
import LockstepPrimitives
import LockstepSQLite

/// A provider for the tests: notes by name, one table, every kind of route.
final class NotesEmulator: Emulator {
    static let provider = "notes"

    let database: Database
    let environment: EmulationEnvironment
    let limiter: RateLimiter
    let bodyLimit = 1000
    let variables: JSONObject = ["key": "k"]

    struct Gone: Error {}

    init(in environment: EmulationEnvironment) throws {
        self.environment = environment
        limiter = RateLimiter(2, per: .seconds(60), clock: environment.clock)
        database = try Database(
            "notes", in: environment.storage,
            Schema([
                "CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL)",
                "CREATE TABLE passes (id INTEGER PRIMARY KEY, expire_at INTEGER NOT NULL)",
            ]))
    }

    func removeExpired(before end: Instant) throws {
        try database.write { try $0.run("DELETE FROM passes WHERE expire_at < \(end)") }
    }

    func reset() throws {
        try database.erase()
        limiter.reset()
    }

    var router: Router {
        var router = Router()
        router.mounts = ["", "/notes/v1"]
        let environment = environment
        let database = database
        let limiter = limiter
        router.before = { request in
            request.method == "OPTIONS" ? .empty().with("Access-Control-Allow-Origin", "*") : nil
        }
        router.after = { _, response in response.headers["X-Notes"] = "1" }
        router.failed = { error, _ in
            error is Gone ? .json(["error": "gone"], status: 410) : .json(["error": .string("\(error)")], status: 500)
        }
        router.refused = { refusal, _ in .json(["refused": .string("\(refusal)")], status: refusal.status) }
        router.testPaths = ["/test-only/"]
        router.on("GET", "/test-only/codes") { _ in .text("123456") }
        router.on("POST", "/passes") { _ in
            try database.write {
                try $0.run("INSERT INTO passes (expire_at) VALUES (\(environment.now + .seconds(3600)))")
            }
            return .empty()
        }
        router.on("GET", "/constant") { _ in .text("constant") }
        router.on("GET", "/notes/{name}") { request in
            let name = request[placeholder: "name"]
            let text: String? = try database.read { try $0.value("SELECT text FROM notes WHERE name = \(name)") }
            guard let text else { throw Gone() }
            return .json(["name": .string(name), "text": .string(text)])
        }
        router.on(
            "PUT", "/notes/{name}",
            suspending: { request in
                let text = try await environment.workers.run { String(decoding: request.body, as: UTF8.self) }
                try database.write {
                    try $0.run("INSERT OR REPLACE INTO notes VALUES (\(request[placeholder: "name"]), \(text))")
                }
                return .empty()
            })
        router.on("GET", "/notes/mine/?") { _ in .text("mine") }
        router.on("POST", "/{name}:shout") { request in .text(request[placeholder: "name"].uppercased()) }
        router.on("GET", "/files/{path...}") { request in .text(request[placeholder: "path"]) }
        router.on("POST", "/mail") { request in
            let form = request.form()
            try environment.outbox.mail(to: form["to"] ?? "", subject: "Your code", text: "Code 123456", code: "123456")
            return .empty()
        }
        router.on("POST", "/limited") { request in
            guard let wait = limiter.admit("all") else { return .empty() }
            return .empty(status: 429).with("Retry-After", String((wait.milliseconds + 999) / 1000))
        }
        router.on("POST", "/wait") { request -> Reply in
            if request.query["now"] != nil { return .now(.text("now")) }
            return .later {
                try await environment.clock.sleep(for: .seconds(3600))
                return .text("later")
            }
        }
        return router
    }
}
