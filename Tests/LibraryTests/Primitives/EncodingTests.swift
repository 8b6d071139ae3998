import Foundation
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite struct EncodingTests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func writesBase64(plain: String, text: String) {
        #expect(Base64.encode(plain.utf8) == text)
        #expect(Base64.encode(plain.utf8, .url) == text.filter { $0 != "=" })
        #expect(Base64.decode(text) == Array(plain.utf8))
        #expect(Base64.decode(text.filter { $0 != "=" }) == Array(plain.utf8))
        #expect(Base64.decode(text, .url) == Array(plain.utf8))
    }

    @Test func agreesWithFoundation() {
        let randomness = SeededRandomness(seed: 1)
        for count in 0..<200 {
            let bytes = randomness.bytes(count)
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == text)
            #expect(Base64.decode(text) == bytes)
            #expect(Base64.decode(Base64.encode(bytes, .url), .url) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "Zg=", "Zg===", "Z===", "====", "=", "Zm9v=", "Zm9v====", "Z=g=", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n",
        "Zm9v-", "Zm9_", "é",
        "Zg==Zg==",
    ])
    func rejectsMalformedBase64(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func rejectsBase64OfTheOtherAlphabet() {
        #expect(Base64.encode([0xfb, 0xff]) == "+/8=")
        #expect(Base64.encode([0xfb, 0xff], .url) == "-_8")
        #expect(Base64.decode("+/8", .url) == nil)
        #expect(Base64.decode("-_8") == nil)
    }

    @Test func writesAndReadsHex() {
        #expect(Hex.encode([0, 0x0f, 0xa5, 0xff]) == "000fa5ff")
        #expect(Hex.decode("000FA5ff") == [0, 0x0f, 0xa5, 0xff])
        #expect(Hex.decode("") == [])
        for text in ["0", "0g", "0x00", " 00", "00 ", "é0", "-1"] { #expect(Hex.decode(text) == nil) }
    }

    @Test func writesAndReadsPercentSigns() {
        #expect(Percent.encode("aZ09-._~") == "aZ09-._~")
        #expect(Percent.encode("a b&c=d/é+%") == "a%20b%26c%3Dd%2F%C3%A9%2B%25")
        #expect(Percent.decode("a%20b%26c%3dd%2Fé%C3%A9+%25") == "a b&c=d/éé+%")
        #expect(Percent.decode("a+b", plusIsSpace: true) == "a b")
        for text in ["%", "%4", "%4g", "%%41", "%ff", "a%c3"] { #expect(Percent.decode(text) == nil) }
        let randomness = SeededRandomness(seed: 2)
        for _ in 0..<100 {
            let text = String(decoding: randomness.bytes(20), as: UTF8.self)
            #expect(Percent.decode(Percent.encode(text)) == text)
            #expect(Percent.encode(text).removingPercentEncoding == text)
        }
    }

    @Test func readsAndWritesForms() throws {
        let pairs = try #require(Percent.decodeForm("a=1&b=x+y%26&&c&d=&a=2=3"))
        #expect(pairs.map(\.name) == ["a", "b", "c", "d", "a"])
        #expect(pairs.map(\.value) == ["1", "x y&", "", "", "2=3"])
        #expect(Percent.encodeForm([("a b", "c&d"), ("é", "")]) == "a%20b=c%26d&%C3%A9=")
        #expect(Percent.decodeForm("")?.isEmpty == true)
        #expect(Percent.decodeForm("a=%") == nil)
        #expect(Percent.decodeForm("%zz=1") == nil)
    }
}
