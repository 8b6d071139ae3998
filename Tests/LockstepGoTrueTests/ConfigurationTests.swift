import Lockstep
import LockstepEmulatorTestSupport
import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

@Suite(.limitedConcurrency)
struct ConfigurationTests {
    @Test(arguments: [
        "", "ref.supabase.co", "ftp://ref.supabase.co", "https://", "https://ref.supabase.co/auth/v1?x=1", "https://a@b.co/auth",
        "http://ref.supabase.co/auth/v1", "http://10.0.0.1:9999", "https://ref.supabase.co/auth v1",
        "https://ref.supabase.co//evil.example", "https://ref.supabase.co/../x", "https://ref.supabase.co/./x",
        "https://ref.supabase.co/x/..", "https://ref.supabase.co/%2f..", "https://ref.supabase.co/%2e%2e/x",
        "https://ref.supabase.co\\\\evil", "https://ref.supabase.co?x=1", "https://ref.supabase.co#x",
        "https://a:b@ref.supabase.co", "https://ref.supabase.co/rest/v1", "https://ref.supabase.co/auth",
    ])
    func wrongAddressIsReported(_ url: String) {
        #expect(throws: AuthError.self) { try GoTrueConfiguration(url: url, key: "anon") }
        #expect(code { _ = try GoTrueConfiguration(url: url, key: "anon") } == .invalidConfiguration)
    }

    @Test(arguments: [
        ("https://ref.supabase.co", "https://ref.supabase.co/auth/v1"),
        ("https://ref.supabase.co/", "https://ref.supabase.co/auth/v1"),
        ("https://ref.supabase.co/auth/v1/", "https://ref.supabase.co/auth/v1"),
        ("http://127.0.0.1:9999", "http://127.0.0.1:9999"),
        ("https://auth.example.com", "https://auth.example.com"),
        ("https://api.example.com/auth/v1//", "https://api.example.com/auth/v1"),
        ("http://localhost:54321/auth/v1", "http://localhost:54321/auth/v1"),
    ])
    func addressIsCompleted(_ given: String, _ used: String) throws {
        #expect(try GoTrueConfiguration(url: given, key: nil).url == used)
        #expect(try GoTrueDirectory(url: given, adminKey: "sb_secret_x", transport: Playback()).backend == used)
    }

    @Test func errorNamesAddressOfHostedProject() {
        let error = #expect(throws: AuthError.self) {
            try GoTrueConfiguration(url: "https://ref.supabase.co/rest/v1", key: "anon")
        }
        #expect(error?.message.contains("Write \"https://ref.supabase.co/auth/v1\"") == true)
    }

    @Test(arguments: [
        "", "sb_secret_abc", "anon\nkey", GoTrue.token(["role": "service_role"]), GoTrue.token(["role": "supabase_admin"]),
        GoTrue.token(["role": "authenticated", "sub": "1"]),
    ])
    func wrongKeyIsReported(_ key: String) {
        #expect(code { _ = try GoTrueConfiguration(url: GoTrue.url, key: key) } == .invalidConfiguration)
    }

    @Test(arguments: ["sb_publishable_abc", GoTrue.token(["role": "anon"]), "opaque"])
    func publicKeyIsAccepted(_ key: String) throws {
        #expect(try GoTrueConfiguration(url: GoTrue.url, key: key).key == key)
    }

    @Test func capabilitiesFollowTheConfiguration() throws {
        let plain = GoTrueAdapter(try GoTrueConfiguration(url: GoTrue.url, key: nil), transport: Playback())
        #expect(plain.capabilities.isDisjoint(with: [.emailLinkSignIn, .oauth, .confirmationLink, .accountDeletion]))
        #expect(plain.capabilities.isSuperset(of: [.password, .emailCodeSignIn, .anonymous, .idToken, .confirmationCode]))
        let full = try GoTrue.adapter(Playback())
        #expect(full.capabilities.isSuperset(of: [.emailLinkSignIn, .oauth, .confirmationLink, .accountDeletion]))
        #expect(full.capabilities.isSuperset(of: [.ticket, .passkey, .factorEnrolment]))
        #expect(full.capabilities.isDisjoint(with: [.poll, .newPasswordStep, .requirements]))
    }

    /// The default templates of a hosted project contain a link and no code.
    @Test func codeIsOfferedOnlyIfMailsShowIt() async throws {
        var configuration = try GoTrueConfiguration(url: GoTrue.url, key: nil, callback: "app://auth")
        configuration.mailsShowCodes = false
        let hosted = GoTrueAdapter(configuration, transport: Playback())
        #expect(hosted.capabilities.isDisjoint(with: [.emailCodeSignIn, .confirmationCode]))
        #expect(hosted.capabilities.isSuperset(of: [.emailLinkSignIn, .confirmationLink, .phoneCode, .password]))
        // Without a callback URL only a code can verify an address.
        var plain = try GoTrueConfiguration(url: GoTrue.url, key: nil)
        plain.mailsShowCodes = false
        #expect(GoTrueAdapter(plain, transport: Playback()).capabilities.isSuperset(of: [.emailCodeSignIn, .confirmationCode]))
    }

    private func code(_ body: () throws -> Void) -> AuthError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AuthError)?.code
        }
    }
}
