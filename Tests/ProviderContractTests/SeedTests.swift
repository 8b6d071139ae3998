import Foundation
import Lockstep
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A seed is the provider's own state: the adapter signs its users in, and a written seed can be read again.
@Suite("Seeds", .limitedConcurrency)
struct SeedTests {
    private static let password = ControlCalls.password

    /// Users that every provider can store.
    private static let common: JSON = [
        "version": 1,
        "users": [
            [
                "email": "Ada@example.com", "emailConfirmed": true, "password": .string(password.reveal()),
                "displayName": "Ada Lovelace", "photoURL": "https://example.com/ada.png", "appMetadata": ["plan": "pro"],
                "createdAt": "2026-01-31T12:00:00Z", "lastSignInAt": "2026-02-01T08:30:00.5Z",
                "identities": [["provider": "google", "subject": "1001", "email": "ada@gmail.example"]],
            ],
            [
                "email": "bob@example.com", "emailConfirmed": true, "phone": "+15550100", "phoneConfirmed": true,
                "password": .string(password.reveal()), "disabled": true,
            ],
            [
                "email": "eve@example.com", "emailConfirmed": true,
                "passwordHash": "$2b$04$abcdefghijklmnopqrstuuoVBYqJ6l3EFDwxVc5yIolXKLvX..La.",
            ],
        ],
    ]

    /// Values that only some providers can store.
    private static func own(_ place: ControlledPlace) -> JSON {
        switch place {
        case .goTrue:
            [
                "version": 1,
                "users": [
                    [
                        "id": "7D3C7B1E-0000-4000-8000-000000000001", "email": "ada@example.com", "emailConfirmed": true,
                        "emailConfirmedAt": "2026-02-01T00:00:00Z", "createdAt": "2026-01-31T12:00:00Z",
                        "userMetadata": ["team": "red"], "password": .string(password.reveal()),
                        "factors": [
                            ["id": "7d3c7b1e-0000-4000-8000-0000000000f1", "kind": "totp", "secret": "JBSWY3DPEHPK3PXP"],
                            ["kind": "phone", "phone": "+15550101", "name": "mobile"],
                        ],
                        "sessions": [
                            [
                                "id": "7d3c7b1e-0000-4000-8000-0000000000aa", "refreshToken": "abcdefghijkl",
                                "createdAt": "2026-02-01T00:00:00Z", "userAgent": "curl/8", "address": "127.0.0.1",
                                "method": "otp", "lastUsedAt": "2026-02-02T00:00:00Z",
                            ]
                        ],
                    ],
                    ["anonymous": true, "id": "7d3c7b1e-0000-4000-8000-000000000002"],
                ],
                "settings": ["gotrue": ["GOTRUE_MFA_PHONE_VERIFY_ENABLED": true, "GOTRUE_JWT_EXP": 120]],
            ]
        case .firebase:
            [
                "version": 1,
                "users": [
                    [
                        "id": "ada", "email": "ada@example.com", "emailConfirmed": true, "password": .string(password.reveal()),
                        "factors": [["id": "f1", "kind": "totp", "secret": "JBSWY3DPEHPK3PXP", "name": "app"]],
                        "sessions": [["refreshToken": "AMf-ada", "method": "google.com"], ["secondFactor": true]],
                    ],
                    ["id": "guest", "anonymous": true], ["id": "custom"],
                ],
            ]
        case .clerk:
            [
                "version": 1,
                "users": [
                    [
                        "id": "user_ada", "email": "ada@example.com", "emailConfirmed": true, "externalID": "ada-1",
                        "userMetadata": ["team": "red"], "privateMetadata": ["note": "x"], "password": .string(password.reveal()),
                        "factors": [["kind": "totp", "secret": "JBSWY3DPEHPK3PXP"], ["kind": "phone", "phone": "+15550101"]],
                        "sessions": [["id": "sess_1", "userAgent": "curl/8"]],
                    ]
                ],
                "organizations": [
                    [
                        "id": "org_1", "name": "Analytical Engines", "slug": "engines", "appMetadata": ["plan": "pro"],
                        "members": [["user": "ada@example.com", "role": "org:admin"]],
                    ]
                ], "settings": ["clerk": ["SECOND_FACTORS": "totp,phone_code"]],
            ]
        }
    }

    @Test("a seeded user signs in with the adapter, and a disabled one does not", arguments: ControlledPlace.allCases)
    func seededUsersSignIn(_ place: ControlledPlace) async throws {
        try await place.run { calls async throws in
            let put = try await calls(.put, "/seed", Self.common)
            #expect(put.status == 200 && put.json["users"] == 3, "\(put.json)")
            let session = try #require(
                try await calls.client().signIn(with: .password(email: "ada@example.com", password: Self.password)).session)
            #expect(session.user.displayName == "Ada Lovelace" && session.user.email == "ada@example.com")
            _ = try await calls.client().signIn(with: .password(email: "eve@example.com", password: Self.password))
            #expect(session.user.createdAt == Instant(rfc3339: "2026-01-31T12:00:00Z"))
            await #expect(throws: AuthError.self) {
                try await calls.client().signIn(with: .password(email: "bob@example.com", password: Self.password))
            }
        }
    }

    @Test("a state that is written as a seed and read again is the same state", arguments: ControlledPlace.allCases)
    func writtenStateIsReadAgain(_ place: ControlledPlace) async throws {
        try await place.run { calls async throws in
            for seed in [Self.common, Self.own(place)] {
                let put = try await calls(.put, "/seed", seed)
                #expect(put.status == 200, "\(put.json)")
                let written = try await calls(.get, "/seed").json
                let listed = try await calls(.get, "/users").json
                #expect(written["users"]?.array?.count == seed["users"]?.array?.count)
                #expect(try await calls(.put, "/seed", written).status == 200)
                #expect(try await calls(.get, "/seed").json == written)
                #expect(try await calls(.get, "/users").json == listed)
            }
        }
    }

    @Test("users created by sign-ups and changes are written and read again", arguments: ControlledPlace.allCases)
    func usedStateIsReadAgain(_ place: ControlledPlace) async throws {
        try await place.run { calls async throws in
            let client = try calls.client()
            _ = try await client.signUp(with: .password(email: "joe@example.com", password: Self.password))
            let made = try await calls(
                .post, "/users",
                ["email": "ada@example.com", "emailConfirmed": true, "password": .string(Self.password.reveal())])
            let id = try #require(made.json["id"]?.string)
            #expect(try await calls(.post, "/users/\(id)/sign-in").status == 201)
            let written = try await calls(.get, "/seed").json
            let listed = try await calls(.get, "/users").json
            let sessions = try await calls(.get, "/users/\(id)/sessions").json
            #expect(written["users"]?.array?.last?["sessions"]?.array?.count == 1)
            let put = try await calls(.put, "/seed", written)
            #expect(put.status == 200, "\(put.json)")
            #expect(try await calls(.get, "/seed").json == written)
            #expect(try await calls(.get, "/users").json == listed)
            #expect(try await calls(.get, "/users/\(id)/sessions").json == sessions)
            _ = try await calls.client().signIn(with: .password(email: "ada@example.com", password: Self.password))
        }
    }

    @Test("a reset restores the seed with the same ids, unless the caller disables this", arguments: ControlledPlace.allCases)
    func resetReplaysSeed(_ place: ControlledPlace) async throws {
        try await place.run { calls async throws in
            #expect(try await calls(.put, "/seed", Self.common).status == 200)
            func ids() async throws -> [String] {
                try await calls(.get, "/users").json["users"]?.array?.compactMap { $0["id"]?.string } ?? []
            }
            let seeded = try await ids()
            #expect(try await calls(.delete, "/users/\(seeded[0])").status == 204)
            #expect(try await calls(.post, "/users", ["email": "new@example.com"]).status == 201)
            #expect(try await calls(.post, "/reset").status == 200)
            #expect(try await ids() == seeded)
            _ = try await calls.client().signIn(with: .password(email: "ada@example.com", password: Self.password))
            #expect(try await calls(.post, "/reset?seed=false").status == 200)
            #expect(try await ids() == [])
            #expect(try await calls(.post, "/reset?seed=no").status == 400)
        }
    }

    @Test("a value that a provider cannot keep changes nothing, and is named", arguments: ControlledPlace.allCases)
    func rejectedSeedChangesNothing(_ place: ControlledPlace) async throws {
        try await place.run { calls async throws in
            #expect(try await calls(.put, "/seed", Self.common).status == 200)
            let before = try await calls(.get, "/seed").json
            let provider = calls.ready.provider
            let user: JSONObject =
                switch place {
                case .goTrue: ["email": "last@example.com", "privateMetadata": ["a": 1]]
                case .firebase: ["email": "last@example.com", "userMetadata": ["a": 1]]
                case .clerk: ["email": "last@example.com", "id": "last"]
                }
            let value = user.names[1]
            let bad: [([JSON], Int, [String])] = [
                ([["email": "first@example.com"], .object(user)], 422, ["\"\(value)\"", "last@example.com", provider]),
                ([["email": "a@example.com"], ["email": "A@example.com"]], 422, ["a@example.com", provider]),
                ([["email": "a@example.com", "passwordHash": "none"]], 422, ["\"passwordHash\"", "a@example.com", provider]),
                ([["emial": "a@example.com"]], 400, ["users[0]", "\"emial\"", "\"email\""]),
            ]
            for (users, status, words) in bad {
                let put = try await calls(.put, "/seed", ["version": 1, "users": .array(users)])
                let sentence = put.json["error"]?.string ?? ""
                #expect(put.status == status)
                for word in words { #expect(sentence.lowercased().contains(word.lowercased()), "\(sentence) lacks \(word)") }
                #expect(try await calls(.get, "/seed").json == before)
            }
            // The user is skipped because it is limited to another provider.
            var limited = user
            limited["only"] = [place == .goTrue ? "clerk" : "gotrue"]
            let put = try await calls(.put, "/seed", ["version": 1, "users": [.object(limited)]])
            #expect(put.status == 200 && put.json["users"] == 0)
        }
    }

    /// With work for each pair of factors, 4,000 would take many minutes.
    @Test("a user with thousands of second factors is read as fast as as many users", .timeLimit(.minutes(2)))
    func manyFactorsTakeTimeForEachOnce() async throws {
        for place in ControlledPlace.allCases {
            try await place.run { calls async throws in
                let factors = (0..<4000).map { JSON.object(["kind": "phone", "phone": .string("+1555\(1_000_000 + $0)")]) }
                let seed: JSON = [
                    "version": 1,
                    "users": [["email": "ada@example.com", "emailConfirmed": true, "factors": .array(factors)]],
                    "settings": ["gotrue": ["GOTRUE_MFA_PHONE_VERIFY_ENABLED": true]],
                ]
                #expect(try await calls(.put, "/seed", seed).status == 200)
                let user = try await calls(.get, "/users").json["users"]?[0]
                #expect(user?["factors"]?.array?.count == 4000)
            }
        }
    }

    @Test("second factors stay in a seed after the address has changed", arguments: [ControlledPlace.clerk, .firebase])
    func factorsOfAChangedUserAreReadAgain(_ place: ControlledPlace) async throws {
        try await place.run { calls async throws in
            let id = try await calls.makeUser()
            let added = try await calls(.post, "/users/\(id)/factors", ["kind": "phone", "phone": "+15550101"])
            #expect(added.status == 201)
            for change in [["email": "new@example.com"], ["email": ""]] as [JSON] {
                #expect(try await calls(.patch, "/users/\(id)", change).status == 200)
                let written = try await calls(.get, "/seed").json
                #expect(written["users"]?[0]?["factors"]?.array?.count == 1)
                let put = try await calls(.put, "/seed", written)
                #expect(put.status == 200, "\(put)")
                #expect(try await calls(.get, "/seed").json == written)
            }
        }
    }
}
