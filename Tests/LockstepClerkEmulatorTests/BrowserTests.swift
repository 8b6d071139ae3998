import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Pages: cookies, only two methods, other origins, dev browsers and handshakes.
@Suite(.limitedConcurrency)
struct BrowserTests {
    private static let origin = "http://127.0.0.1:5173"

    private func post(_ emulator: TestEmulator, _ target: String, _ form: HTTPForm = [:], cookie: String? = nil) async throws
        -> TestResponse
    {
        var headers: HTTPHeaders = ["Origin": Self.origin]
        if let cookie { headers.append("Cookie", cookie) }
        return try await emulator.send(
            HTTPRequest(.post, emulator.server.base + "/v1" + target, headers: headers, body: .form(form)))
    }

    @Test func aPageKeepsItsClientInACookie() async throws {
        let emulator = try TestEmulator { $0.verifiesEmailAtSignUp = false }
        let made = try await post(
            emulator, "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        let cookie = made.headers["Set-Cookie"] ?? ""
        #expect(cookie.hasPrefix("__client=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        #expect(!cookie.contains("Secure"))
        #expect(made.headers["Authorization"] == nil)
        #expect(made.headers["Access-Control-Allow-Origin"] == Self.origin)
        #expect(made.headers["Access-Control-Allow-Credentials"] == "true")
        let pair = String(cookie.prefix { $0 != ";" })
        let session = made["created_session_id"]
        let token = try await post(emulator, "/client/sessions/\(session)/tokens", cookie: pair).json["jwt"]?.string ?? ""
        #expect(try UnverifiedToken(token).claims["azp"]?.string == Self.origin)
        let renamed = try await post(
            emulator, "/me?_method=PATCH&_clerk_session_id=\(session)", ["first_name": "Ada"], cookie: pair)
        #expect(renamed["first_name"] == "Ada")
        let gone = try await post(emulator, "/client/sessions", ["_method": "DELETE"], cookie: pair)
        #expect(gone.response["sessions"] == [])
        #expect(try await post(emulator, "/client/sessions?_method=PATCH", cookie: pair).status == 405)
    }

    @Test func preflightsAreAnswered() async throws {
        let emulator = try TestEmulator()
        let answer = try await emulator.send(
            HTTPRequest(
                .options, emulator.server.base + "/v1/client",
                headers: [
                    "Origin": Self.origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-own",
                ]))
        #expect(answer.status == 204 && answer.headers["Access-Control-Allow-Headers"] == "x-own")
    }

    @Test func conflictingHeadersAndOldVersionsAreRejected() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        _ = try await device.post("/client")
        let both = try await device.call(.get, "/client", headers: ["Origin": Self.origin])
        #expect(both.status == 400 && both.code == "origin_authorization_headers_conflict")
        let version = try await emulator.send(
            HTTPRequest(.get, emulator.server.base + "/v1/client?__clerk_api_version=1999-01-01"))
        #expect(version.status == 400 && version.code == "api_version_invalid")
        let json = try await emulator.send(HTTPRequest(.post, emulator.server.base + "/v1/client/sign_ins", body: .json([:])))
        #expect(json.status == 415 && json.code == "unsupported_content_type")
        emulator.admin.change { $0.allowsNativeAPI = false }
        #expect(try await device.get("/client").code == "native_api_disabled")
    }

    @Test func oldVersionsGetTokensOfVersionOne() async throws {
        let emulator = try TestEmulator { $0.verifiesEmailAtSignUp = false }
        let made = try await emulator.send(
            HTTPRequest(
                .post, emulator.server.base + "/v1/client/sign_ups?_is_native=1&__clerk_api_version=2024-10-01",
                body: .form(["email_address": "ada@example.com", "password": TestEmulator.password])))
        let token = made.client["sessions"]?[0]?["last_active_token"]?["jwt"]?.string ?? ""
        let claims = try UnverifiedToken(token).claims
        #expect(claims["v"] == nil && claims["sid"] != nil)
    }

    @Test func aDevBrowserNamesTheClient() async throws {
        let emulator = try TestEmulator { $0.verifiesEmailAtSignUp = false }
        let unknown = try await post(emulator, "/client/sign_ins?__clerk_db_jwt=dvb_nobody")
        #expect(unknown.status == 401 && unknown.code == "dev_browser_unauthenticated")
        let browser = try await post(emulator, "/dev_browser").json["id"]?.string ?? ""
        _ = try await post(
            emulator, "/client/sign_ups?__clerk_db_jwt=\(browser)",
            ["email_address": "ada@example.com", "password": TestEmulator.password])
        let client = try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/client?__clerk_db_jwt=\(browser)"))
        #expect(client.response["sessions"]?.array?.count == 1)
    }

    // MARK: Handshakes

    /// The cookie of a browser whose user is signed in.
    private func browser(_ emulator: TestEmulator) async throws -> String {
        let made = try await post(
            emulator, "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        return String(try #require(made.headers["Set-Cookie"]).prefix { $0 != ";" })
    }

    /// The cookies that a site's server sets after a handshake, by the beginnings of their names.
    private func handshake(
        _ emulator: TestEmulator, _ cookie: String, from site: String = "app.example.com"
    ) async throws -> (String) throws -> String {
        let answer = try await emulator.send(
            HTTPRequest(
                .get, emulator.server.base + "/v1/client/handshake?redirect_url=https%3A%2F%2F\(site)%2F&format=nonce",
                headers: ["Cookie": cookie]))
        #expect(answer.status == 307)
        let nonce = try #require(answer.headers["Location"]?.split(separator: "=").last)
        let payload = try await emulator.backend(.get, "/clients/handshake_payload?nonce=\(nonce)").json
        #expect(try await emulator.backend(.get, "/clients/handshake_payload?nonce=\(nonce)").status == 404)
        let directives = (payload["directives"]?.array ?? []).compactMap(\.string)
        #expect(directives.count == 4)
        return { name in
            let directive = try #require(directives.first { $0.hasPrefix(name) })
            return String(directive.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" })
        }
    }

    @Test func handshakeReturnsTheCookies() async throws {
        let emulator = try TestEmulator { $0.verifiesEmailAtSignUp = false }
        let value = try await handshake(emulator, try await browser(emulator))
        #expect(try !value("__clerk_db_jwt=").isEmpty && value("__client_uat=") != "0")
        #expect(try UnverifiedToken(value("__session=")).claims["azp"] == "https://app.example.com")
    }

    /// The site's server gets new tokens with two of the cookies, long after the token has expired.
    @Test func siteServerRefreshesTokens() async throws {
        let emulator = try TestEmulator { $0.verifiesEmailAtSignUp = false }
        let value = try await handshake(emulator, try await browser(emulator))
        let token = try value("__session=")
        emulator.pass(3600)
        let session = try #require(try UnverifiedToken(token).claims["sid"]?.string)
        let right: JSONObject = [
            "expired_token": .string(token), "refresh_token": .string(try value("__refresh_")),
            "request_origin": "https://app.example.com",
        ]
        func refresh(_ changes: JSONObject, of session: String = session) async throws -> TestResponse {
            var body = right
            for (name, value) in changes { body[name] = value }
            return try await emulator.backend(.post, "/sessions/\(session)/refresh?suffixed_cookies=true", .object(body))
        }
        let fresh = try await refresh([:]).json
        let renewed = try UnverifiedToken(try #require(fresh["jwt"]?.string)).claims
        #expect(fresh["object"] == "token" && renewed["sid"]?.string == session)
        let cookies = try await refresh(["format": "cookie"]).json["cookies"]?.array?.compactMap(\.string) ?? []
        #expect(cookies.count == 2 && cookies.allSatisfy { $0.hasPrefix("__session") })
        for wrong in [
            ["expired_token": .string(token + "x")], ["refresh_token": "another"], ["request_origin": "https://evil.example.com"],
        ] as [JSONObject] {
            let refused = try await refresh(wrong)
            #expect(refused.status == 401 && refused.code == "authentication_invalid", "\(wrong)")
        }
        #expect(try await refresh([:], of: "sess_other").status == 401)
        // "A 401 is returned when there are validation errors" (clerk-bapi, RefreshSession).
        for wrong in [
            ["format": "other"], ["expired_token": .null], ["refresh_token": 7], ["request_origin": ""], ["other": "member"],
        ] as [JSONObject] {
            let refused = try await refresh(wrong)
            #expect(refused.status == 401 && refused.code == "authentication_invalid", "\(wrong)")
        }
        _ = try await emulator.backend(.post, "/sessions/\(session)/revoke")
        #expect(try await refresh([:]).code == "authentication_invalid")
    }

    /// A browser has one cookie with this name for each site.
    ///
    /// When a page makes a handshake, the replaced cookie is no longer valid.
    @Test func anotherHandshakeReplacesTheSitesRefreshToken() async throws {
        let emulator = try TestEmulator { $0.verifiesEmailAtSignUp = false }
        let cookie = try await browser(emulator)
        let former = try await handshake(emulator, cookie)
        let elsewhere = try await handshake(emulator, cookie, from: "other.example.com")
        let latter = try await handshake(emulator, cookie)
        func refresh(_ value: (String) throws -> String, _ site: String = "app.example.com") async throws -> Int {
            let token = try value("__session=")
            let session = try #require(try UnverifiedToken(token).claims["sid"]?.string)
            let body: JSON = [
                "expired_token": .string(token), "refresh_token": .string(try value("__refresh_")),
                "request_origin": .string("https://" + site),
            ]
            return try await emulator.backend(.post, "/sessions/\(session)/refresh", body).status
        }
        #expect(try await refresh(former) == 401)
        #expect(try await refresh(latter) == 200)
        #expect(try await refresh(elsewhere, "other.example.com") == 200)
    }
}
