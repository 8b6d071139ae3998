internal import Lockstep
internal import LockstepDirectory

extension UserMove {
    /// Deletes users whom the source has deleted, if the run created them, and they are unchanged and have not signed in since.
    func followDepartures(isDry: Bool, _ report: inout FollowReport) async throws(MigrationError) {
        var last = 0
        while true {
            let users = try await journal.absent(after: last, limit: batchSize)
            guard let end = users.last?.row.number else { return }
            guard !Task.isCancelled else { throw Self.cancelled }
            // A list may shift while it is read: only a look-up shows that the source has deleted a user.
            let found = try await asking("users of the source cannot be read") { () throws(AuthError) in
                try await source.directory.users(ids: users.map(\.row.sourceID))
            }
            let departed = zip(users, found).filter { $0.1 == nil }.map(\.0.row)
            let (deletable, gone) = try await judge(departed, &report)
            let ids = deletable.compactMap(\.targetID)
            if isDry, !ids.isEmpty {
                report.references.add(
                    try await asking("the tables that refer to users cannot be read") { () throws(AuthError) in
                        try await target.references(ids)
                    })
            }
            if isDry {
                report.deleted += deletable.count
            } else {
                try await journal.bury(gone, goneFrom: "source")
                try await delete(deletable, &report)
            }
            last = end
        }
    }

    /// Finds users to delete on the target, and users who are already deleted there.
    ///
    /// Reports all others.
    private func judge(
        _ rows: [JournalUser], _ report: inout FollowReport
    ) async throws(MigrationError) -> (deletable: [JournalUser], gone: [Int]) {
        var deletable: [JournalUser] = []
        var gone: [Int] = []
        let users = try await targetUsers(rows.map(request))
        for row in rows {
            switch verdict(on: row, users[request(for: row).key]) {
            case .undone: gone.append(row.number)
            case _ where row.state == .adopted: report.name(row, .deletedButAdopted)
            case .intended: deletable.append(row)
            case .signedIn: report.name(row, .deletedButSignedIn)
            case .changed: report.name(row, .deletedButChanged)
            }
        }
        return (deletable, gone)
    }

    private func delete(_ rows: [JournalUser], _ report: inout FollowReport) async throws(MigrationError) {
        var open = rows
        var patience = Patience(self)
        while !open.isEmpty {
            guard !Task.isCancelled else { throw Self.cancelled }
            try await journal.intendRemoval(open.map(\.number))
            let outcomes = await target.directory.delete(open.compactMap(\.targetID))
            var gone: [Int] = []
            var left: [(number: Int, removal: Removal?)] = []
            var rest: [JournalUser] = []
            var failure: AuthError?
            for (row, outcome) in zip(open, outcomes) {
                switch outcome {
                case .done: gone.append(row.number)
                case .refused(let error) where error.code == .userNotFound: gone.append(row.number)
                case .refused(let error):
                    report.name(row, .rejected, [error.code.rawValue])
                    left.append((row.number, nil))
                case .unknown(let error), .notSent(let error):
                    rest.append(row)
                    failure = failure ?? error
                }
            }
            report.deleted += gone.count
            try await journal.bury(gone, goneFrom: "source")
            if !left.isEmpty { try await journal.settleRemoval(left) }
            if let failure { try await patience.wait(after: failure, "the target did not delete users") }
            // A request may have arrived, and a user who is still there may have signed in meanwhile.
            let (deletable, departed) = try await judge(rest, &report)
            report.deleted += departed.count
            try await journal.bury(departed, goneFrom: "source")
            try await takeBack(rest, except: deletable.map(\.number) + departed)
            open = deletable
        }
    }

    /// Records that no request is in progress for users who are kept.
    private func takeBack(_ rows: [JournalUser], except numbers: [Int]) async throws(MigrationError) {
        let kept = rows.filter { !numbers.contains($0.number) }
        if !kept.isEmpty { try await journal.settleRemoval(kept.map { ($0.number, nil) }) }
    }
}
