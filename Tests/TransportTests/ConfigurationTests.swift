import LockstepCurl
import LockstepHTTP
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct CurlConfigurationTests {
    @Test(arguments: ["\r\nX-Evil: 1", "\nX-Evil: 1", "a\rb", "a\0b", "\u{7f}", ""])
    func lineBreaksAreRejectedInTheConfiguration(evil: String) {
        let settings: [() throws -> CurlConfiguration] = [
            { try CurlConfiguration(userAgent: evil) }, { try CurlConfiguration(proxy: evil) },
            { try CurlConfiguration(issuers: evil) },
        ]
        for make in settings {
            let failure = #expect(throws: HTTPFailure.self) { try make() }
            #expect(failure?.code == .invalidConfiguration)
        }
    }

    @Test func overlongTextsAreRejected() {
        let text = String(repeating: "a", count: 8_000_001)
        #expect(throws: HTTPFailure.self) { try CurlConfiguration(userAgent: text) }
        #expect(throws: HTTPFailure.self) { try CurlConfiguration(proxy: text) }
        #expect(throws: HTTPFailure.self) { try CurlConfiguration(issuers: text) }
        #expect(throws: HTTPFailure.self) { try CurlConfiguration(connectionsPerHost: 0) }
    }

    @Test func usualTextsAreAccepted() throws {
        let settings = try CurlConfiguration(
            issuers: "/a folder/café.pem", proxy: "http://user:password@127.0.0.1:8080", userAgent: "Orders/1.0 (Linux; x86_64)")
        #expect(settings.userAgent == "Orders/1.0 (Linux; x86_64)")
        #expect(CurlConfiguration().issuers == nil)
    }

    @Test func issuersCanBeAFileURL() throws {
        #expect(try CurlConfiguration(issuers: "file:///etc/issuers%20of%20ours.pem").issuers == "/etc/issuers of ours.pem")
        for text in ["https://example.com/issuers.pem", "~ada/issuers.pem"] {
            let failure = #expect(throws: HTTPFailure.self) { try CurlConfiguration(issuers: text) }
            #expect(failure?.code == .invalidConfiguration)
        }
    }
}
