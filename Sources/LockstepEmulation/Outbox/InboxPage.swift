internal import LockstepPrimitives

/// The inbox as a web page: a list of all messages with their codes, and a link to each email.
struct InboxPage {
    let provider: String
    let outbox: Outbox
    /// The path of the inbox.
    let prefix: String

    /// The page, which a browser loads again every five seconds.
    ///
    /// It runs no script.
    var response: EmulatorResponse { .html(list).with("Refresh", "5") }

    private var list: String {
        let mails = outbox.mails.map { mail in
            """
            <tr><td>\(mail.date.rfc3339.escapedForHTML)</td><td>\(mail.to.escapedForHTML)</td>\
            <td><a href="\(prefix)/view/\(mail.id.escapedForHTML).html">\(mail.subject.escapedForHTML)</a></td>\
            <td><code>\((mail.code ?? "").escapedForHTML)</code></td></tr>
            """
        }
        let texts = outbox.shortMessages.map { message in
            """
            <tr><td>\(message.date.rfc3339.escapedForHTML)</td><td>\(message.to.escapedForHTML)</td>\
            <td>\(message.text.escapedForHTML)</td><td><code>\((message.code ?? "").escapedForHTML)</code></td></tr>
            """
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Inbox (\(provider))</title>
            <style>:root { color-scheme: light dark } body { font: 1rem system-ui, sans-serif; margin: 2rem }
            td, th { text-align: left; padding: 0.3rem 1rem 0.3rem 0 }</style></head>
            <body><h1>Inbox</h1>
            \(Self.table("Mails", "Subject", mails))
            \(Self.table("Text messages", "Text", texts))
            </body></html>

            """
    }

    private static func table(_ title: String, _ content: String, _ rows: [String]) -> String {
        guard !rows.isEmpty else { return "<h2>\(title)</h2>\n<p>No messages yet.</p>" }
        return """
            <h2>\(title)</h2>
            <table><tr><th>Date</th><th>To</th><th>\(content)</th><th>Code</th></tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }
}

extension String {
    /// The text for an element or a quoted attribute in HTML.
    fileprivate var escapedForHTML: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
