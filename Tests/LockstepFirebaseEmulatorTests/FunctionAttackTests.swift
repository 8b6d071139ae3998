import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Blocking functions that could reach other hosts and other servers of this machine.
@Suite(.limitedConcurrency)
struct FunctionAttackTests {
    private func configure(
        _ emulator: TestEmulator, _ address: String, headers more: HTTPHeaders = [:], path: String? = nil
    ) async throws -> TestEmulator.TestResponse {
        var headers: HTTPHeaders = ["Authorization": "Bearer owner"]
        for field in more { headers.append(field.name, field.value) }
        let project = "/identitytoolkit.googleapis.com/v2/projects/\(emulator.server.emulator.settings.project)/config"
        return try await emulator.send(
            HTTPRequest(
                .patch, emulator.server.base + (path ?? project), query: ["updateMask": "blockingFunctions"], headers: headers,
                body: .json(["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": .string(address)]]]])))
    }

    /// A page could name a server of this machine as a function, and read its response in the error of a sign-up.
    @Test(arguments: [FirebaseMode.emulator, .strict])
    func pageOfAnotherSiteCannotConfigureFunctions(_ mode: FirebaseMode) async throws {
        let neighbour = try ScriptedServer.start()
        defer { neighbour.stop() }
        neighbour.emulator.say("secret", .text("for this machine only", status: 403))
        let emulator = try TestEmulator(mode)
        for headers in [["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"]] as [HTTPHeaders]
        {
            #expect(try await configure(emulator, neighbour.base + "/secret", headers: headers).status == 403)
        }
        let odd = "/identitytoolkit.googleapis.com/v2/%70rojects/\(emulator.server.emulator.settings.project)/config"
        let answer = try await configure(
            emulator, neighbour.base + "/secret", headers: ["Origin": "https://evil.example"], path: odd)
        #expect(answer.status >= 400)
        let user = try await emulator.signUp()
        #expect(user.status == 200 && neighbour.emulator.requests("secret").isEmpty)
        // A page of this machine and a program can.
        for headers in [["Origin": "http://localhost:4000"], [:]] as [HTTPHeaders] {
            #expect(try await configure(emulator, neighbour.base + "/other", headers: headers).status == 200)
        }
    }

    /// A function on another host is reported as unreachable, in every spelling, and the account is not created.
    @Test(arguments: [
        "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[::1]:PORT/f", "http://[::ffff:127.0.0.1]:PORT/f",
        "http://127.0.0.1.nip.io:PORT/f", "http://localtest.me:PORT/f", "http://2130706433:PORT/f", "http://0x7f.1:PORT/f",
        "http://127.0.0.1:PORT@evil.example/f", "https://127.0.0.1:PORT/f", "http://localhost.:PORT/f",
    ])
    func functionsOnOtherHostsAreNotCalled(_ text: String) async throws {
        let server = try ScriptedServer.start()
        defer { server.stop() }
        let emulator = try TestEmulator(.emulator)
        let configured = try await configure(emulator, text.replacing("PORT", with: String(server.port)))
        if configured.status == 200 {
            let refused = try await emulator.signUp()
            #expect(refused.status >= 400 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        }
        #expect(server.emulator.requests("f").isEmpty)
        #expect(try emulator.admin.userCount() == 0)
    }

    @Test(arguments: [301, 302, 307, 308])
    func functionRedirectIsNotFollowed(_ status: Int) async throws {
        let (first, second) = (try ScriptedServer.start(), try ScriptedServer.start())
        defer {
            first.stop()
            second.stop()
        }
        first.emulator.say("f", .redirect(to: second.base + "/next", status: status))
        let emulator = try TestEmulator(.emulator)
        #expect(try await configure(emulator, first.base + "/f").status == 200)
        #expect(try await emulator.signUp().code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(first.emulator.requests("f").count == 1 && second.emulator.requests("next").isEmpty)
        #expect(try emulator.admin.userCount() == 0)
    }

    /// An emulator that is its own function calls itself once for each sign-up, not endlessly.
    @Test func emulatorAsItsOwnFunctionDoesNotLoop() async throws {
        let emulator = try TestEmulator(.emulator)
        let own = emulator.server.base + TestEmulator.toolkit + "accounts:signUp?key=any"
        #expect(try await configure(emulator, own).status == 200)
        _ = try await emulator.signUp()
        #expect(try emulator.admin.userCount() <= 2)
        #expect(try await emulator.get("/").status == 200)
    }
}
