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
        try await writeList(duplicates, of: [.refused], \.duplicateLine)
    }
}

extension JournalUser {
    /// The line of a user who is a duplicate; `nil` for any other user.
    fileprivate var duplicateLine: JSONObject? {
        guard let reason = reason.flatMap(UserReason.init), let place = reason.placeOfFirst else { return nil }
        var line: JSONObject = ["source": .string(sourceID), "reason": .string(reason.rawValue), "firstOn": .string(place)]
        line["first"] = firstSourceID.map(JSON.string) ?? .null
        return line
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
