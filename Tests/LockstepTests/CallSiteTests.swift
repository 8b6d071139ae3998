import Foundation
import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport
import Testing

/// The first calls of an app's code.
@Suite("The call site")
struct CallSiteTests {
    private let user = User(id: "7f3a", email: "ada@example.com", isEmailVerified: true)

    @Test func userDescriptionMasksTheAddress() {
        #expect("\(user)" == "7f3a (\(EmailAddress.masked("ada@example.com")))")
        #expect(!"\(user)".contains("ada@"))
        #expect("\(User(id: "9", phone: "+14155550123"))" == "9 (+•••0123)")
        #expect("\(User(id: "9", isAnonymous: true))" == "9 (anonymous)")
        #expect("\(User(id: "9", email: "b@example.com"))".hasSuffix(", unverified)"))
        #expect("\(User(id: "9"))" == "9")
    }

    @Test func sessionDescriptionShowsNoTokenOrClaim() {
        let session = Session(
            provider: "gotrue", user: user, accessToken: "access-canary", refreshToken: "refresh-canary",
            lifetime: TokenLifetime(life: .seconds(3600), clock: ManualClock(base: FixedClock())),
            assurance: .twoFactors, claims: ["email": "claim-canary"])
        #expect("\(session)" == "gotrue session of \(user), with a second factor")
    }

    @Test func descriptionsAreReadable() {
        #expect("\(Instant(seconds: 0))" == "1970-01-01T00:00:00.000Z")
        #expect("\(JSON.object(["a": [1, nil, "x"]]))" == #"{"a":[1,null,"x"]}"#)
        #expect("\(JSON.string("a\u{202e}b"))" == #""a\u202eb""#)
        #expect("\(StoreError.Code.unwritable)" == "unwritable")
    }

    @Test func clientDescriptionNamesItsUser() async throws {
        let auth = AuthClient(adapter: InMemoryAdapter(backend: InMemoryBackend()), store: MemorySessionStore())
        await auth.restore()
        #expect(auth.user == nil)
        _ = try await auth.signIn(with: .anonymous)
        #expect(auth.user?.isAnonymous == true)
    }

    @Test func storeAcceptsAURL() async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-url")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try FileSessionStore(directory: URL(fileURLWithPath: "\(folder)/a b"))
        let key = StoreKey(provider: "p", backend: "b", slot: .session)
        try await store.replace(key, with: [1], unlessChangedSince: nil)
        #expect(FileManager.default.fileExists(atPath: "\(folder)/a b"))
        let error = #expect(throws: StoreError.self) {
            try FileSessionStore(directory: URL(string: "https://example.com/sessions")!)
        }
        #expect(error?.code == .unwritable)
    }
}
