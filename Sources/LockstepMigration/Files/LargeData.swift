internal import LockstepDirectory
internal import LockstepPrimitives

extension RunFolder {
    /// The path of the file with data that the target cannot store.
    ///
    /// The file may not exist.
    public var largeData: String { "\(path)/large-data.jsonl" }
}

/// A file of a pass over the source, with a line for each user who loses something.
struct PassFile: Sendable {
    private let path: String
    private let loss: @Sendable (MappedUser) -> JSONObject
    private var writer: RunFileWriter?

    /// Starts the side file, with the values that the target cannot store, unchanged; `nil` if the operator has not requested it.
    static func largeData(_ move: UserMove) -> PassFile? {
        guard case .sideFile(let path) = move.choices.largeData else { return nil }
        return PassFile(path: path, loss: \.leftOut)
    }

    /// Starts the list of the users whose passwords do not move, with the reasons; `nil` for a run without a folder.
    static func newPasswords(_ move: UserMove) -> PassFile? {
        move.folder.map { folder in
            PassFile(path: "\(folder)/new-passwords.jsonl") { mapped in
                let verdict = mapped.shape.fields.first { $0.field == .password && $0.treatment == .lazy }
                return verdict.map { ["reason": .string($0.reason?.rawValue ?? "")] } ?? [:]
            }
        }
    }

    /// Appends the users of a page who are created and lose something.
    mutating func append(_ users: [(user: DirectoryUser, mapped: MappedUser)]) async throws(MigrationError) {
        let lines = users.compactMap { user, mapped -> [UInt8]? in
            let lost = mapped.outcome == .create ? loss(mapped) : [:]
            guard !lost.isEmpty else { return nil }
            var line: JSONObject = ["source": .string(user.id), "target": mapped.new.id.map(JSON.string) ?? .null]
            for (name, value) in lost { line[name] = value }
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
