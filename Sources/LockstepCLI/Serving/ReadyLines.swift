import LockstepPrimitives
import LockstepSystem

/// The ready lines of one process, as they are printed and as they are written to files.
struct ReadyLines: Sendable {
    let documents: [JSON]

    /// A JSON line for each server.
    var text: String { documents.map { $0.text() + "\n" }.joined() }

    /// Servers by their ready lines.
    init(_ documents: [JSON]) { self.documents = documents }

    /// The lines in a file's bytes; `nil` if a line is not a ready line.
    init?(_ bytes: [UInt8]) {
        var documents: [JSON] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let document = try? JSON.parse(Array(line)), document["provider"]?.string != nil,
                document["base"]?.string != nil, document["control"]?["Authorization"]?.string != nil
            else { return nil }
            documents.append(document)
        }
        self.init(documents)
    }

    /// The process of the first line.
    var process: Int32? { documents.first?["pid"]?.int.flatMap { Int32(exactly: $0) } }

    /// The variables of all servers, in their order.
    ///
    /// A shell runs the names, and a variable such as PATH decides what it runs. So a file decides about values only.
    var environment: [(name: String, value: String)] {
        members.compactMap { name, value in
            Providers.declares(name) ? value.string.map { (name: name, value: $0) } : nil
        }
    }

    /// The names of variables that no provider declares, which ``environment`` leaves out.
    var undeclaredNames: [String] { members.map(\.name).filter { !Providers.declares($0) } }

    private var members: [(name: String, value: JSON)] {
        documents.flatMap { ($0["environment"]?.object ?? [:]).map { (name: $0.name, value: $0.value) } }
    }

    /// The maximum size of a file that is read, in bytes.
    static let limit = 1 << 20

    /// The servers of this user that `lockstep serve` has started, the newest process first.
    static func running() -> [ReadyLines] {
        RuntimeFolder.entries().filter { $0.kind == .serve }.compactMap { entry in
            (try? PrivateFile.read(entry.path, limit: limit)).flatMap { ReadyLines($0.bytes) }
        }
    }
}

extension String {
    /// The text as one word of a shell.
    var shellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { unit in
                switch unit {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                // % + , - . / : = @ _
                case 0x25, 0x2b...0x2f, 0x3a, 0x3d, 0x40, 0x5f: true
                default: false
                }
            }
        return isPlain ? self : "'" + pieces(at: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
