import LockstepHTTP
import LockstepPrimitives
import Testing

@Suite struct RequestSecretsTests {
    private static let password = "Ty\"p&d <s3cret>/+é%41 pass"
    private static let token = "rt_4f9Qm2ZkLx81vPq0TnWc7YbE5sRd3HgU"

    private static let secrets = RequestSecrets(
        of: HTTPRequest(
            .post, "https://user:pw@host/verify?token_hash=\(token)&page=2",
            headers: ["Authorization": "Bearer abc123def456", "Accept": "a/b"],
            body: .json([
                "email": "ada@example.com", "password": .string(password), "code": "493817", "pin": "12",
                "deep": [["otp": 778_899]],
                "postBody": .string("id_token=nested-id-token&providerId=apple.com"),
            ])))

    private static func forms(of text: String) -> [String] {
        let html = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
        return [
            text, text.uppercased(), text.lowercased(), Percent.encode(text), Percent.encode(Percent.encode(text)),
            Percent.encode(text).lowercased(), Percent.encode(text).replacing("%20", with: "+"), JSON.string(text).text(),
            JSON.string(JSON.string(text).text()).text(), html, text.unicodeScalars.map { "&#\($0.value);" }.joined(),
            text.utf16.map { "\\u" + String(Int($0) + 0x1_0000, radix: 16).dropFirst() }.joined(),
            Base64.encode(Array(text.utf8)),
            Base64.encode(Array("x\(text)y".utf8)), Base64.encode(Array("xy\(text)".utf8), .url), Hex.encode(Array(text.utf8)),
        ]
    }

    @Test(arguments: [password, token, "493817", "abc123def456", "nested-id-token", "778899"])
    func everyEncodingOfASecretIsMasked(secret: String) {
        for form in Self.forms(of: secret) {
            let shown = Self.secrets.withheld(from: "The value [\(form)] is wrong.")
            #expect(shown.hasPrefix("The value ") && shown.hasSuffix(" is wrong."), "\(shown)")
            #expect(shown.contains(Secret.mask), "\(form) is shown as \(shown)")
            #expect(!shown.contains(form))
        }
    }

    @Test func partsOfLongSecretsAreMasked() {
        for length in 24..<Self.token.count {
            #expect(!Self.secrets.withheld(from: "no \(Self.token.prefix(length))…").contains("4f9Qm2Zk"))
            #expect(!Self.secrets.withheld(from: "no …\(Self.token.suffix(length))").contains("sRd3HgU"))
        }
    }

    @Test(arguments: [
        "The address ada@example.com is not known; see page 2 of 120.", "weak_password",
        "Password should be at least 6 characters",
        "invalid_grant", "", "ünïcödé %zz \\u12 &nosuch; &#; %",
    ])
    func ordinaryTextIsNotMasked(text: String) {
        #expect(Self.secrets.withheld(from: text) == text)
    }

    @Test func shortSecretsAreMaskedOnlyAsWholeWords() {
        #expect(Self.secrets.withheld(from: "pin 12 is wrong, 120 is not") == "pin <redacted> is wrong, 120 is not")
    }

    @Test func namesTextsAndNumbersOfJSONAreSearched() {
        let shown = Self.secrets.withheld(from: [
            "493817": 1, "a": 493_817, "b": ["x", .string(Self.token)], "c": ["d": .string("is \(Self.password)")], "n": 5,
            "t": true,
        ])
        #expect(
            shown == [
                "<redacted>": 1, "a": "<redacted>", "b": ["x", "<redacted>"], "c": ["d": "is <redacted>"], "n": 5, "t": true,
            ])
    }

    @Test func declaredSecretsOfARequestAreMasked() {
        var request = HTTPRequest(.post, "https://host/", body: .json(["answer": "blue-horse"]))
        #expect(RequestSecrets(of: request).withheld(from: "blue-horse") == "blue-horse")
        request.secrets = ["blue-horse"]
        #expect(RequestSecrets(of: request).withheld(from: "no Blue-Horse") == "no <redacted>")
    }

    /// A server that imports users decodes the hashes of their passwords, and can quote the bytes in another encoding.
    @Test(arguments: [
        Base64.encode(hash), Base64.encode(hash, .url), Base64.encode(hash).replacing("=", with: ""), Hex.encode(hash),
        Hex.encode(hash).uppercased(), "$argon2id$v=19$m=16,t=2,p=1$c2FsdHNhbHQ$" + Base64.encode(hash),
    ])
    func hashIsMaskedInEveryEncoding(_ sent: String) {
        let secrets = RequestSecrets(of: HTTPRequest(.post, "https://host/", body: .json(["passwordHash": .string(sent)])))
        let latin = String(String.UnicodeScalarView(Self.hash.map { Unicode.Scalar($0) }))
        let forms = [
            Base64.encode(Self.hash), Base64.encode(Self.hash, .url), Hex.encode(Self.hash), Hex.encode(Self.hash).uppercased(),
            String(decoding: Self.hash, as: UTF8.self), latin, JSON.string(latin).text(),
            Self.hash.map { "\\x" + Hex.encode([$0]) }.joined(), Self.hash.map { String($0) }.joined(separator: ", "),
            Self.hash.map { String($0) }.joined(separator: ","), Percent.encode(Base64.encode(Self.hash)),
        ]
        for form in forms {
            let shown = secrets.withheld(from: "The hash [\(form)] is wrong.")
            // Padding reveals only the length.
            let bare = shown.replacing("=", with: "").replacing("%3D", with: "").replacing("\"", with: "")
            #expect(bare == "The hash [\(Secret.mask)] is wrong.")
        }
        let list = JSON.array(Self.hash.map { .int(Int64($0)) })
        #expect(
            secrets.withheld(from: ["hash": list, "page": [1, 2, 3]]) == ["hash": .string(Secret.mask), "page": [1, 2, 3]])
    }

    private static let hash: [UInt8] = [
        0xDE, 0xAD, 0x00, 0xBE, 0xEF, 0x7F, 0xFB, 0xFF, 0x41, 0x62, 0x25, 0x26, 0x5C, 0x22, 0x0A, 0xC3, 0x28, 0x99,
    ]

    @Test func knownTextsOfAResponseAreNotMasked() {
        let request = HTTPRequest(.post, "https://host/", body: .json(["password": "weak_password"]))
        let answer: JSON = ["code": "weak_password", "message": "weak_password is wrong", "codes": ["weak_password"]]
        let shown = RequestSecrets(of: request).withheld(from: answer) { $0 == "weak_password" }
        #expect(shown == ["code": "weak_password", "message": "<redacted> is wrong", "codes": ["weak_password"]])
    }

    @Test func longResponseIsSearchedInTime() {
        let text = String(repeating: "a%41&amp;\\u0041 ", count: 20_000)
        #expect(Self.secrets.withheld(from: text) == text)
    }
}
