import LockstepHTTP
import LockstepPrimitives
import Testing

@Suite struct RequestTests {
    @Test func bodiesSetTheContentType() {
        let json = HTTPRequest(.post, "http://a/", body: .json(["a": 1]))
        #expect(json.fields["content-type"] == "application/json")
        #expect(json.body.bytes == Array(#"{"a":1}"#.utf8))
        let form = HTTPRequest(.post, "http://a/", body: .form(["a b": "c&d", "e": "é"]))
        #expect(String(decoding: form.body.bytes, as: UTF8.self) == "a%20b=c%26d&e=%C3%A9")
        #expect(form.fields["content-type"] == "application/x-www-form-urlencoded")
        #expect(
            HTTPRequest(.post, "http://a/", headers: ["content-TYPE": "b"], body: .json(nil)).fields.values(of: "Content-Type")
                == ["b"])
        #expect(HTTPRequest(.get, "http://a/").fields.isEmpty)
    }

    @Test(arguments: [("http://a/b", "http://a/b?q=1%2F2"), ("http://a/b?c", "http://a/b?c&q=1%2F2")])
    func queryIsAppended(address: String, expected: String) {
        #expect(HTTPRequest(.get, address, query: ["q": "1/2"]).url == expected)
    }

    @Test func onlyReadingRequestsAreSafeToRepeat() {
        #expect(HTTPRequest(.get, "http://a/").isSafeToRepeat)
        var mail = HTTPRequest(.get, "http://a/")
        mail.hasEffects = true
        #expect(!mail.isSafeToRepeat)
        for method in [HTTPMethod.post, .put, .patch, .delete] { #expect(!HTTPRequest(method, "http://a/").isSafeToRepeat) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:80/", true), ("http://127.8.9.1/", true), ("HTTPS://localhost/x", true), ("http://[::1]:5/", true),
        ("http://127.0.0.1.evil.com/", false), ("http://127.0.0.1@evil.com/", false), ("http://localhost.evil.com/", false),
        ("http://evil.com/127.0.0.1", false), ("http://evil.com#@127.0.0.1/", false), ("http://evil.com\\@127.0.0.1/", false),
        ("http://127.1/", false), ("http://0127.0.0.1/", false), ("http://127.0.0.256/", false), ("http://127.0.0.+1/", false),
        ("http://127.0.0.01/", false), ("ftp://127.0.0.1/", false),
    ])
    func loopbackIsDecidedByTheAddressAlone(address: String, isLoopback: Bool) {
        #expect(HTTPRequest(.get, address).isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "a.example/", "//a/", "ftp://a/", "file:///etc/passwd", "http://", "http:///b", "http://?a", "http://:80/",
        "http://@a/",
        "http://a/b c", "http://a/\u{7f}", "http://ä/", "http:/a",
    ])
    func rejectsTextThatIsNotAnAddress(address: String) {
        let failure = #expect(throws: HTTPFailure.self) { try HTTPRequest(.get, address).validate() }
        #expect(failure?.code == .invalidRequest)
        #expect(failure?.phase == .neverSent)
    }

    @Test func rejectsRequestsThatChangeTheMessageFraming() {
        let requests = [
            HTTPRequest(.get, "http://a/", headers: ["content-LENGTH": "1"]),
            HTTPRequest(.get, "http://a/", headers: ["Transfer-Encoding": "x"]),
            HTTPRequest(.get, "http://a/", headers: ["": "x"]), HTTPRequest(.get, "http://a/", headers: ["a b": "x"]),
            HTTPRequest(.get, "http://a/", headers: ["a:": "x"]), HTTPRequest(.get, "http://a/", headers: ["a": "x\u{1}"]),
            HTTPRequest(.get, "http://a/", body: .json(1)), HTTPRequest(HTTPMethod(rawValue: ""), "http://a/"),
            HTTPRequest(HTTPMethod(rawValue: "GET /x"), "http://a/"), HTTPRequest(.get, "http://a/", deadline: .zero),
            HTTPRequest(.get, "http://a/", responseLimit: -1),
        ]
        for request in requests {
            #expect(throws: HTTPFailure.self) { try request.validate() }
        }
        #expect(throws: Never.self) {
            try HTTPRequest(.post, "https://[::1]:8/?é".filter(\.isASCII), headers: ["X": "é\t"]).validate()
        }
    }
}
