internal import LockstepDirectory
internal import LockstepPrimitives

extension RunFolder {
    /// The path of the file with data that the target cannot store.
    ///
    /// The file may not exist.
    public var largeData: String { "\(path)/large-data.jsonl" }
}

/// The side file of a pass over the source.
///
/// It contains values that exceed a limit of the target, unchanged.
struct LargeDataFile: Sendable {
    private let path: String
    private var writer: RunFileWriter?

    /// Starts a pass; `nil` if the operator has not requested a side file.
    ///
    /// - Parameter move: The run.
    init?(_ move: UserMove) {
        guard case .sideFile(let path) = move.choices.largeData else { return nil }
        self.path = path
    }

    /// Appends the values that were left out of users.
    mutating func append(_ users: [(user: DirectoryUser, mapped: MappedUser)]) async throws(MigrationError) {
        let lines = users.compactMap { user, mapped -> [UInt8]? in
            guard !mapped.leftOut.isEmpty, mapped.outcome == .create else { return nil }
            var line: JSONObject = ["source": .string(user.id), "target": mapped.new.id.map(JSON.string) ?? .null]
            for (name, value) in mapped.leftOut { line[name] = value }
            return JSON.object(line).bytes() + [0x0a]
        }
        guard !lines.isEmpty else { return }
        if writer == nil { writer = try await RunFileWriter(path) }
        try await writer?.append(lines.flatMap(\.self), users: lines.count)
    }

    /// Moves the file to its path, after the source was read completely.
    func finish() async throws(MigrationError) {
        guard let writer else { return try await RunFileWriter.remove(path) }
        _ = try await writer.finish()
    }

    /// Removes the incomplete file.
    func discard() { writer?.discard() }
}

extension MappingDraft {
    /// Leaves out claims or user data, for the side file; optional data stays behind also where there is none.
    mutating func leaveOut(
        _ field: MoveField, _ name: String, _ data: JSON, _ reason: FieldReason, isOptional: Bool = false
    ) {
        leftOut[name] = data
        if !isOptional { exceedsLimit = true }
        fields.removeAll { $0.field == field }
        add(field, .lost, reason)
    }
}
