internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepUserFields

extension Seed {
    /// Rejects a seed in which two users have the same value that identifies a user.
    ///
    /// - Parameter provider: The provider that gets the seed.
    /// - Throws: `SeedProblem` if there are such users.
    func requireDistinctUsers(on provider: String) throws(SeedProblem) {
        var owners: [ExactString: Int] = [:]
        func claim(_ name: String, _ key: String, _ shown: String, of index: Int) throws(SeedProblem) {
            if let other = owners.updateValue(index, forKey: (name + " " + key).exact), other != index {
                throw SeedProblem(
                    .notKept,
                    "Two users have the \(name) \"\(shown.prefix(100))\" on \(provider). Remove one of them, or use \"only\" to limit them to different providers."
                )
            }
        }
        for (index, user) in users.enumerated() {
            if let id = user.id { try claim("id", id, id, of: index) }
            if let email = user.email, !email.isEmpty { try claim("email", email.lowercased(), email, of: index) }
            if let phone = user.phone, !phone.isEmpty { try claim("phone", phone, phone, of: index) }
            for email in user.otherEmails { try claim("email", email.value.lowercased(), email.value, of: index) }
            for phone in user.otherPhones { try claim("phone", phone.value, phone.value, of: index) }
            if let name = user.username { try claim("username", name.lowercased(), name, of: index) }
            for identity in user.identities {
                try claim("identity", identity.provider + " " + identity.subject, identity.subject, of: index)
            }
            for id in user.sessions.compactMap(\.id) { try claim("session", id, id, of: index) }
        }
    }

    /// Returns the seed with hashes instead of passwords, and with an id for each user.
    ///
    /// Users with the same password get the same hash, because a seed of many users usually has one password. The result also
    /// contains the user of each password that the algorithm does not accept. The work runs on the workers of `environment`.
    /// `makeID` makes the id for a user without one.
    func prepared(
        by hasher: PasswordHasher, in environment: EmulationEnvironment, id makeID: () -> String
    ) async throws -> (seed: Seed, refused: [(index: Int, error: PasswordError)]) {
        let hashes = try await environment.hashes(of: Array(Set(users.compactMap(\.password))), by: hasher)
        var seed = self
        var refused: [(index: Int, error: PasswordError)] = []
        for index in users.indices {
            if users[index].id == nil { seed.users[index].id = makeID() }
            guard let password = users[index].password else { continue }
            seed.users[index].password = nil
            switch hashes[password] {
            case .success(let hash)?: seed.users[index].passwordHash = Secret(hash.text)
            case .failure(let error)?: refused.append((index, error))
            case nil: preconditionFailure("every password was hashed")
            }
        }
        return (seed, refused)
    }
}

extension EmulationEnvironment {
    /// Hashes passwords on all workers.
    fileprivate func hashes(
        of passwords: [Secret], by hasher: PasswordHasher
    ) async throws -> [Secret: Result<PasswordHash, PasswordError>] {
        // Small parts keep all workers busy until the end.
        let size = 64
        return try await withThrowingTaskGroup { group in
            for start in stride(from: 0, to: passwords.count, by: size) {
                let part = passwords[start..<min(start + size, passwords.count)]
                group.addTask {
                    try await workers.run {
                        part.map { password in (password, Result { () throws(PasswordError) in try hash(password, by: hasher) }) }
                    }
                }
            }
            var hashes: [Secret: Result<PasswordHash, PasswordError>] = [:]
            for try await part in group { for (password, hash) in part { hashes[password] = hash } }
            return hashes
        }
    }
}
