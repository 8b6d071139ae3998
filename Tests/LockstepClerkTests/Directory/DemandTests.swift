import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepDirectory
import LockstepEmulation
import LockstepTestConcurrency
import Testing

/// A directory's report of the instance's settings.
@Suite(.limitedConcurrency)
struct DemandTests {
    @Test func readsTheFrontendEnvironment() async throws {
        try await Instance.run(
            [],
            { settings in
                settings.phoneNumber = .required
                settings.username = .off
                settings.firstName = .required
                settings.secondFactors = [.totp]
                settings.signUpMode = .restricted
            }
        ) { instance in
            let directory = try ClerkDirectory(
                secretKey: instance.server.emulator.secretKey, url: instance.server.base, transport: instance.transport,
                clock: instance.clock)
            let demands = try await directory.demands()
            #expect(demands.phone == .required && demands.username == .off && demands.firstName == .required)
            #expect(demands.email != nil && demands.email != .off && demands.password != nil)
            #expect(demands.secondFactors == [.authenticatorApp])
            #expect(demands.isSignUpOpen == false && demands.allowsAnonymousUsers == false)
            #expect(demands.userQuota == 100 && demands.mailsPerHour == nil)
            // The secret key is sent only to the Backend API.
            let request = try #require(
                instance.server.panel.transcript.entries.last { $0.request.rawPath.hasPrefix("/v1/environment") })
            #expect(request.request.headers["Authorization"] == nil)
        }
    }
}
