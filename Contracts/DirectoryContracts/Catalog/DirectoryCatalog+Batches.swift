internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension DirectoryCatalog {
    static let refusalNamesUser = DirectoryContract(
        "directory.refusal-names-user",
        "In a batch, each rejected user has an error, and all other users are created."
    ) { world in
        let directory = try world.directory()
        _ = try await directory.create(world.user("taken", nil))
        let before = try await world.count(directory)
        let batch = [
            world.user("first"), world.user("taken", nil), world.user("second", .hash(SampleHash.bcrypt)),
            world.user("broken", .hash(SampleHash.unreadable)), world.user("third", nil), world.user("First", nil),
            NewDirectoryUser(email: "no address"), world.user("fourth", .hash(SampleHash.firebase)),
        ]
        let due: [AuthError.Code?] = [nil, .emailAlreadyInUse, nil, .invalidInput, nil, .emailAlreadyInUse, .invalidEmail, nil]
        let outcomes = await directory.create(batch)
        guard outcomes.count == batch.count else {
            return world.report("the batch of \(batch.count) users has \(outcomes.count) outcomes")
        }
        for (user, (outcome, due)) in zip(batch, zip(outcomes, due)) {
            let name = user.email ?? ""
            switch (outcome, due) {
            case (.done(let id), nil):
                let found = try await directory.user(id: id)
                world.expect(found.email == name, "\(name) was created, and its id belongs to \(found.email ?? "no address")")
            case (.refused(let error), let due?): world.expect(error.code == due, "\(name): expected \(due), got \(error)")
            default: world.report("\(name): expected \(due.map { "\($0)" } ?? "a user"), got \(outcome)")
            }
        }
        let made = try await world.count(directory) - before
        world.expect(made == 4, "\(made) users were created, expected 4")
    }

    static let limitsWaited = DirectoryContract(
        "directory.limits-waited",
        """
        If the backend reports too many requests (429), the directory waits for the given time and repeats the request, for \
        every kind of request.
        """
    ) { world in
        let directory = try world.directory()
        let user = try await directory.create(world.user("ada", nil))
        var changes = DirectoryChanges()
        changes.displayName = "Ada"
        for request in DirectoryRequest.allCases {
            try world.project.fail(request, after: 0, with: .tooMany(seconds: 40))
            let start = world.clock.time
            switch request {
            case .page: world.expect(try await directory.page(after: nil, size: 10).users.count == 1, "the page has other users")
            case .creation: _ = try await directory.create(world.user("second", nil))
            case .change:
                world.expect(try await directory.update(user.id, changes).displayName == "Ada", "the user was not changed")
            case .deletion: try await directory.delete(user.id)
            case .lookup: world.expect(try await directory.user(id: user.id).id == user.id, "the lookup returned another user")
            case .search: world.expect(try await directory.user(email: "ada@example.com")?.id == user.id, "no user was found")
            }
            let waited = world.clock.time - start
            world.expect(
                (.seconds(40)...(.seconds(45))).contains(waited),
                "\(request): the directory waited for \(waited), expected 40 seconds")
        }
        let left = try await world.count(directory)
        world.expect(left == 1, "\(left) users remain, expected only the second one")
        // An hour is too long for a call to wait.
        try world.project.fail(.page, after: 0, with: .tooMany(seconds: 3600))
        let start = world.clock.time
        await world.expect(.tooManyRequests, "an hour") { () async throws(AuthError) in
            _ = try await directory.page(after: nil, size: 10)
        }
        world.expect(world.clock.time == start, "the directory waited, although the time is too long for a call")
    }

    static let batchInterrupted = DirectoryContract(
        "directory.batch-interrupted",
        """
        After a batch that a lost response or a failing backend has interrupted, every user has an outcome: created, not sent, \
        or unknown. A second run creates each user once.
        """
    ) { world in
        for fault in [DirectoryFault.lostAnswer, .lostRequest, .trouble] {
            let directory = try world.directory()
            let before = try await world.count(directory)
            let mark = "\(fault)".lowercased()
            // The batch is larger than the number of simultaneous requests.
            let batch =
                [world.user("\(mark)1", .hash(SampleHash.bcrypt)), world.user("\(mark)2", .hash(SampleHash.firebase))]
                + (3...20).map { world.user("\(mark)\($0)") }
            // Every later request fails. So the number of requests does not depend on when the directory notices the first
            // failure.
            try world.project.fail(.creation, after: 1, with: fault, times: batch.count)
            let outcomes = await directory.create(batch)
            try world.project.mend()
            guard outcomes.count == batch.count else {
                return world.report("the batch of \(batch.count) users has \(outcomes.count) outcomes")
            }
            var (done, unknown, notSent) = (0, 0, 0)
            var again: [NewDirectoryUser] = []
            for (user, outcome) in zip(batch, outcomes) {
                let isThere = try await directory.user(email: user.email ?? "") != nil
                if !isThere { again.append(user) }
                switch outcome {
                case .done:
                    done += 1
                    world.expect(isThere, "\(fault): a user reported as created does not exist")
                case .unknown: unknown += 1
                case .notSent:
                    notSent += 1
                    world.expect(!isThere, "\(fault): a user reported as not sent exists")
                case .refused(let error): world.report("\(fault): the fault was reported as a rejected user: \(error)")
                }
            }
            world.expect(
                done > 0 && unknown > 0 && notSent > 0,
                "\(fault): of \(batch.count) users, \(done) are reported as created, \(unknown) as unknown and \(notSent) as not sent"
            )
            let rest = await directory.create(again)
            world.expect(rest.allSatisfy { $0.error == nil }, "\(fault): the second run failed: \(rest.compactMap(\.error))")
            let made = try await world.count(directory) - before
            world.expect(made == batch.count, "\(fault): after the second run there are \(made) users, expected \(batch.count)")
        }
    }
}
