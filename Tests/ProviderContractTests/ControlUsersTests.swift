import Foundation
import Lockstep
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// The users of the control routes are the provider's own: the adapter signs them in, and reads the routes' changes.
@Suite("Users of the control API", .limitedConcurrency)
struct ControlUsersTests {
    private static let password = ControlCalls.password

    @Test(
        "docs/control.md and docs/control.openapi.json match the routes of every provider",
        arguments: ControlledPlace.allCases)
    func routesAreDocumented(_ place: ControlledPlace) async throws {
        let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs")
        let page = try String(contentsOf: docs.appendingPathComponent("control.md"), encoding: .utf8)
        let document = try JSON.parse([UInt8](Data(contentsOf: docs.appendingPathComponent("control.openapi.json"))))
        let operations = try #require(document["paths"]?.object).flatMap { path, methods in
            (methods.object ?? [:]).map { "\($0.name.uppercased()) \(path): \($0.value["summary"]?.string ?? "")" }
        }
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains("/__lockstep/") }.map { String($0) }
        try await place.run { routes async throws in
            let list = try #require(try await routes(.get, "/").json["routes"]?.array)
            let expected = list.map { route in
                "| `\(route["method"]?.string ?? "") \(route["path"]?.string ?? "")` | \(route["summary"]?.string ?? "") |"
            }
            #expect(rows == expected)
            let described = list.map { route in
                "\(route["method"]?.string ?? "") \(route["path"]?.string ?? ""): \(route["summary"]?.string ?? "")"
            }
            #expect(operations.sorted() == described.sorted())
        }
    }

    @Test(
        "a user created by a route signs in until the user is disabled, renamed or deleted",
        arguments: ControlledPlace.allCases)
    func createsUsersThatSignIn(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            var values: JSONObject = [
                "email": "ada@example.com", "emailConfirmed": true, "password": .string(Self.password.reveal()),
                "displayName": "Ada Lovelace", "appMetadata": ["plan": "pro"], "userMetadata": ["team": "red"],
            ]
            if place == .firebase {
                let refused = try await routes(.post, "/users", .object(values))
                #expect(refused.status == 422 && refused.json["error"]?.string?.contains("\"userMetadata\"") == true)
                values["userMetadata"] = JSON?.none
            }
            let made = try await routes(.post, "/users", .object(values))
            #expect(made.status == 201)
            let id = try #require(made.json["id"]?.string)
            let client = try routes.client()
            let session = try #require(
                try await client.signIn(with: .password(email: "ada@example.com", password: Self.password)).session)
            #expect(session.user.id == id && session.user.email == "ada@example.com")
            #expect(session.user.displayName == "Ada Lovelace")

            let shown = try await routes(.get, "/users/\(id)").json
            #expect(shown["emailConfirmed"] == true && shown["hasPassword"] == true && shown["disabled"] == false)
            #expect(shown["userMetadata"]?["team"] == values["userMetadata"]?["team"] && shown["appMetadata"]?["plan"] == "pro")
            #expect(shown["lastSignInAt"]?.string != nil)

            let changed = try await routes(.patch, "/users/\(id)", ["displayName": "Countess", "disabled": true])
            #expect(
                changed.status == 200 && changed.json["displayName"] == "Countess" && changed.json["email"] == "ada@example.com")
            await #expect(throws: AuthError.self) {
                try await routes.client().signIn(with: .password(email: "ada@example.com", password: Self.password))
            }
            #expect(try await routes(.patch, "/users/\(id)", ["disabled": false, "password": "Another-Horse-2"]).status == 200)
            _ = try await routes.client().signIn(with: .password(email: "ada@example.com", password: "Another-Horse-2"))

            #expect(try await routes(.delete, "/users/\(id)").status == 204)
            #expect(try await routes(.get, "/users/\(id)").status == 404)
            #expect(try await routes(.delete, "/users/\(id)").status == 404)
        }
    }

    @Test("an address is changed, removed, and never given to two users", arguments: ControlledPlace.allCases)
    func changesAddresses(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            func make(_ address: String) async throws -> String {
                let made = try await routes(
                    .post, "/users",
                    ["email": .string(address), "emailConfirmed": true, "password": .string(Self.password.reveal())])
                return try #require(made.json["id"]?.string)
            }
            let ada = try await make("ada@example.com")
            let bob = try await make("bob@example.com")
            #expect(try await routes(.post, "/users", ["email": "ADA@example.com"]).status == 409)
            #expect(try await routes(.patch, "/users/\(bob)", ["email": "ada@example.com"]).status == 409)
            #expect(try await routes(.post, "/users", ["email": "no address"]).status == 400)
            let moved = try await routes(.patch, "/users/\(ada)", ["email": "countess@example.com", "emailConfirmed": true])
            #expect(moved.status == 200 && moved.json["email"] == "countess@example.com" && moved.json["emailConfirmed"] == true)
            let session = try await routes.client().signIn(
                with: .password(email: "countess@example.com", password: Self.password)
            ).session
            #expect(session?.user.id == ada)
            // The previous address is free again.
            let other = try await make("ada@example.com")
            #expect(other != ada)
            let phone = try await routes(.patch, "/users/\(bob)", ["phone": "+15550100", "phoneConfirmed": true])
            #expect(phone.json["phone"] == "+15550100" && phone.json["phoneConfirmed"] == true)
            #expect(try await routes(.patch, "/users/\(ada)", ["phone": "+15550100"]).status == 409)
        }
    }

    @Test("a session opened by a route is valid, is listed and is ended by a route", arguments: ControlledPlace.allCases)
    func opensAndEndsSessions(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let made = try await routes(
                .post, "/users",
                [
                    "email": "ada@example.com", "emailConfirmed": true, "password": .string(Self.password.reveal()),
                ])
            let id = try #require(made.json["id"]?.string)
            let opened = try await routes(.post, "/users/\(id)/sign-in")
            #expect(opened.status == 201)
            #expect(opened.json["accessToken"]?.string?.isEmpty == false)
            #expect(opened.json["handover"]?.object?.isEmpty == false)

            let client = try routes.client()
            _ = try await client.signIn(with: .password(email: "ada@example.com", password: Self.password))
            let sessions = try #require(try await routes(.get, "/users/\(id)/sessions").json["sessions"]?.array)
            #expect(sessions.count == 2)
            for session in sessions {
                let name = try #require(session["id"]?.string)
                #expect(try await routes(.delete, "/sessions/\(name)").status == 204)
                #expect(try await routes(.delete, "/sessions/\(name)").status == 404)
            }
            #expect(try await routes(.get, "/users/\(id)/sessions").json["sessions"] == [])
            let life = try #require(client.state.session).lifetime.life
            routes.panel.advance(by: life + .seconds(1))
            routes.clock.advance(by: life + .seconds(1))
            await #expect(throws: AuthError.self) { try await client.accessToken() }
        }
    }

    @Test("a route opens no session for a disabled user", arguments: ControlledPlace.allCases)
    func opensNoSessionForADisabledUser(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let made = try await routes(.post, "/users", ["email": "ada@example.com", "emailConfirmed": true])
            let id = try #require(made.json["id"]?.string)
            #expect(try await routes(.patch, "/users/\(id)", ["disabled": true]).status == 200)
            #expect(try await routes(.post, "/users/\(id)/sign-in").status == 409)
            #expect(try await routes(.get, "/users/\(id)/sessions").json["sessions"] == [])
            #expect(try await routes(.patch, "/users/\(id)", ["disabled": false]).status == 200)
            #expect(try await routes(.post, "/users/\(id)/sign-in").status == 201)
        }
    }

    @Test("requests show their user", arguments: [ControlledPlace.goTrue, .firebase])
    func showsWhoseRequestsTheyAre(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let made = try await routes(
                .post, "/users",
                ["email": "ada@example.com", "emailConfirmed": true, "password": .string(Self.password.reveal())])
            let client = try routes.client()
            _ = try await client.signIn(with: .password(email: "ada@example.com", password: Self.password))
            _ = try await client.refreshUser()
            _ = try? await routes.client().signIn(with: .password(email: "bob@example.com", password: Self.password))
            let users = try await routes(.get, "/requests").json["requests"]?.array?.map { $0["user"]?.string }
            let id = made.json["id"]?.string
            // Firebase's sign-in looks the user up.
            #expect(users?.dropLast().allSatisfy { $0 == id } == true && users?.last == .some(nil), "\(users ?? [])")
            #expect(users?.count == (place == .firebase ? 4 : 3))
        }
    }

    @Test("users are listed in pages and found by a part of their name", arguments: ControlledPlace.allCases)
    func listsUsers(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            var ids: [String] = []
            for number in 0..<5 {
                let made = try await routes(
                    .post, "/users", ["email": .string("user\(number)@example.com"), "displayName": .string("Person \(number)")])
                ids.append(try #require(made.json["id"]?.string))
            }
            var found: [String] = []
            var after = ""
            while true {
                let page = try await routes(.get, "/users?limit=2" + after).json
                let users = try #require(page["users"]?.array)
                if users.isEmpty { break }
                found += users.compactMap { $0["id"]?.string }
                after = "&after=\(page["last"]?.string ?? "")"
            }
            #expect(Set(found) == Set(ids) && found.count == 5)
            let one = try await routes(.get, "/users?query=USER3").json["users"]?.array
            #expect(one?.map { $0["email"] } == ["user3@example.com"])
            #expect(try await routes(.get, "/users?query=nobody%25").json["users"] == [])
            #expect(try await routes(.get, "/users?limit=501").status == 400)
        }
    }

    @Test(
        "an invalid or unknown value is rejected by name, and nothing is created",
        arguments: ControlledPlace.allCases)
    func rejectsWrongValues(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            for (body, name) in [
                (["mail": "a@b.c"], "mail"), (["email": 1], "email"), (["disabled": "yes"], "disabled"),
                (["userMetadata": []], "userMetadata"), (["phone": "abc"], "phone"),
            ] as [(JSON, String)] {
                let refused = try await routes(.post, "/users", body)
                #expect(refused.status == 400, "\(body)")
                #expect(refused.json["error"]?.string?.contains("\"\(name)\"") == true, "\(refused.json)")
            }
            #expect(try await routes(.get, "/users").json["users"] == [])
        }
    }
}
