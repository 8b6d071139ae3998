internal import Lockstep
internal import LockstepPrimitives

extension RunFolder {
    /// The path of the list of users who were refused or failed.
    ///
    /// The file may not exist.
    public var failures: String { "\(path)/failures.jsonl" }

    /// Writes a list of all users whom the plan or the target has refused, and of those whose outcome is unknown.
    ///
    /// The file consists of JSON Lines: the ids of the user, the state, the reason, and what would help. ``UserMove/retry(_:)`` takes
    /// the users whose values were corrected on the source.
    ///
    /// - Returns: The list; `nil` if there are no such users. In that case, an earlier list is removed.
    /// - Throws: `journal` if the file cannot be written.
    @discardableResult
    public func writeFailures() async throws(MigrationError) -> RunFile? {
        try await writeList(failures, of: UserMove.failed) { user in
            let reason = user.reason ?? UserReason.serverError.rawValue
            let help = UserReason(rawValue: reason)?.remedy ?? "Correct the value on the source, or what the target rejects."
            return [
                "source": .string(user.sourceID), "target": user.targetID.map(JSON.string) ?? .null,
                "state": .string(user.state.rawValue), "reason": .string(reason), "help": .string(help),
            ]
        }
    }

    /// Writes a line for each user in some states; `nil` leaves a user out.
    func writeList(
        _ path: String, of states: Set<UserState>, _ line: (JournalUser) -> JSONObject?
    ) async throws(MigrationError) -> RunFile? {
        var writer: RunFileWriter?
        var last = 0
        do throws(MigrationError) {
            while true {
                let users = try await journal.users(in: states, after: last, limit: Self.pageSize)
                guard let end = users.last?.number else { break }
                last = end
                let lines = users.compactMap(line)
                guard !lines.isEmpty else { continue }
                if writer == nil { writer = try await RunFileWriter(path) }
                try await writer?.append(lines.flatMap { JSON.object($0).bytes() + [0x0a] }, users: lines.count)
            }
        } catch {
            writer?.discard()
            throw error
        }
        guard let writer else {
            try await RunFileWriter.remove(path)
            return nil
        }
        return try await writer.finish()
    }
}

extension UserMove {
    /// The states of users who were not created because of an error.
    static let failed: Set<UserState> = [.refused, .unknown]

    /// Plans refused and failed users again, after their values were corrected on the source.
    ///
    /// Call ``apply(isPartial:only:progress:)`` with the returned ids afterwards. Users who were created meanwhile stay as they are.
    ///
    /// - Parameter ids: The ids of users on the source.
    /// - Returns: The ids that are planned now, and those of users whom the run does not have, or has not refused.
    /// - Throws: `notPlanned`, `anotherEnd`, `anotherAccess`, `journal`.
    public func retry(_ ids: [String]) async throws(MigrationError) -> (planned: [String], others: [String]) {
        _ = try await plannedSummary()
        var (planned, others): ([String], [String]) = ([], [])
        var rest = ids[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(pageSize))
            rest = rest.dropFirst(part.count)
            let users = try await journal.users(sourceIDs: part)
            let open = users.filter { Self.failed.contains($0.state) || [.planned, .intended].contains($0.state) }
            // Whether an unknown user exists is looked up before a request, as after a kill.
            let again = open.filter { Self.failed.contains($0.state) }
            try await journal.settle(again.map { Settlement($0.number, $0.state == .unknown ? .intended : .planned) })
            let names = Set(open.map(\.sourceID.exact))
            planned += part.filter { names.contains($0.exact) }
            others += part.filter { !names.contains($0.exact) }
        }
        return (planned, others)
    }
}

extension UserReason {
    /// What would help, as a sentence.
    var remedy: String {
        switch self {
        case .anonymousUser: "Choose \"anonymousUsers\": \"create\", or \"skip\" to leave these users behind."
        case .anonymousUserNotAccepted: "Choose \"anonymousUsers\": \"skip\" to leave these users behind."
        case .noAddressOrNumber: "Give the user an address or a number on the source."
        case .addressNotAccepted: "Correct the address on the source."
        case .valueWithNUL: "Remove the NUL character on the source."
        case .appFactor, .appFactorNotAccepted, .phoneFactor, .otherFactor:
            "Choose \"secondFactors\": \"drop\" or \"withoutPassword\" in move.json."
        case .noWayIn: "Choose \"withoutWayIn\": \"create\", or turn on a way to sign in on the target."
        case .dataTooLarge: "Choose \"largeData\": \"sideFile\", or shorten the value on the source."
        case .valueMissing: "Add the value on the source, or make it optional on the target."
        case .addressTwice, .numberTwice, .identityTwice, .usernameTwice, .idTwice:
            "Merge the two users on the source, or change the value of one of them."
        case .addressTaken, .numberTaken, .identityTaken, .usernameTaken, .idTaken:
            "Change the value on one side, or delete the user on the target."
        case .serverError: "Try again."
        case .databaseError: "Correct the trigger or the rule on the target, then try again."
        }
    }
}
