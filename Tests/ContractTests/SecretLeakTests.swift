import Testing

@testable import LockstepContracts

/// A finding about a secret names the exchange and the field, so that an author does not have to search a transcript.
@Suite("Places of leaked secrets")
struct SightingTests {
    private static let transcript = """
        GET http://127.0.0.1:1/me
        Authorization: <redacted>
        200

        POST http://127.0.0.1:1/sessions?hint=s3cret-2
        Accept: application/json
        {"handle":"h"}
        200
        {"access":"s3cret-1","user":{"id":"1"}}
        """

    @Test func namesExchangeAndField() throws {
        let seen = try #require(SecretLeak(of: "s3cret-1", in: Self.transcript))
        #expect(seen.exchange == "POST http://127.0.0.1:1/sessions?hint=s3cret-2")
        #expect(seen.field == "access")
        let address = try #require(SecretLeak(of: "s3cret-2", in: Self.transcript))
        #expect(address.exchange == "POST http://127.0.0.1:1/sessions?hint=…" && address.field == "hint")
    }

    @Test func namesAHeader() throws {
        let seen = try #require(SecretLeak(of: "s3cret", in: "GET http://127.0.0.1:1/me\nAuthorization: Bearer s3cret\n"))
        #expect(seen.field == "Authorization")
        #expect(seen.words == " (in the exchange GET http://127.0.0.1:1/me, in the field `Authorization`)")
    }

    @Test func omitsUnknownDetails() throws {
        let seen = try #require(SecretLeak(of: "s3cret", in: "the server said s3cret to us"))
        #expect(seen.exchange == nil && seen.field == nil && seen.words.isEmpty)
        #expect(SecretLeak(of: "other", in: Self.transcript) == nil)
    }
}
