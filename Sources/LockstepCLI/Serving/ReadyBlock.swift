import LockstepComparison
import LockstepPrimitives
import LockstepSystem

/// The ready lines for a person: at most 80 columns.
struct ReadyBlock {
    let lines: ReadyLines
    let paint: Paint

    private static let width = 80
    private static let column = 19

    /// The text for the terminal of the servers: at most eight lines, the dashboard last, because events follow.
    var text: String {
        let servers = lines.documents.map { document in
            head(Providers.title(of: document["provider"]?.string ?? "").visible, value(document["base"]))
        }
        let next = [
            head("Variables", "eval \"$(lockstep status --format env)\""), head("Keys", "lockstep status"),
            head("Stop", "Ctrl-C"),
        ]
        return (servers + next + dashboard(value(lines.documents.first?["dashboard"]))).joined(separator: "\n") + "\n"
    }

    /// The variables for another terminal.
    ///
    /// The link of the start works once, so it is not shown again.
    ///
    /// - Parameter stop: The command that ends this server.
    func status(_ stop: String) -> String {
        let address = value(lines.documents.first?["dashboard"]).cut(at: "?").head
        return text(
            dashboard(address.isEmpty ? "" : address + "  (sign in: lockstep open)"),
            Self.next + (lines.process.map { ProcessMark.isThere($0) ? "\nTo stop the emulators:\n  \(stop.visible)" : "" } ?? "")
        )
    }

    private func text(_ dashboard: [String], _ next: String) -> String {
        let servers = lines.documents.map { server($0).joined(separator: "\n") }
        return (dashboard + servers + [next]).joined(separator: "\n\n") + "\n"
    }

    /// The paragraph of the dashboard; empty without a dashboard.
    private func dashboard(_ value: String) -> [String] {
        value.isEmpty ? [] : [head("Dashboard", value)]
    }

    private func head(_ title: String, _ value: String) -> String {
        paint.bold(title) + String(repeating: " ", count: max(1, Self.column - title.count)) + value
    }

    private func server(_ document: JSON) -> [String] {
        let provider = document["provider"]?.string ?? ""
        let title = Providers.title(of: provider).visible
        var rows = [head(title, value(document["base"]))]
        rows.append(row("Inbox", value(document["inbox"])))
        let variables = document["vars"]
        for (name, label) in Self.keys[provider] ?? [] where variables?[name] != nil {
            rows.append(row(label, value(variables?[name])))
        }
        for (name, value) in ReadyLines([document]).environment {
            let line = "  export \(name)=\(value.shellWord.visible)"
            if line.count <= Self.width { rows.append(line) }
        }
        return rows
    }

    /// The variables of a provider that are too long for a line.
    private static let keys = ["firebase": [("api_key", "API key")], "gotrue": [("database", "Users")]]

    private func row(_ label: String, _ value: String) -> String {
        "  " + label + String(repeating: " ", count: max(1, Self.column - 2 - label.count)) + value
    }

    private func value(_ value: JSON?) -> String { value?.string?.visible ?? "" }

    private static let next = """
        To set all variables, including the long ones that are not shown:
          eval "$(lockstep status --format env)"
        """
}
