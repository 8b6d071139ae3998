import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Tokens in the dashboard of lockstep serve", .limitedConcurrency)
struct DashboardTokenTests {
    /// A browser that has opened the link of a ready line.
    private struct Browser {
        let base: String
        let cookie: String
        let formToken: String

        init(_ link: String) async throws {
            base = String(link.prefix { $0 != "?" }.dropLast())
            let answer = try await CurlTransport().send(HTTPRequest(.get, link))
            cookie = String((answer.headers["Set-Cookie"] ?? "").prefix { $0 != ";" })
            let request = HTTPRequest(.get, base + "/sessions", headers: ["Cookie": cookie])
            let page = try await CurlTransport().send(request).text ?? ""
            formToken = page.firstMatch(of: /name="token" value="([^"]+)"/).map { String($0.1) } ?? ""
        }

        /// The page about a token.
        func page(about token: String) async throws -> String {
            let request = HTTPRequest(
                .post, base + "/sessions/decode", headers: ["Cookie": cookie, "Origin": base],
                body: .form(["token": formToken, "jwt": token]))
            return try await CurlTransport().send(request).text ?? ""
        }
    }

    @Test func eachTokenIsCheckedByItsEmulator() async throws {
        _ = try await ServerProcess.serving(["--mode", "strict"], lines: 3) { lines in
            let browser = try await Browser(try #require(lines[0]["dashboard"]?.string))
            for line in lines {
                func send(_ path: String, _ body: JSON) async throws -> JSON {
                    let request = HTTPRequest(
                        .post, (line["base"]?.string ?? "") + "/__lockstep" + path,
                        headers: ["Authorization": line["control"]?["Authorization"]?.string ?? ""], body: .json(body))
                    return try JSON.parse(try await CurlTransport().send(request).body)
                }
                let user = try await send("/users", ["email": "ada@example.com", "emailConfirmed": true])["id"]?.string ?? ""
                let token = try #require(try await send("/users/\(user)/sign-in", [:])["accessToken"]?.string)
                let page = try await browser.page(about: token)
                #expect(page.contains("The token is valid.") && page.contains("A key of the issuer has signed it"), "\(page)")
                #expect(page.contains(line["base"]?.string ?? "none"))

                var forged = Array(token)
                let last = try #require(forged.lastIndex(of: ".")) + 5
                try #require(last < forged.count)
                forged[last] = forged[last] == "A" ? "B" : "A"
                let other = try await browser.page(about: String(forged))
                let signature = String(forged).split(separator: ".").last.map(String.init) ?? ""
                #expect(other.contains("The token is not valid: signature"), "\(other)")
                #expect(!other.contains(signature))

                _ = try await send("/clock?seconds=172800", [:])
                let later = try await browser.page(about: token)
                #expect(later.contains("The token is not valid: times"), "\(later)")
            }
        }
    }
}
