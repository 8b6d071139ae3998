import Lockstep
import LockstepPrimitives
import Testing

@Suite("Typed input")
struct TypedInputTests {
    private func code(_ typed: String) throws -> String? {
        if case .code(let code) = try ChallengeResponse.code(typed).normalized() { code.reveal() } else { nil }
    }

    @Test(arguments: [
        "123456", " 123 456 ", "123-456", "123\u{2013}456", "123.456", "1 2 3 4 5 6", "\u{FEFF}123\u{200B}456\u{200F}",
        "\u{202A}123456\u{202C}",
        "\u{0661}\u{0662}\u{0663}\u{0664}\u{0665}\u{0666}", "\u{06F1}\u{06F2}\u{06F3}\u{06F4}\u{06F5}\u{06F6}",
        "\u{FF11}\u{FF12}\u{FF13}\u{FF14}\u{FF15}\u{FF16}", "\u{1D7CF}\u{1D7D0}\u{1D7D1}\u{1D7D2}\u{1D7D3}\u{1D7D4}",
        "1\u{FE0F}\u{20E3}2\u{FE0F}\u{20E3}3\u{FE0F}\u{20E3}456", "123\u{A0}456\r\n",
    ])
    func typedCodeIsNormalized(_ typed: String) throws { #expect(try code(typed) == "123456") }

    /// Letters are part of a backup code, and digits in it stay unchanged.
    @Test func keepsABackupCode() throws {
        #expect(try code(" zy9w-naqc\u{200B}") == "zy9wnaqc")
        #expect(try code("zy\u{0669}w") == "zy\u{0669}w")
    }

    @Test(arguments: ["", " ", "\u{200B}", "-", "\u{FEFF}\n"])
    func rejectsACodeWithoutCharacters(_ typed: String) {
        #expect(throws: AuthError.self) { try code(typed) }
    }

    @Test(arguments: [
        "+4915112345678", "+49 151 123-456 78", "+49 (151) 12345678", "+49.151.12345678", "+49/151/12345678",
        "\u{202A}+4915112345678\u{202C}",
        "\u{FF0B}49 151 12345678",
        "+\u{0664}\u{0669}\u{0661}\u{0665}\u{0661}\u{0661}\u{0662}\u{0663}\u{0664}\u{0665}\u{0666}\u{0667}\u{0668}",
        "+49\u{2011}151\u{A0}12345678",
    ])
    func typedNumberIsNormalized(_ typed: String) throws {
        #expect(try PhoneNumber(typed).text == "+4915112345678")
        #expect(try PhoneCodeCredential(phone: typed).normalized().phone == "+4915112345678")
        guard case .fields(let fields) = try ChallengeResponse.fields([.phone: typed]).normalized() else { return }
        #expect(fields[.phone] == "+4915112345678")
    }

    @Test(arguments: [
        "", "  ", "015112345678", "004915112345678", "+0151123456", "+44 (0)20 7946 0018", "+49 151 CALL-ME", "+49",
        "+49151123456789012", "+49+15112345678",
        "+4915112345678;ext=4", "+49151123456,78", "+49151123\u{0}45678x",
    ])
    func rejectsAmbiguousNumbers(_ typed: String) {
        #expect(throws: AuthError.self) { try PhoneNumber(typed) }
    }
}
