import LockstepRecordings

/// An invalid command line, in a sentence.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The requested options.
struct CommandOptions {
    private var values: [String: String] = [:]

    static let help = """
        lockstep-lab recordings: has recorded conversations with real servers again, with the emulators, and shows what differs

          --provider gotrue|firebase   recordings of that provider only
          --variant NAME               of that configuration only
          --area NAME                  of that area only: the first word of their names
          --only TEXT                  whose names hold the text
          --recordings DIR             recordings that lie elsewhere
          --settings DIR               configurations of GoTrue (VARIANT.env) that lie elsewhere
          --server URL|FILE            a server that runs already: its address, or a file with the line it printed when it was ready
          --hook-port N                where that server sends its SMS hook (2526)
          --jobs N                     how many at once (4)

        The issuer that such a server's settings name is played by this command. Exit status: 0 as recorded, 1 something differs,
        2 a command line that cannot be used.
        """

    private static let names: Set = [
        "provider", "variant", "area", "only", "recordings", "settings", "server", "hook-port", "jobs",
    ]

    /// `nil` for a request for help.
    init?(_ words: [String]) throws {
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--help" || word == "-h" { return nil }
            let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1).map(String.init)
            guard word.hasPrefix("--"), let name = parts.first, Self.names.contains(name) else {
                throw CommandError("\(word) is not known; see --help.")
            }
            guard let value = parts.count == 2 ? parts[1] : words.popFirst(), !value.isEmpty else {
                throw CommandError("--\(name) needs a value; see --help.")
            }
            values[name] = value
        }
        if let provider = values["provider"], !Recording.replayed.contains(provider) {
            throw CommandError("--provider takes \(Recording.replayed.joined(separator: " or ")).")
        }
        for name in ["hook-port", "jobs"] where values[name].map({ UInt16($0) ?? 0 == 0 }) ?? false {
            throw CommandError("--\(name) takes a number from 1 to 65535.")
        }
    }

    var recordings: String { values["recordings"] ?? Fixtures.recordings }
    var settings: String { values["settings"] ?? Fixtures.settings }
    var server: String? { values["server"] }
    var hookPort: Int { Int(values["hook-port"] ?? "") ?? 2526 }
    var width: Int { Int(values["jobs"] ?? "") ?? 4 }

    func takes(_ recording: Recording) -> Bool {
        let wanted = [("provider", recording.provider), ("variant", recording.variant), ("area", recording.area)]
        return wanted.allSatisfy { name, value in values[name].map { $0 == value } ?? true }
            && values["only"].map { recording.id.contains($0) } ?? true
    }
}
