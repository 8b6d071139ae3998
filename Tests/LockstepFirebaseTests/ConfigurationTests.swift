import Lockstep
import LockstepEmulatorTestSupport
import LockstepFirebaseDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

@Suite(.limitedConcurrency)
struct ConfigurationTests {
    @Test(arguments: ["", "a b", "key\n", "ya29.token", "owner", #"{"private_key": "x"}"#])
    func wrongKeyIsReported(_ key: String) async throws {
        #expect(try await refusal { try FirebaseConfiguration(key: key) }.code == .invalidConfiguration)
    }

    @Test(arguments: [
        "", "127.0.0.1:9099", "http://example.com:9099", "http://127.0.0.1:9099?x=1", "ftp://127.0.0.1",
        "http://127.0.0.1:9099//evil.example", "http://127.0.0.1:9099/../x", "http://127.0.0.1:9099/./x",
        "http://127.0.0.1:9099/x/..", "http://127.0.0.1:9099/%2f..", "http://127.0.0.1:9099/%2e%2e/x",
        "http://127.0.0.1:9099\\\\evil", "http://127.0.0.1:9099?x=1", "http://127.0.0.1:9099#x", "http://a:b@127.0.0.1:9099",
        "http://127.0.0.1:9099@evil.example",
    ])
    func wrongEmulatorIsReported(_ url: String) async throws {
        #expect(try await refusal { try FirebaseConfiguration(url: url, key: "k") }.code == .invalidConfiguration)
    }

    @Test(arguments: [
        "http://127.0.0.1:9099/", "http://127.0.0.1:9099/identitytoolkit.googleapis.com",
        "http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/", "http://127.0.0.1:9099/securetoken.googleapis.com/v1",
    ])
    func emulatorURLHasTheHostInItsPath(_ url: String) throws {
        let configuration = try FirebaseConfiguration(url: url, key: "k")
        #expect(configuration.identityToolkit == "http://127.0.0.1:9099/identitytoolkit.googleapis.com")
        #expect(try FirebaseConfiguration(key: "k").secureToken == "https://securetoken.googleapis.com")
        #expect(
            try FirebaseDirectory(url: url, project: "demo", transport: Playback()).backend
                == "http://127.0.0.1:9099/identitytoolkit.googleapis.com#demo")
    }

    @Test(arguments: ["https://identitytoolkit.googleapis.com", "https://identitytoolkit.googleapis.com/v1/"])
    func addressOfGoogleIsTheDefault(_ url: String) throws {
        #expect(try FirebaseConfiguration(url: url, key: "k").url == nil)
        #expect(throws: AuthError.self) { try FirebaseDirectory(url: url, project: "demo", transport: Playback()) }
    }

    @Test func capabilitiesFollowTheConfiguration() throws {
        let plain = FirebaseAdapter(try FirebaseConfiguration(key: "k"), transport: Playback())
        #expect(
            plain.capabilities.isDisjoint(with: [.emailLinkSignIn, .confirmationLink, .confirmationCode, .oauth, .phoneCode]))
        #expect(plain.capabilities.isSuperset(of: [.password, .poll, .anonymous, .idToken, .accountDeletion, .ticket]))
        #expect(plain.capabilities.isSuperset(of: [.factorEnrolment, .secondFactor]))
        let full = try Firebase.adapter(Playback())
        #expect(full.capabilities.isSuperset(of: [.emailLinkSignIn, .confirmationLink, .oauth, .phoneCode]))
        #expect(
            full.capabilities.isDisjoint(with: [.signOutEverywhere, .signOutOthers, .emailCodeSignIn, .newPasswordStep]))
    }

    @Test func backendsOfTwoKeysDiffer() throws {
        let first = try FirebaseAdapter(key: "first", transport: Playback())
        let second = try FirebaseAdapter(key: "second", transport: Playback())
        #expect(first.backend != second.backend)
        #expect(!first.backend.contains("first"))
        let tenants = try FirebaseAdapter(
            key: "first", tenant: "shop-a1b2c", sessionEnding: "https://team.example.com/end", transport: Playback())
        #expect(tenants.backend != first.backend && tenants.signOutScopes.contains(.everywhere))
    }
}
