import Lockstep
import LockstepWire
import Testing

@Suite("The address of a backend")
struct BackendAddressTests {
    private func code(_ address: String) -> AuthError.Code? {
        do throws(AuthError) {
            _ = try BackendAddress(address, called: "API address")
            return nil
        } catch { return error.code }
    }

    @Test func removesTrailingSlashes() throws {
        #expect(try BackendAddress("https://api.example.com/v1//", called: "API address").url == "https://api.example.com/v1")
    }

    @Test(arguments: ["https://api.example.com", "http://127.0.0.1:9802", "http://localhost:9802/auth/v1", "http://[::1]:9802"])
    func acceptsHTTPSAndThisMachine(_ address: String) { #expect(code(address) == nil) }

    @Test(arguments: [
        ("127.0.0.1:9802", "http://127.0.0.1:9802"), ("localhost:9802/auth/v1", "http://localhost:9802/auth/v1"),
        ("[::1]:9802", "http://[::1]:9802"), ("ref.supabase.co/auth/v1", "https://ref.supabase.co/auth/v1"),
        ("//api.example.com", "https://api.example.com"), ("http:/localhost:1", "http://localhost:1"),
        ("https:api.example.com", "https://api.example.com"), ("http//127.0.0.1:9", "http://127.0.0.1:9"),
        ("http", "https://http"), ("user:secret@127.0.0.1:9802", "https://api.example.com"),
        ("127.0.0.1:9802?key=secret", "https://api.example.com"),
    ])
    func suggestsTheAddressWithItsScheme(_ given: String, _ meant: String) throws {
        do throws(AuthError) {
            _ = try BackendAddress(given, called: "API address")
            Issue.record("it is accepted")
        } catch {
            #expect(error.message.hasSuffix("it has no scheme. Write \"\(meant)\"."))
            #expect(error.message.contains("\"\(given)\"") || given.contains("secret"))
            #expect(!error.message.contains("secret"))
        }
        #expect(code(meant) == nil)
    }

    @Test(arguments: [
        "", "127.0.0.1:9802", "localhost:9802", "api.example.com", "ftp://api.example.com", "https://", "https:///v1",
        "http://api.example.com", "https://user@api.example.com", "https://api.example.com?x=1", "https://api.example.com#x",
        "https://api.example.com/a/../b", "https://api.example.com/a//b", "https://api.example.com/%2e%2e/b",
    ])
    func rejectsAmbiguousAddresses(_ address: String) { #expect(code(address) == .invalidConfiguration) }
}
