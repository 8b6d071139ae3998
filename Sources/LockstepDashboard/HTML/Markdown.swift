internal import LockstepEmulation
internal import LockstepPrimitives

/// A part of the dashboard for an issue or a chat, as Markdown without secrets.
struct Markdown {
    let text: String

    /// The timeline; codes are masked, because a code may still be valid.
    init(_ timeline: Timeline) {
        let rows = timeline.happenings.map { happening in
            let sent = happening.messages.map { $0.mail == nil ? "text message sent" : "mail sent" }
            let reason = happening.unsentReason.map { ["no message: \($0)"] } ?? []
            return [
                happening.request["date"]?.string ?? "", happening.emulator.word, happening.who ?? "",
                ([happening.words] + sent + reason).joined(separator: ", "),
                "\(happening.method) \(happening.path) \(happening.status.map { String($0) } ?? "no answer")",
            ]
        }
        text = Self.table(["Time", "Provider", "User", "What happened", "Request"], rows)
    }

    /// A recorded request, whose secrets are masked already.
    init(_ exchange: JSON, base: String) {
        let title = "\(exchange["method"]?.string ?? "") \(exchange["path"]?.string ?? "")"
        let status = exchange["status"]?.int.map { String($0) } ?? "no answer"
        let answer = (exchange["answer"] ?? .null).text(.indented)
        text =
            "**\(Self.cell(title))** → \(status)\n\n"
            + Self.block(CurlLine(exchange, base: base).text, "sh") + "\n" + Self.block(answer, "json")
    }

    /// A user, as the control API shows it, with the line of life.
    init(_ user: JSON, _ timeline: Timeline, provider: String) {
        text =
            "**\(Self.cell(user.userName))** (\(provider))\n\n" + Self.block(user.text(.indented), "json") + "\n"
            + Markdown(timeline).text
    }

    private static func table(_ columns: [String], _ rows: [[String]]) -> String {
        let lines = [columns, columns.map { _ in "---" }] + rows.map { $0.map(cell) }
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    /// A value that ends no cell and begins no markup.
    private static func cell(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "|", "\\", "`", "*", "_", "<", "[": "\\" + String(scalar)
            case "\n", "\r": " "
            default: nil
            }
        }
    }

    /// A block of code whose fence is longer than any in the text.
    private static func block(_ text: String, _ language: String) -> String {
        var longest = 2
        var run = 0
        for unit in text.utf8 {
            run = unit == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence)\(language)\n\(text)\n\(fence)\n"
    }
}
