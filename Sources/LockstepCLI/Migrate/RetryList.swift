import LockstepMigration
import LockstepPrimitives
import LockstepSystem

/// The users of a file for `apply --only`: lines of `failures.jsonl`, some or all of them.
struct RetryList: Sendable {
    /// The ids on the source, in the order of the file.
    let ids: [String]

    private static let use = NamedFile.Use("list of users", limit: 256)

    /// Reads the file.
    ///
    /// - Throws: ``UsageError`` with the line that cannot be used.
    init(_ path: String) throws(UsageError) {
        guard let bytes = try NamedFile.bytes(of: path, as: Self.use, acceptsPipes: true) else {
            throw UsageError("there is no file \"\(path)\". Correct the path.")
        }
        var ids: [String] = []
        for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
            guard let id = (try? JSON.parse(Array(line)))?["source"]?.string, !id.isEmpty else {
                throw UsageError(
                    "\(path): line \(index + 1): expected a line of failures.jsonl, a JSON object with the member \"source\"")
            }
            ids.append(id)
        }
        guard !ids.isEmpty else { throw UsageError("\"\(path)\" names no users. Choose lines of failures.jsonl.") }
        self.ids = ids
    }
}

extension MoveSession {
    /// Plans the users of `--only` again, and names the others of the file.
    ///
    /// - Returns: The ids; `nil` without the option.
    func retried(_ list: RetryList?, _ path: String) async throws -> [String]? {
        guard let list else { return nil }
        let (planned, others) = try await move.retry(list.ids)
        if !others.isEmpty {
            let names = others.prefix(10).map(\.visible).joined(separator: ", ") + (others.count > 10 ? ", …" : "")
            tell(
                "\(others.count) users of \(path) are left as they are, because the run does not have or has not refused them: \(names)"
            )
        }
        guard !planned.isEmpty else { throw UsageError("\(path): the run has refused none of these users.") }
        return planned
    }
}
