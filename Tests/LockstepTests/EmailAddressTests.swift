import Foundation
import Lockstep
import Testing

@Suite("An e-mail address")
struct EmailAddressTests {
    @Test(arguments: [" ada@example.com ", "\tada@example.com\n", "ada@example.com"])
    func addressIsTrimmed(_ typed: String) throws {
        #expect(try EmailAddress(typed).text == "ada@example.com")
    }

    private static let refused = [
        "", "ada", "ada@", "@example.com", "a@x.com,b@y.com", "a@x.com;b@y.com", "a@x.com b@y.com", "a@x.com\r\nBcc: b@y.com",
        "\"a\" <b@y.com>", "<b@y.com>", "a@x.com,", ";a@x.com", "ada@@example.com", "a@b@example.com", "\"a\"b@example.com",
        "\"a@example.com", "ada@exa mple.com", "ad a@example.com", "\"ad a\"@example.com", "ada@example..com", "ada@.example.com",
        "ada@bu\u{308}cher.example", "ada@\u{301}e.example",
        "ada@example.com\0", "a\0da@example.com", "ada@example.com\u{7F}", "ada\u{85}@example.com", "ada@example.com\u{200B}",
        "ad\u{200D}a@example.com", "ad\u{AD}a@example.com", "\u{FEFF}ada@example.com", "ad\u{2060}a@example.com",
        "ad\u{202E}a@example.com", "ad\u{3164}a@example.com", "ad\u{FE0F}a@example.com", "ad\u{2800}a@example.com",
        "ada\u{A0}@example.com", "ada@example.com\u{A0}", "ada\u{2028}@example.com", "ada\u{3000}@example.com",
        "\u{212A}ate@example.com", "ada＠example.com", "ａda@example.com", "ada@exámple．com", "ada@example。com", "ﬁ@example.com",
        "ma\u{17F}@example.com", "m\u{131}ke@example.com", "M\u{130}KE@example.com", "stra\u{DF}e@example.com",
        "①@example.com", "𝐚da@example.com", "a\u{37E}b@example.com",
        String(repeating: "a", count: 309) + "@example.com",
    ]

    @Test(arguments: refused)
    func ambiguousAddressIsRejected(_ typed: String) {
        #expect(throws: AuthError.self) { try EmailAddress(typed) }
        do { _ = try EmailAddress(typed) } catch { #expect(error.code == .invalidEmail) }
    }

    @Test(arguments: [
        "ada+tag@example.com", "ada.lovelace@sub.example.co.uk", "ada@localhost", "müller@example.de", "e\u{301}lan@example.com",
        "élan@example.com", "\"a,b\"@example.com",
        "\"a@b\"@example.com", "\"a\\\"b\"@example.com", "o'brien@example.com", "ada@[192.0.2.1]", "ada@[IPv6:2001:db8::1]",
        "ada@xn--bcher-kva.de", "ada..b@example.com", ".ada@example.com", "!#$%&'*+-/=?^_`{|}~@example.com", "👩@example.com",
        "ada(comment)@example.com", "ada@-example.com", String(repeating: "a", count: 64) + "@example.com",
    ])
    func otherAddressesAreSentUnchanged(_ typed: String) throws {
        #expect(try EmailAddress(" \(typed)\t").text == typed)
    }

    /// The ASCII forms are those of the registries (https://www.iana.org/domains/root/db, RFC 3492 section 7.1).
    @Test(arguments: [
        ("ada@bücher.example", "ada@xn--bcher-kva.example"), ("ada@BÜCHER.EXAMPLE", "ada@xn--bcher-kva.example"),
        ("müller@bücher.de", "müller@xn--bcher-kva.de"), ("用户@例え.jp", "用户@xn--r8jz45g.jp"),
        ("γιώργος@παράδειγμα.ελ", "γιώργος@xn--hxajbheg2az3al.xn--qxam"), ("аня@пример.рф", "аня@xn--e1afmkfd.xn--p1ai"),
        ("a@他们为什么不说中文.cn", "a@xn--ihqwcrb4cv8a8dqg056pqjye.cn"),
        ("a@почемужеонинеговорятпорусски.рф", "a@xn--b1abfaaepdrnnbgefbadotcwatmq2g4l.xn--p1ai"),
        ("a@למההםפשוטלאמדבריםעברית.il", "a@xn--4dbcagdahymbxekheh6e0a7fei0b.il"),
        ("a@3年b組金八先生.jp", "a@xn--3b-ww4c5e180e575a65lsy2b.jp"),
        ("\"b@ü\"@sub.münchen.de", "\"b@ü\"@sub.xn--mnchen-3ya.de"), ("a@ΣΑΣ.gr", "a@xn--mxa9ab.gr"),
        // Each is in another script. A lookalike is another domain.
        ("a@аррӏе.com", "a@xn--80ak6aa92e.com"), ("a@xn--bcher-kva.de", "a@xn--bcher-kva.de"),
    ])
    func domainIsConvertedToASCII(_ typed: String, _ text: String) throws {
        #expect(try EmailAddress(typed).text == text)
    }

    /// The table of the rule, compared with Foundation's folding.
    @Test func charactersThatFoundationFoldsToASCIIAreRejected() {
        var passed: [String] = []
        for value in UInt32(0x80)...0x10FFFF {
            // Ideographs, syllables and private characters fold to nothing else.
            let isPlain = [
                0x3400...0x9FFF, 0xAC00...0xD7A3, 0xE000...0xF8FF, 0x1_1000...0x1_CFFF, 0x2_0000...0xD_FFFF, 0xF_0000...0x10_FFFF,
            ]
            .contains { ($0 as ClosedRange<UInt32>).contains(value) }
            guard !isPlain, let scalar = Unicode.Scalar(value) else { continue }
            let text = String(Character(scalar))
            let cases = [text, text.lowercased(), text.uppercased(), scalar.properties.titlecaseMapping]
            let forms = cases.flatMap {
                [$0, $0.precomposedStringWithCompatibilityMapping, $0.folding(options: .caseInsensitive, locale: nil)]
            }
            guard forms.contains(where: { form in !form.isEmpty && form.utf8.allSatisfy { $0 < 0x80 } }) else { continue }
            if (try? EmailAddress("a\(text)a@example.com")) != nil { passed.append(String(value, radix: 16)) }
        }
        #expect(passed == [])
    }

    @Test func addressIsMaskedForScreens() {
        #expect(EmailAddress.masked("ada.lovelace@example.com") == "a•••@example.com")
        #expect(EmailAddress.masked("nonsense") == "•••")
    }

    @Test(arguments: ["+491701234567", " +15555550100 "])
    func phonesInE164AreAccepted(_ typed: String) throws {
        #expect(try PhoneCodeCredential(phone: typed).normalized().phone.hasPrefix("+"))
    }

    @Test(arguments: ["0170123456", "+0170123456", "+49 (0)170 1234567", "+49170abc4567", "+", ""])
    func otherPhonesAreRejected(_ typed: String) {
        do {
            _ = try PhoneCodeCredential(phone: typed).normalized()
            Issue.record("\(typed) passed")
        } catch { #expect(error.code == .invalidPhone) }
    }
}
