/// Texts in Go's template language, as far as subjects and messages use it: `{{ .Name }}`.
struct MailTemplate {
    private let text: String

    init(_ text: String) { self.text = text }

    /// - Parameter isPage: Whether values are escaped for HTML.
    func filled(_ values: [String: String], forPage isPage: Bool = false) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            result += rest[..<start.lowerBound]
            let name = rest[start.upperBound..<end.lowerBound].filter { $0 != " " && $0 != "-" }
            let value = values[name.hasPrefix(".") ? String(name.dropFirst()) : name] ?? ""
            result += isPage ? Self.escaped(value) : value
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// The server's own mail: a sentence and a link, or a code.
    static func page(_ purpose: MailPurpose, code: String, link: String?) -> String {
        guard let link else {
            return "<h2>Verification code</h2>\n\n<p>Your code: <strong>\(code)</strong></p>\n"
        }
        let words =
            switch purpose {
            case .confirmation: "Confirm your email address"
            case .invite: "Accept your invitation"
            case .recovery: "Reset your password"
            case .magicLink: "Sign in"
            case .emailChange, .reauthentication: "Confirm your new email address"
            }
        return "<h2>\(words)</h2>\n\n<p><a href=\"\(escaped(link))\">\(words)</a></p>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&#34;")
    }
}
