import Lockstep
import LockstepEmulatorTestSupport
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepClerk

@Suite(.limitedConcurrency)
struct ConfigurationTests {
    @Test(arguments: [
        "", "pk_test_", "pk_test", "pk_prod_Y2xlcmsuZXhhbXBsZS5jb20k", "pk_test_!!!", "pk_test_Y2xlcmsuZXhhbXBsZS5jb20",
        "pk_test_bG9jYWxob3N0JA", "pk_live_JA", "sk_test_abcdefghijkl", "Y2xlcmsuZXhhbXBsZS5jb20k",
    ])
    func wrongKeyIsReported(_ key: String) {
        #expect(code { _ = try ClerkConfiguration(key: key) } == .invalidConfiguration)
    }

    @Test(arguments: [
        ("pk_test_Y2xlcmsuZXhhbXBsZS5jb20k", "https://clerk.example.com"),
        ("pk_live_Y2xlcmsuZXhhbXBsZS5jb20k", "https://clerk.example.com"),
        ("pk_test_MTI3LjAuMC4xOjQwMTEk", "https://127.0.0.1:4011"),
    ])
    func addressIsReadFromTheKey(_ key: String, _ url: String) throws {
        #expect(try ClerkConfiguration(key: key).url == url)
    }

    @Test(arguments: [
        ("http://127.0.0.1:4011/", "http://127.0.0.1:4011"),
        ("https://example.com/__clerk", "https://example.com/__clerk"),
        ("https://example.com/__clerk/v1/", "https://example.com/__clerk"),
        ("http://127.0.0.1:4011/v1", "http://127.0.0.1:4011"),
    ])
    func proxyOverridesTheAddressOfTheKey(_ proxy: String, _ url: String) throws {
        #expect(try ClerkConfiguration(url: proxy, key: Clerk.key).url == url)
    }

    @Test(arguments: [
        "https://clerk.example.com//evil.example", "https://clerk.example.com/../x", "https://clerk.example.com/./x",
        "https://clerk.example.com/x/..", "https://clerk.example.com/%2f..", "https://clerk.example.com/%2e%2e/x",
        "https://clerk.example.com\\\\evil", "https://clerk.example.com?x=1", "https://clerk.example.com#x",
        "https://a:b@clerk.example.com",
        "", "clerk.example.com", "http://clerk.example.com", "https://a@b.example.com", "https://clerk.example.com/?a=b",
        "ftp://clerk.example.com", "https://clerk example.com",
    ])
    func wrongProxyIsReported(_ proxy: String) {
        #expect(code { _ = try ClerkConfiguration(url: proxy, key: Clerk.key) } == .invalidConfiguration)
    }

    @Test(arguments: ["", "app", "app://auth/callback?x=1", "https://app.example.com/#x"])
    func wrongCallbackIsReported(_ callback: String) {
        #expect(code { _ = try ClerkConfiguration(key: Clerk.key, callback: callback) } == .invalidConfiguration)
    }

    @Test func capabilitiesFollowTheConfiguration() throws {
        let full = try Clerk.adapter(Playback()).capabilities
        let plain = try Clerk.adapter(Playback(), callback: nil).capabilities
        #expect(full.subtracting(plain) == [.emailLinkSignIn, .oauth])
        #expect(full.isDisjoint(with: [.anonymous, .poll, .confirmationLink, .photo]))
        #expect(
            plain.isSuperset(of: [.password, .emailCodeSignIn, .phoneCode, .idToken, .ticket, .newPasswordStep, .requirements]))
    }

    @Test func linksAtSignUpNeedACallback() throws {
        #expect(code { _ = try ClerkConfiguration(key: Clerk.key, confirmsByLink: true) } == .invalidConfiguration)
        let configuration = try ClerkConfiguration(key: Clerk.key, callback: "app://auth", confirmsByLink: true)
        let capabilities = ClerkAdapter(configuration, transport: Playback()).capabilities
        #expect(capabilities.contains(.confirmationLink))
        #expect(!capabilities.contains(.confirmationCode))
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
