import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepTestConcurrency
import Testing

/// A directory's report of the server's settings.
@Suite(.limitedConcurrency)
struct DemandTests {
    @Test func readsTheServerSettings() async throws {
        let settings = try GoTrueSettings(environment: [
            ("LOCKSTEP_PASSWORD_COST", "least"), ("GOTRUE_DISABLE_SIGNUP", "true"), ("GOTRUE_MAILER_AUTOCONFIRM", "false"),
            ("GOTRUE_EXTERNAL_AZURE_ENABLED", "true"), ("GOTRUE_EXTERNAL_AZURE_CLIENT_ID", "id"),
            ("GOTRUE_EXTERNAL_AZURE_SECRET", "secret"), ("GOTRUE_EXTERNAL_AZURE_REDIRECT_URI", "http://127.0.0.1/callback"),
        ])
        let server = try GoTrueEmulator.start(settings, options: EmulatorOptions())
        defer { server.stop() }
        let directory = try GoTrueDirectory(
            url: server.base, adminKey: server.emulator.serviceRoleKey, transport: CurlTransport())
        let demands = try await directory.demands()
        #expect(demands.email == .optional && demands.username == .off)
        #expect(demands.isSignUpOpen == false && demands.requiresVerifiedEmail == true)
        #expect(demands.providers == [IdentityProvider(rawValue: "microsoft")])
        #expect(demands.secondFactors == nil && demands.mailsPerHour == nil && demands.userQuota == nil)
    }
}
