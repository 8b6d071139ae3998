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

    /// The OpenAPI file is written by hand: to generate it, each route would need a schema that nothing else reads.
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
            #expect(try await routes(.patch, "/users/\(ids[3])", ["phone": "+15550103"]).status == 200)
            let part = ids[3].dropFirst(3).lowercased()
            for query in ["USER3", "person%203", "%2B15550103", part] {
                let one = try await routes(.get, "/users?query=" + query).json["users"]?.array
                #expect(one?.map { $0["email"] } == ["user3@example.com"], "\(query)")
            }
            #expect(try await routes(.get, "/users?query=nobody%25").json["users"] == [])
            #expect(try await routes(.get, "/users?limit=501").status == 400)
            // A search takes time for each of its letters and each user.
            #expect(try await routes(.get, "/users?query=" + String(repeating: "a", count: 256)).json["users"] == [])
            #expect(try await routes(.get, "/users?query=" + String(repeating: "a", count: 257)).status == 400)
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

    /// Values of one user, most of which break a rule of at least one provider.
    private static func doubtful(_ place: ControlledPlace) -> [JSONObject] {
        let text = { (count: Int) in JSON.string(String(repeating: "a", count: count)) }
        let values: [JSONObject] = [
            ["password": text(73)], ["password": .string(String(repeating: "ü", count: 37))], ["password": ""],
            ["password": "a\u{0}b"], ["password": "x"], ["email": "no address"], ["email": "a\u{0}@example.com"],
            ["email": .string(String(repeating: "a", count: 300) + "@example.com")], ["emailConfirmed": true],
            ["phoneConfirmed": true], ["phone": "0", "phoneConfirmed": true], ["phone": "+15550100", "phoneConfirmed": false],
            ["displayName": "a\u{0}b"], ["displayName": text(100_000)], ["photoURL": "javascript:x"],
            ["appMetadata": ["sub": "x"]], ["appMetadata": ["a": text(1000)]], ["appMetadata": ["provider": 5]],
            ["appMetadata": ["a": text(9000)]], ["userMetadata": ["a": text(9000)]], ["privateMetadata": ["a": text(9000)]],
            ["userMetadata": ["display_name": 5]],
        ]
        // Clerk chooses the ids of users whom a route creates.
        if place == .clerk { return values }
        return values + [["id": ""], ["id": text(129)], ["id": "a/b"], ["id": "7d3c7b1e-0000-4000-8000-000000000001"]]
    }

    @Test(
        "a route refuses each value that a seed refuses, changes nothing then, and stores only what a seed can store",
        arguments: ControlledPlace.allCases)
    func routesHaveTheRulesOfSeeds(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            for values in Self.doubtful(place) {
                let seed = try await routes(.put, "/seed", ["version": 1, "users": [.object(values)]])
                let isStorable = seed.status == 200
                #expect(isStorable || [400, 422].contains(seed.status), "\(values) \(seed)")
                #expect(try await routes(.post, "/reset?seed=false").status == 200)
                let made = try await routes(.post, "/users", .object(values))
                #expect(isStorable ? made.status == 201 : [400, 409, 422].contains(made.status), "\(values) \(made)")
                #expect(try await routes(.get, "/users").json["users"]?.array?.count == (isStorable ? 1 : 0), "\(values)")
                if values["id"] == nil {
                    let base = try await routes(.post, "/users", ["displayName": "Base"])
                    let path = "/users/\(base.json["id"]?.string ?? "")"
                    let changed = try await routes(.patch, path, .object(values))
                    // The new user already has the address or the number.
                    let isTaken = (values["phone"] ?? values["email"]) != nil
                    let expected = isStorable ? [isTaken ? 409 : 200] : [400, 422]
                    #expect(expected.contains(changed.status), "\(values) \(changed)")
                    if changed.status != 200 { #expect(try await routes(.get, path).json == base.json, "\(values)") }
                }
                let written = try await routes(.get, "/seed").json
                let again = try await routes(.put, "/seed", written)
                #expect(again.status == 200, "\(values) \(again)")
            }
        }
    }

    @Test("an address that a user already has becomes the primary one", arguments: [ControlledPlace.clerk])
    func promotesAnotherAddress(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let user: JSON = [
                "id": "user_ada", "email": "ada@example.com", "otherEmails": [["value": "two@example.com", "confirmed": true]],
            ]
            #expect(try await routes(.put, "/seed", ["version": 1, "users": [user]]).status == 200)
            let changed = try await routes(.patch, "/users/user_ada", ["email": "two@example.com"])
            #expect(changed.status == 200 && changed.json["email"] == "two@example.com" && changed.json["emailConfirmed"] == true)
        }
    }

    @Test("a number of a user of another audience is taken", arguments: [ControlledPlace.goTrue])
    func numbersAreUniqueAmongAudiences(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let user: JSON = ["email": "ada@example.com", "phone": "+15550100", "audience": "other"]
            #expect(try await routes(.put, "/seed", ["version": 1, "users": [user]]).status == 200)
            for values in [["phone": "+15550100"], ["email": "ada@example.com"]] as [JSON] {
                #expect(try await routes(.post, "/users", values).status == 409)
            }
        }
    }
}
