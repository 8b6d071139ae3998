import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The Backend API.
@Suite(.limitedConcurrency)
struct BackendTests {
    @Test func usersAreCreatedReadChangedAndDeleted() async throws {
        let emulator = try TestEmulator()
        let made = try await emulator.backend(
            .post, "/users",
            [
                "email_address": ["Ada@example.com"], "password": .string(TestEmulator.password), "external_id": "old-7",
                "created_at": "2020-01-02T03:04:05.678Z", "private_metadata": ["note": "x"],
            ])
        let id = made.json["id"]?.string ?? ""
        #expect(made.status == 200 && made.json["created_at"] == 1_577_934_245_678)
        #expect(made.json["private_metadata"] == ["note": "x"])
        #expect(made.json["email_addresses"]?[0]?["verification"]?["object"] == "verification_admin")
        #expect(try await emulator.device().signIn().client["sessions"]?[0]?["user"]?["private_metadata"] == nil)
        let taken = try await emulator.backend(
            .post, "/users", ["email_address": ["ada@example.com"], "password": "another good one"])
        #expect(taken.status == 422 && taken.code == "form_identifier_exists" && taken.parameter == "email_address")
        #expect(
            try await emulator.backend(
                .post, "/users", ["email_address": ["b@example.com"], "password": "good one 1", "external_id": "old-7"]
            )
            .parameter == "external_id")
        #expect(try await emulator.backend(.post, "/users", ["email_address": ["b@example.com"]]).code == "form_data_missing")
        #expect(try await emulator.backend(.patch, "/users/\(id)", ["public_metadata": ["a": 1]]).code == "form_param_unknown")
        _ = try await emulator.backend(.put, "/users/\(id)/metadata", ["public_metadata": ["a": 1]])
        _ = try await emulator.backend(.patch, "/users/\(id)/metadata", ["public_metadata": ["b": ["c": 1, "d": 2]]])
        let merged = try await emulator.backend(.patch, "/users/\(id)/metadata", ["public_metadata": ["b": ["c": nil]]])
        #expect(merged.json["public_metadata"] == ["a": 1, "b": ["d": 2]])
        #expect(try await emulator.backend(.get, "/users/count?email_address=ADA@example.com").json["total_count"] == 1)
        #expect(try await emulator.backend(.get, "/users?query=lovelace").json == [])
        #expect(try await emulator.backend(.get, "/users?order_by=colour").code == "form_param_value_invalid")
        let deleted = try await emulator.backend(.delete, "/users/\(id)")
        #expect(deleted.json == ["object": "user", "id": .string(id), "deleted": true])
        #expect(try await emulator.backend(.get, "/users/\(id)").code == "resource_not_found")
    }

    /// The server checks a body before it looks anything up: it names each unknown member and rejects a value of another kind.
    @Test func bodyIsCheckedAgainstItsOperation() async throws {
        let emulator = try TestEmulator()
        let unknown = try await emulator.backend(.patch, "/users/user_none", ["first_name": "A", "colour": 1, "shape": nil])
        #expect(unknown.codes == ["form_param_unknown", "form_param_unknown"])
        let kind = try await emulator.backend(.patch, "/users/user_none", ["skip_password_checks": "yes"])
        #expect(kind.code == "form_param_type_invalid" && kind.parameter == "skip_password_checks")
        let absent = try await emulator.backend(.patch, "/users/user_none", ["skip_password_checks": nil])
        #expect(absent.code == "resource_not_found")
        let bulk = try await emulator.backend(
            .post, "/waitlist_entries/bulk", [["email_address": "a@example.com"], ["colour": 1]])
        #expect(bulk.code == "form_param_unknown")
        #expect(try await emulator.backend(.get, "/waitlist_entries").json["total_count"] == 0)
    }

    @Test func listsArePaged() async throws {
        let emulator = try TestEmulator()
        for number in 0..<5 {
            _ = try await emulator.backend(
                .post, "/users", ["email_address": [.string("u\(number)@example.com")], "skip_password_requirement": true])
            emulator.pass(1)
        }
        let page = try await emulator.backend(.get, "/users?limit=2&offset=1&order_by=created_at").json
        #expect(
            page.array?.compactMap { $0["email_addresses"]?[0]?["email_address"]?.string } == [
                "u1@example.com", "u2@example.com",
            ])
        let next = try await emulator.backend(.get, "/users?limit=2&starting_after=\(page[1]?["id"]?.string ?? "")").json
        #expect(next[0]?["email_addresses"]?[0]?["email_address"] == "u1@example.com")
    }

    /// The cursor supports both orders of creation and no other, and distinguishes users of one moment.
    @Test(arguments: ["-created_at", "+created_at", "created_at"])
    func cursorVisitsEveryUserOfOneMoment(order: String) async throws {
        let emulator = try TestEmulator()
        for number in 0..<5 {
            _ = try await emulator.backend(
                .post, "/users", ["email_address": [.string("u\(number)@example.com")], "skip_password_requirement": true])
        }
        let query = "/users?limit=2&order_by=\(order.replacing("+", with: "%2B"))"
        var seen: [String] = []
        while seen.count < 10 {
            let place = seen.last.map { "&starting_after=\($0)" } ?? ""
            let ids = try await emulator.backend(.get, query + place).json.array?.compactMap { $0["id"]?.string } ?? []
            seen += ids
            if ids.count < 2 { break }
        }
        #expect(seen.count == 5)
        #expect(Set(seen).count == 5)
        let last = try #require(seen.last)
        #expect(try await emulator.backend(.get, query + "&offset=1&starting_after=\(last)").status == 422)
        #expect(try await emulator.backend(.get, "/users?order_by=username&starting_after=\(last)").status == 422)
        #expect(try await emulator.backend(.get, query + "&starting_after=user_gone").code == "resource_not_found")
    }

    @Test func oneAddressReplacesAll() async throws {
        let emulator = try TestEmulator()
        func make(_ addresses: JSON) async throws -> String {
            let body: JSON = ["email_address": addresses, "skip_password_requirement": true]
            return try #require(try await emulator.backend(.post, "/users", body).json["id"]?.string)
        }
        let id = try await make(["a@example.com", "b@example.com"])
        _ = try await make(["taken@example.com"])
        for status in ["verified", "reserved", "unverified"] {
            let answer = try await emulator.backend(
                .put, "/users/\(id)/email_address", ["email_address": "c@example.com", "identification_status": .string(status)])
            #expect(answer.status == 200)
            #expect(answer.json["reserved"]?.bool == (status == "reserved"))
            #expect(answer.json["verification"]?["status"]?.string == (status == "verified" ? "verified" : nil))
            let user = try await emulator.backend(.get, "/users/\(id)").json
            #expect(user["email_addresses"]?.array?.count == 1)
            #expect(user["primary_email_address_id"] == answer.json["id"])
        }
        let taken = try await emulator.backend(.put, "/users/\(id)/email_address", ["email_address": "taken@example.com"])
        #expect(taken.code == "form_identifier_exists")
        let odd = try await emulator.backend(
            .put, "/users/\(id)/email_address", ["email_address": "d@example.com", "identification_status": "odd"])
        #expect(odd.code == "form_param_value_invalid")
    }

    @Test func importedHashesSignIn() async throws {
        let emulator = try TestEmulator()
        // bcrypt and MD5 of "correct horse battery", made with Python's bcrypt and hashlib.
        let digests = [
            ("bcrypt", "$2b$04$t6OCqCWjZTb6e8mjVTnq2uJrphKjAWpYRxFP6onNRC/5RU6uslrAq"),
            ("md5", "88e4ddd2402d92d50e1879d6ecd9ffd4"),
        ]
        for (hasher, digest) in digests {
            let made = try await emulator.backend(
                .post, "/users",
                [
                    "email_address": [.string("\(hasher)@example.com")], "password_digest": .string(digest),
                    "password_hasher": .string(hasher),
                ])
            #expect(made.status == 200, "\(hasher): \(made.json.text())")
            #expect(
                try await emulator.device().signIn("\(hasher)@example.com", password: "wrong password").code
                    == "form_password_incorrect")
            #expect(try await emulator.device().signIn("\(hasher)@example.com")["status"] == "complete")
            #expect(try await emulator.device().signIn("\(hasher)@example.com")["status"] == "complete")
        }
        func refused(_ more: JSONObject) async throws -> String? {
            var body: JSONObject = ["email_address": ["x@example.com"]]
            for (name, value) in more { body[name] = value }
            return try await emulator.backend(.post, "/users", .object(body)).code
        }
        #expect(try await refused(["password_digest": "x", "password_hasher": "bcrypt"]) == "form_password_digest_invalid_code")
        #expect(try await refused(["password_digest": "x", "password_hasher": "rot13"]) == "form_param_value_invalid")
        #expect(try await refused(["password_digest": "x"]) == "form_conditional_param_missing")
    }

    @Test func reservedAddressesSignInUnverified() async throws {
        let emulator = try TestEmulator()
        let made = try await emulator.backend(
            .post, "/users",
            [
                "email_address": ["ada@example.com"], "email_address_identification_status": ["reserved"],
                "password": .string(TestEmulator.password),
            ])
        #expect(
            made.json["email_addresses"]?[0]?["reserved"] == true && made.json["email_addresses"]?[0]?["verification"] == .null)
        #expect(try await emulator.device().signIn()["status"] == "complete")
        #expect(
            try await emulator.device().post("/client/sign_ups", ["email_address": "ada@example.com"]).code
                == "form_identifier_exists")
    }

    @Test func serverVerifiesPasswordsAndBansAndLocksUsers() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let id = try await device.signUp()["created_user_id"]
        #expect(
            try await emulator.backend(.post, "/users/\(id)/verify_password", ["password": .string(TestEmulator.password)]).json
                == [
                    "verified": true
                ])
        let wrong = try await emulator.backend(.post, "/users/\(id)/verify_password", ["password": "wrong password"])
        #expect(wrong.status == 422 && wrong.code == "incorrect_password")
        #expect(try await emulator.backend(.post, "/users/\(id)/lock").json["locked"] == true)
        #expect(try await emulator.device().signIn().code == "user_locked")
        #expect(try await emulator.backend(.post, "/users/\(id)/unlock").json["locked"] == false)
        #expect(try await emulator.backend(.post, "/users/\(id)/ban").json["banned"] == true)
        #expect(try await device.sessionToken().status >= 401)
        #expect(try await emulator.backend(.post, "/users/unban", ["user_ids": [.string(id)]]).json[0]?["banned"] == false)
        #expect(try await emulator.backend(.post, "/users/\(id)/remove_password").json["password_enabled"] == false)
        #expect(try await emulator.backend(.post, "/users/\(id)/verify_password", ["password": "x"]).code == "no_password_set")
    }

    @Test func sessionsAndClientsAreListedAndRevoked() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let done = try await device.signUp()
        let user = done["created_user_id"]
        let list = try await emulator.backend(.get, "/sessions?user_id=\(user)&status=active&paginated=true").json
        #expect(list["total_count"] == 1 && list["data"]?[0]?["user_id"]?.string == user)
        let client = try await emulator.backend(.post, "/clients/verify", ["token": .string(device.token)]).json
        #expect(client["session_ids"]?[0]?.string == done["created_session_id"])
        #expect(try await emulator.backend(.post, "/sessions/\(done["created_session_id"])/revoke").json["status"] == "revoked")
        #expect(
            try await emulator.backend(.post, "/sessions/\(done["created_session_id"])/revoke").code
                == "invalid_action_for_session")
        #expect(try await device.sessionToken().status >= 401)
        let made = try await emulator.backend(.post, "/sessions", ["user_id": .string(user)]).json
        let token = try await emulator.backend(.post, "/sessions/\(made["id"]?.string ?? "")/tokens", ["expires_in_seconds": 600])
        #expect(token.json["jwt"]?.string?.split(separator: ".").count == 3)
    }

    @Test func serverCreatesChangesAndDeletesAddresses() async throws {
        let emulator = try TestEmulator()
        let user = try await emulator.admin.createUser(email: "ada@example.com", password: "correct horse battery")
        let added = try await emulator.backend(
            .post, "/email_addresses",
            ["user_id": .string(user.id), "email_address": "new@example.com", "verified": true, "primary": true])
        #expect(added.json["verification"]?["strategy"] == "admin")
        #expect(try emulator.admin.user(withAddress: "ada@example.com")?.email == "new@example.com")
        let id = added.json["id"]?.string ?? ""
        #expect(try await emulator.backend(.patch, "/email_addresses/\(id)", ["verified": false]).json["verification"] == .null)
        #expect(try await emulator.backend(.delete, "/email_addresses/\(id)").json["deleted"] == true)
        #expect(try emulator.admin.user(withAddress: "ada@example.com")?.email == "ada@example.com")
    }

    @Test func ticketsAreCreatedAndRevoked() async throws {
        let emulator = try TestEmulator()
        let user = try await emulator.admin.createUser(email: "ada@example.com", password: "correct horse battery")
        let made = try await emulator.backend(.post, "/sign_in_tokens", ["user_id": .string(user.id), "expires_in_seconds": 60])
        #expect(made.json["status"] == "pending")
        let id = made.json["id"]?.string ?? ""
        #expect(try await emulator.backend(.post, "/sign_in_tokens/\(id)/revoke").json["status"] == "revoked")
        let used = try await emulator.device().post(
            "/client/sign_ins", ["strategy": "ticket", "ticket": made.json["token"]?.string ?? ""])
        #expect(used.code == "sign_in_token_revoked_code")
        let actor = try await emulator.backend(
            .post, "/actor_tokens", ["user_id": .string(user.id), "actor": ["sub": "user_support"]])
        let done = try await emulator.device().post(
            "/client/sign_ins", ["strategy": "ticket", "ticket": actor.json["token"]?.string ?? ""])
        #expect(done.client["sessions"]?[0]?["actor"] == ["sub": "user_support"])
        #expect(try await emulator.backend(.post, "/testing_tokens").json["object"] == "testing_token")
    }

    @Test func onlyTheSecretKeyIsAccepted() async throws {
        let emulator = try TestEmulator()
        let bare = try await emulator.send(.init(.get, emulator.server.base + "/v1/users"))
        #expect(bare.status == 401 && bare.code == "authorization_header_format_invalid")
        let wrong = try await emulator.send(
            .init(.get, emulator.server.base + "/v1/users", headers: ["Authorization": "Bearer sk_test_wrong"]))
        #expect(wrong.status == 401 && wrong.code == "clerk_key_invalid")
        #expect(wrong.json["clerk_trace_id"]?.string?.count == 32)
        #expect(wrong.headers["Content-Type"] == "application/json")
    }
}
