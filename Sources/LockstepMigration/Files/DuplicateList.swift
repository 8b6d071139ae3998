internal import LockstepPrimitives

extension RunFolder {
    /// The path of the list of duplicates.
    ///
    /// The file may not exist.
    public var duplicates: String { "\(path)/duplicates.jsonl" }

    /// Writes a list of all users who are rejected because another user has the same id, address, number or identity.
    ///
    /// The file consists of JSON Lines. Each line contains the id of the user, and the id of the first source user with the same value.
    /// The line does not contain the value itself.
    ///
    /// - Returns: The list; `nil` if there are no duplicates. In that case, the list of an earlier plan is removed.
    /// - Throws: `journal` if the file cannot be written.
    @discardableResult
    public func writeDuplicates() async throws(MigrationError) -> RunFile? {
        var writer: RunFileWriter?
        var last = 0
        do throws(MigrationError) {
            while true {
                let users = try await journal.users(in: [.refused], after: last, limit: Self.pageSize)
                guard let end = users.last?.number else { break }
                last = end
                let lines = users.compactMap(\.duplicateLine)
                guard !lines.isEmpty else { continue }
                if writer == nil { writer = try await RunFileWriter(duplicates) }
                try await writer?.append(lines.flatMap(\.self), users: lines.count)
            }
        } catch {
            writer?.discard()
            throw error
        }
        guard let writer else {
            try await RunFileWriter.remove(duplicates)
            return nil
        }
        return try await writer.finish()
    }
}

extension JournalUser {
    /// The line of a user who is a duplicate; `nil` for any other user.
    fileprivate var duplicateLine: [UInt8]? {
        guard let reason = reason.flatMap(UserReason.init), let place = reason.placeOfFirst else { return nil }
        var line: JSONObject = ["source": .string(sourceID), "reason": .string(reason.rawValue), "firstOn": .string(place)]
        line["first"] = firstSourceID.map(JSON.string) ?? .null
        return JSON.object(line).bytes() + [0x0a]
    }
}

extension UserReason {
    /// The side of the user who has the value; `nil` if the reason is not a duplicate.
    fileprivate var placeOfFirst: String? {
        switch self {
        case .addressTwice, .numberTwice, .identityTwice, .usernameTwice, .idTwice: "source"
        case .addressTaken, .numberTaken, .identityTaken, .usernameTaken, .idTaken: "target"
        default: nil
        }
    }
}
