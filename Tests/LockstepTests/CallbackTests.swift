import Lockstep
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite("A callback URL")
struct CallbackTests {
    @Test func callbackIsParsed() throws {
        let callback = try Callback("MyApp://Auth.Example/callback?code=a%20b&x=1#type=signup&x=1")
        #expect(callback.scheme == "myapp")
        #expect(callback.host == "auth.example")
        #expect(callback.path == "/callback")
        #expect(callback.parameters == ["code": "a b", "x": "1", "type": "signup"])
        #expect(callback.fragmentNames == ["type", "x"])
    }

    @Test(arguments: [
        "myapp://auth/callback?code=1&code=2", "myapp://auth/callback?code=%zz", "myapp://auth/callback?code=%ff",
        "myapp://auth/callback?code=%00",
        "myapp://auth/callback?a=1#a=2", "no scheme at all", "://x", "myapp://user@auth/callback", "myapp://auth:99999/callback",
        "myapp://auth/call\u{7}back",
    ])
    func ambiguousCallbackIsRejected(_ url: String) {
        do {
            _ = try Callback(url)
            Issue.record("\(url) was read")
        } catch { #expect(error.code == .linkInvalid) }
    }

    @Test func oversizedCallbackIsRejected() {
        do {
            _ = try Callback("myapp://auth/callback?code=" + String(repeating: "a", count: 1 << 20))
            Issue.record("it was read")
        } catch { #expect(error.code == .linkInvalid) }
    }

    @Test(arguments: [
        ("myapp://auth/callback", true), ("myapp://auth/callback?code=1", true), ("MYAPP://AUTH/callback#x=1", true),
        ("myapp://auth/callback/", true), ("myapp://auth/callback/?code=1", true), ("myapp://auth/callback//", false),
        ("myapp://auth/callback2", false), ("myapp://auth.evil/callback", false), ("myapp://evil/auth/callback", false),
        ("https://auth/callback", false),
        ("myapp://auth:81/callback", false),
    ])
    func callbackMatchesItsURLExactly(_ url: String, _ isOurs: Bool) throws {
        let address = try CallbackAddress("myapp://auth/callback")
        #expect(address.matches(try Callback(url)) == isOurs)
    }

    @Test(arguments: [
        ("myapp://auth/callback?code=abc#_=_", "abc"), ("myapp://auth/callback?code=abc#", "abc"),
        ("myapp:?code=abc", "abc"), ("myapp:/callback?code=abc", "abc"), ("myapp://?code=abc#_=_", "abc"),
        ("myapp://auth/callback?code=abc%23", "abc#"), ("myapp://auth/callback?code=abc%23_%3D_", "abc#_=_"),
    ])
    func additionsChangeNoParameter(_ url: String, _ code: String) throws {
        #expect(try Callback(url).parameters["code"] == code)
    }

    @Test(arguments: [
        "?code=abc&utm_source=a&utm_source=b", "?code=abc&fbclid=%zz",
        "?code=abc&error_description=a%3Ab#error_description=a%253Ab",
        "?utm_campaign=%ff&code=abc", "?code=abc&gclid=%00", "?_=1&code=abc&_=2", "?code=abc#sb=&sb=1",
    ])
    func irrelevantParametersCanBeMalformedOrRepeated(_ tail: String) throws {
        #expect(try Callback("myapp://auth/callback" + tail).parameters["code"] == "abc")
    }

    @Test func adapterNamesRelevantParameters() throws {
        let url = "myapp://auth/callback?code=abc&page=1&page=2&code=abc"
        #expect(throws: AuthError.self) { try Callback(url) }
        #expect(try Callback(url, deciding: { $0 == "code" }).parameters == ["code": "abc", "page": "1"])
    }

    /// A combining mark joins the sign before it to one character.
    @Test func separatorsAreFoundBeforeCombiningMarks() throws {
        let callback = try Callback("myapp://auth/callback?\u{301}a=1&\u{301}b=2&code=\u{301}x#\u{301}c=3")
        #expect(callback.path == "/callback")
        #expect(callback.parameters["code"] == "\u{301}x" && callback.parameters.count == 4)
        #expect(throws: AuthError.self) { try Callback("myapp://good@\u{301}evil.example/callback") }
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript://auth/callback", "data:text/html,x", "vbscript:x", "file:///auth/callback",
        "file://localhost/x", "blob:https://app.example.com/x", "about:blank", "view-source:https://app.example.com/",
        "mailto:a@b.example",
        "ftp://app.example.com/", "ws://app.example.com/", "intent://auth/callback", "filesystem:https://a.example/x", "tel:1",
        "chrome-extension://abc/callback", "auth/callback", "app.example.com/callback", "localhost:8080/callback",
        "localhost:8080",
        "127.0.0.1:9802/callback", "app.example.com:443/callback", "//auth/callback", "https:///callback", "https:callback",
        "http://",
        "", " ", "myapp://user@auth/callback", "myapp://auth/callback?x=1", "myapp://auth/callback#x", "my app://auth",
        "1app://auth",
    ])
    func unusableCallbackURLIsRejected(_ url: String) {
        do {
            _ = try CallbackAddress(url)
            Issue.record("\(url) was taken")
        } catch {
            #expect(error.code == .invalidConfiguration && error.remedies.isEmpty)
            #expect(!error.message.lowercased().contains("ask for"), "\(error.message)")
        }
    }

    @Test(arguments: [
        "myapp://auth/callback", "com.example.app:/callback", "com.example.app://auth", "myapp:callback",
        "https://app.example.com",
        "http://localhost:3000/callback", "https://app.example.com:8443/auth/", "http://[::1]:8080/callback", "web+app://auth",
        "fb1234://authorize",
    ])
    func callbackURLsOfAppsAreAccepted(_ url: String) throws {
        #expect(try CallbackAddress(url).url == url)
    }

    @Test func callbackURLMustNotHaveAQuery() {
        do {
            _ = try CallbackAddress("myapp://auth/callback?x=1")
            Issue.record("it was taken")
        } catch { #expect(error.code == .invalidConfiguration) }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func malformedURLsDoNotCrash(_ seed: UInt64) {
        let random = SeededRandomness(seed: seed)
        let starts = [
            "myapp://auth/callback?code=%41&state=x#a=b", "https://user@Example.com:443/a/../b?x=1&x=2#access_token=%zz",
            "http://[::1]:9/%2f?q", "myapp:?code=abc#_=_",
        ].map { Array($0.utf8) }
        for round in 0..<2_500 {
            var bytes = starts[round % starts.count]
            for change in random.bytes(6).chunked(by: 3) {
                let place = (Int(change[0]) << 8 | Int(change[1])) % bytes.count
                change[2] < 60 ? bytes.insert(change[2], at: place) : (bytes[place] = change[2])
            }
            let url = String(decoding: bytes, as: UTF8.self)
            if let callback = try? Callback(url), callback.url != url { Issue.record("\(url) is read as \(callback.url)") }
            if let origin = try? WebOrigin(url), (try? WebOrigin(origin.description)) != origin { Issue.record("\(url)") }
            _ = try? CallbackAddress(url)
        }
    }
}

extension [UInt8] {
    fileprivate func chunked(by size: Int) -> [[UInt8]] {
        stride(from: 0, to: count - count % size, by: size).map { Array(self[$0..<$0 + size]) }
    }
}
