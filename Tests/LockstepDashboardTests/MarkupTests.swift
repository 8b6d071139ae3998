import Foundation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepDashboard

@Suite("HTML of the dashboard", .limitedConcurrency)
struct MarkupTests {
    @Test(arguments: [
        ("Ada", "Ada"), ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"), ("a\u{202E}b", "a⟨U+202E⟩b"),
        ("a\u{0}b\u{1B}", "a⟨U+0000⟩b⟨U+001B⟩"),
        ("a\nb\tc\r", "a⟨U+000A⟩b⟨U+0009⟩c⟨U+000D⟩"), ("\u{200B}\u{FEFF}\u{115F}", "⟨U+200B⟩⟨U+FEFF⟩⟨U+115F⟩"),
        ("é ü 日本 ❤️", "é ü 日本 ❤️"),
        // A combining mark hides "<" from a comparison of characters.
        ("<\u{301}script>", "&lt;\u{301}script&gt;"),
    ])
    func textsAreEscaped(_ text: String, _ html: String) {
        let markup: Markup = "<p title=\"\(text)\">\(text)</p>"
        #expect(Array(markup.html.utf8) == Array("<p title=\"\(html)\">\(html)</p>".utf8))
    }

    @Test func lineBreaksAreKeptIfAsked() {
        let markup: Markup = "<pre>\("a\r\n\tb\u{7}", lines: true)</pre>"
        #expect(markup.html == "<pre>a\n\tb⟨U+0007⟩</pre>")
    }

    @Test func longTextsAreCut() {
        let text = String(repeating: "<", count: 1 << 20)
        let markup: Markup = "\(text, upTo: 10)"
        #expect(markup.html == String(repeating: "&lt;", count: 10) + "… (1048576 bytes)")
        let short: Markup = "\("1234567890", upTo: 10)"
        #expect(short.html == "1234567890")
    }

    @Test func pathsBreakBetweenTheirParts() {
        let markup: Markup = "\(path: "/v1/<b>")"
        #expect(markup.html == "<wbr>/v1<wbr>/&lt;b&gt;")
    }

    @Test func addressesAreEncoded() {
        let markup: Markup = "<a href=\"\(PageAddress("users", "a/b\"?<", query: ["q": "x&y", "none": nil]))\">"
        #expect(markup.html == "<a href=\"/users/a%2Fb%22%3F%3C?q=x%26y\">")
    }

    /// HTML comes only from literals.
    ///
    /// No function converts a text into HTML.
    @Test func noTextBecomesHTML() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appendingPathComponent("Sources/LockstepDashboard")
        let files =
            FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
            ?? []
        #expect(files.count > 15)
        for file in files {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            #expect(!text.contains("Markup(stringLiteral"), "\(file)")
            #expect(!text.contains(" style=\\\"") && !text.contains(" onclick"), "\(file) has something inline")
        }
        for (path, limit) in [("/script.js", 12), ("/style.css", 10)] {
            #expect(Assets.all.first { $0.path == path }.map { $0.text.utf8.count < limit << 10 } == true, "\(path)")
        }
    }

    /// The script and the style sheet load nothing from other servers.
    @Test func assetsLoadNothingFromOtherServers() {
        for asset in Assets.all {
            let text = asset.text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains("://") && !text.contains("@import") && !text.contains("url("), "\(asset.path)")
        }
    }
}
