internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension DirectoryCatalog {
    static let foundTogether = DirectoryContract(
        "directory.found-together",
        """
        A look-up of several users returns them in the order of the request, with `nil` for each missing user, for any number \
        of users. A look-up that the backend does not support throws `unsupported` before a request. The count is the number \
        of users.
        """
    ) { world in
        let directory = try world.directory()
        var made: [DirectoryUser] = []
        for number in 0..<5 {
            var user = world.user("user\(number)", nil)
            if directory.features.contains(.phones) {
                user.phone = "+1555123100\(number)"
                user.isPhoneConfirmed = true
            }
            if directory.features.contains(.externalIDs) { user.externalID = "legacy-\(number)" }
            if directory.features.contains(.identities) {
                user.providerIdentities = [DirectoryIdentity(.google, subject: "g-\(number)")]
            }
            made.append(try await directory.create(user))
        }
        let count = try await directory.count()
        world.expect(count == 5, "the count is \(count), expected 5")
        let absent = made[0].id
        try await directory.delete(absent)

        // One call cannot contain so many users. Their order differs from the order of creation, and one user appears twice.
        let order = [3, 1, 4, 1, 2]
        let noEmails = (0..<120).map { RequestedUser.email("nobody\($0)@example.com") }
        let emails = order.map { RequestedUser.email("USER\($0)@example.com") } + noEmails + [.email("user2@example.com")]
        var due = order.map { Optional(made[$0].id) } + noEmails.map { _ in nil } + [made[2].id]
        let byEmail = try await directory.users(emails).map { $0?.id }
        world.expect(byEmail == due, "by address, the directory found \(byEmail.prefix(8)), expected \(due.prefix(8))")

        let noIDs = Array(repeating: absent, count: 120)
        due = order.map { Optional(made[$0].id) } + noIDs.map { _ in nil } + [made[2].id]
        let byID = try await directory.users(ids: order.map { made[$0].id } + noIDs + [made[2].id]).map { $0?.id }
        world.expect(byID == due, "by id, the directory found \(byID.prefix(8)), expected \(due.prefix(8))")

        let others: [(String, [RequestedUser])] = [
            ("number", order.map { .phone("+1555123100\($0)") } + [.phone("+15551239999")]),
            ("identity", order.map { .identity(.google, subject: "g-\($0)") } + [.identity(.google, subject: "g-9")]),
            ("external id", order.map { .externalID("legacy-\($0)") } + [.externalID("legacy-9")]),
        ]
        let features: [DirectoryFeature] = [.phones, .identities, .externalIDs]
        for ((name, requests), feature) in zip(others, features) {
            let before = try world.project.requestCount()
            do throws(AuthError) {
                let found = try await directory.users(requests).map { $0?.id }
                let isKept = directory.features.contains(feature)
                let due = isKept ? order.map { Optional(made[$0].id) } + [nil] : requests.map { _ in nil }
                world.expect(found == due, "by \(name), the directory found \(found), expected \(due)")
            } catch {
                world.expect(error.code == .unsupported, "by \(name): the lookup failed with \(error)")
                let sent = try world.project.requestCount() - before
                world.expect(sent == 0, "by \(name): an unsupported lookup sent \(sent) requests")
            }
        }
        let none = try await directory.users([])
        world.expect(none.isEmpty, "an empty lookup returned \(none.count) users")
    }
}

extension DirectoryCatalog {
    static let namesAreBytes = DirectoryContract(
        "directory.names-are-bytes",
        "Users whose ids, external ids or identities differ only in their Unicode form (`é`, and `e` with U+0301) are different users "
            + "in every call.",
        buildsOn: ["directory.found-together"]
    ) { world in
        let directory = try world.directory()
        for feature in [DirectoryFeature.chosenIDs, .externalIDs, .identities] where directory.features.contains(feature) {
            let requests = ["\u{e9}", "e\u{301}"].map { name -> RequestedUser in
                switch feature {
                case .chosenIDs: .id(name)
                case .externalIDs: .externalID(name)
                default: .identity(.google, subject: name)
                }
            }
            let outcomes = await directory.create(
                requests.enumerated().map { number, request in
                    var user = world.user("\(feature.rawValue)\(number)".lowercased(), nil)
                    switch request {
                    case .id(let id): user.id = id
                    case .externalID(let id): user.externalID = id
                    case .identity(let provider, let subject):
                        user.providerIdentities = [DirectoryIdentity(provider, subject: subject)]
                    default: break
                    }
                    return user
                })
            // Some backends accept only ids of their own form.
            if feature == .chosenIDs, outcomes.allSatisfy({ $0.error?.code == .invalidInput }) { continue }
            let ids = outcomes.compactMap { if case .done(let id) = $0 { id.exact } else { nil } }
            guard Set(ids).count == 2 else {
                world.report("\(feature): a batch of two users returned \(outcomes)")
                continue
            }
            do throws(AuthError) {
                let found = try await directory.users(requests).map { $0?.id.exact }
                world.expect(found == ids, "\(feature): the look-up returned \(found), expected \(ids)")
            } catch {
                world.expect(error.code == .unsupported, "\(feature): the look-up failed with \(error)")
            }
            var listed: [ExactString] = []
            for try await user in directory.all(pageSize: 1) { listed.append(user.id.exact) }
            world.expect(listed.count == 2 && Set(listed) == Set(ids), "\(feature): the list contains \(listed), expected \(ids)")
            try await directory.delete(ids[0].text)
            let left = try await directory.users(ids: ids.map(\.text)).map { $0?.id.exact }
            world.expect(left == [nil, ids[1]], "\(feature): after the deletion of one user, the directory found \(left)")
            try await directory.delete(ids[1].text)
        }
    }
}
