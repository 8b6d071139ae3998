import Lockstep
import Testing

@Suite("An e-mail address")
struct EmailAddressTests {
    @Test(arguments: [" ada@example.com ", "\tada@example.com\n", "ada@example.com"])
    func isTrimmed(_ typed: String) throws {
        #expect(try EmailAddress(typed).text == "ada@example.com")
    }

    @Test(arguments: [
        "", "ada", "ada@", "@example.com", "ada@example", "a@x.com,b@y.com", "a@x.com;b@y.com", "a@x.com\r\nBcc: b@y.com",
        "\"a\" <b@y.com>",
        "ada@@example.com", "ada@exa mple.com", "ada@example..com", "ada＠example.com", "ada@example.com\u{200B}",
        "\u{212A}ate@example.com",
        "ada@example.com\0", "ada@-example.com",
    ])
    func isRefusedWhereItIsNotExactlyOnePlainAddress(_ typed: String) {
        #expect(throws: AuthError.self) { try EmailAddress(typed) }
        do { _ = try EmailAddress(typed) } catch { #expect(error.code == .invalidEmail) }
    }

    @Test func isMaskedForScreens() {
        #expect(EmailAddress.masked("ada.lovelace@example.com") == "a•••@example.com")
        #expect(EmailAddress.masked("nonsense") == "•••")
    }

    @Test(arguments: ["+491701234567", " +15555550100 "])
    func phonesInE164Pass(_ typed: String) throws {
        #expect(try PhoneCodeCredential(phone: typed).normalized().phone.hasPrefix("+"))
    }

    @Test(arguments: ["0170123456", "+0170123456", "+49 170 123", "+49170abc4567", "+", ""])
    func otherPhonesAreRefused(_ typed: String) {
        do {
            _ = try PhoneCodeCredential(phone: typed).normalized()
            Issue.record("\(typed) passed")
        } catch { #expect(error.code == .invalidPhone) }
    }
}
