import Lockstep
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// A project whose token hook writes claims that differ from the user.
@Suite(.limitedConcurrency)
struct TokenHookTests {
    /// A signed-in client whose tokens contain this claim in place of the user's, and a function that renews its tokens.
    private func hooked(
        _ claim: String, _ value: JSON, _ body: (Project, AuthClient, String, ScriptedServer) async throws -> Void
    ) async throws {
        let hooks = try ScriptedServer.start()
        defer { hooks.stop() }
        let project = try Project { $0.hooks.customAccessToken = .init(address: "\(hooks.base)/claims") }
        let id = try project.ada()
        // The hook returns its input with one member changed. The first request shows the input.
        _ = try? await project.session()
        let asked = try #require(hooks.emulator.requests("claims").last?.json["claims"]?.object)
        hooks.emulator.say("claims", ["claims": .object(asked)])
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        let live = try #require(hooks.emulator.requests("claims").last?.json["claims"]?.object)
        var changed = live
        changed[claim] = value
        changed["exp"] = 4_102_444_800
        hooks.emulator.say("claims", ["claims": .object(changed)])
        project.advance(by: .seconds(7200))
        _ = try await client.accessToken()
        #expect(client.state.session?.claims[claim] == value)
        try await body(project, client, id, hooks.emulator)
    }

    @Test(
        arguments: [
            ("user_metadata", ["plan": "gold"]), ("app_metadata", ["role": "owner"]), ("email", "someone@example.com"),
            ("phone", "15550001111"), ("is_anonymous", true),
        ] as [(String, JSON)])
    func claimOfAHookCausesNoRefreshAtReload(_ claim: String, _ value: JSON) async throws {
        try await hooked(claim, value) { _, client, _, script in
            let before = script.requests("claims").count
            for _ in 0..<4 {
                _ = try await client.refreshUser()
                _ = try await client.accessToken()
            }
            #expect(script.requests("claims").count == before)
        }
    }

    @Test func changedUserCausesOneRefresh() async throws {
        try await hooked("user_metadata", ["plan": "gold"]) { project, client, id, script in
            let before = script.requests("claims").count
            let other = project.client()
            _ = try await other.signIn(with: .password(email: Project.email, password: Project.password))
            _ = try await other.account.update(displayName: "Countess")
            let signedIn = script.requests("claims").count
            for _ in 0..<4 {
                #expect(try await client.refreshUser().displayName == "Countess")
                _ = try await client.accessToken()
            }
            #expect(script.requests("claims").count == signedIn + 1)
            #expect(signedIn > before)
        }
    }
}
