internal import LockstepPrimitives

/// The source text of an email: RFC 5322, with bodies as in RFC 2045.
///
/// Everything outside ASCII is encoded.
///
/// The address and the subject come from requests. So a control character in them cannot end a header.
package struct MailSource {
    let mail: Mail

    /// Creates the source text of an email.
    package init(mail: Mail) { self.mail = mail }

    /// The headers, in their order.
    var headers: [(name: String, value: String)] {
        [
            ("From", Self.plain(mail.from)), ("To", Self.plain(mail.to)), ("Subject", Self.encoded(mail.subject)),
            ("Date", mail.date.httpDate), ("Message-ID", "<\(mail.id)@lockstep.test>"), ("MIME-Version", "1.0"),
        ] + (mail.html.isEmpty ? Self.textHeaders : [("Content-Type", "multipart/alternative; boundary=\"\(boundary)\"")])
    }

    /// The whole source text.
    package var text: String {
        let head = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        guard !mail.html.isEmpty else { return head + "\r\n" + Self.body(mail.text) }
        let parts = [("text/plain", mail.text), ("text/html", mail.html)].map { type, text in
            "--\(boundary)\r\nContent-Type: \(type); charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n\(Self.body(text))"
        }
        return head + "\r\n" + parts.joined() + "--\(boundary)--\r\n"
    }

    private static let textHeaders = [
        (name: "Content-Type", value: "text/plain; charset=utf-8"), (name: "Content-Transfer-Encoding", value: "base64"),
    ]

    /// The text between the parts.
    ///
    /// No line in base 64 begins with two dashes, so no part of the email contains this text.
    private var boundary: String { "part-" + mail.id }

    /// Returns a text in base 64, in lines of 76 characters (RFC 2045, section 6.8).
    private static func body(_ text: String) -> String {
        var rest = Base64.encode(text.utf8)[...]
        var lines = ""
        while !rest.isEmpty {
            lines += rest.prefix(76) + "\r\n"
            rest = rest.dropFirst(76)
        }
        return lines
    }

    /// Returns a text for a header.
    ///
    /// If it is not plain ASCII, it consists of encoded words (RFC 2047, section 2: at most 75 characters each).
    private static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text }
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            if word.utf8.count + UTF8.width(scalar) > 42 {
                words.append(word)
                word = ""
            }
            word.unicodeScalars.append(scalar)
        }
        return (words + [word]).map { "=?utf-8?B?\(Base64.encode($0.utf8))?=" }.joined(separator: "\r\n ")
    }

    /// Returns an address without control characters.
    ///
    /// Letters outside ASCII stay unchanged (RFC 6532).
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }))
    }
}

extension Mail {
    /// The response with which a browser shows the email: its HTML body, or else its text.
    ///
    /// The HTML contains texts of templates and users. So it gets no script and no origin of this server, and it loads nothing.
    var view: EmulatorResponse {
        let policy =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
        return html.isEmpty ? .text(text) : .html(html, policy: policy)
    }
}
