import Lockstep
import LockstepCurl
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepGoTrue

/// The platform's gateway before GoTrue, below `/auth/v1`, requires the project's key.
@Suite(.limitedConcurrency)
struct GatewayTests {
    private func session(_ project: Project, key: String?) async throws -> Session? {
        let configuration = try GoTrueConfiguration(url: project.server.base + "/auth/v1", key: key, callback: Project.callback)
        let adapter = GoTrueAdapter(configuration, transport: CurlTransport(), clock: project.clock)
        return try await PasswordSignIn(api: adapter.api).begin(
            PasswordCredential(email: Project.email, password: Project.password), for: .signIn, in: GoTrue.memory()
        ).session
    }

    @Test func projectKeysAreAccepted() async throws {
        let project = try Project()
        try project.ada()
        #expect(try await session(project, key: project.server.emulator.anonKey) != nil)
        #expect(try await session(project, key: project.server.emulator.publishableKey) != nil)
    }

    @Test(arguments: [nil, "sb_publishable_of_another_project"])
    func aMissingOrWrongKeyIsNamed(_ key: String?) async throws {
        let project = try Project()
        try project.ada()
        let error = try await #require(throws: AuthError.self) { try await session(project, key: key) }
        #expect(error.code == .invalidKey)
    }
}
