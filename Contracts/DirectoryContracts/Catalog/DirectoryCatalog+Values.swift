internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension DirectoryCatalog {
    static let nothingDropped = DirectoryContract(
        "directory.nothing-dropped",
        "The directory stores each value of a new user, or rejects it as `unsupported` before a request. No value is dropped silently."
    ) { world in
        let directory = try world.directory()
        for (number, value) in GivenValue.all.enumerated() {
            var user = world.user("value\(number)", nil)
            value.give(&user, number)
            if directory.features.contains(value.feature) {
                await world.checkKept(value, user, directory)
            } else {
                try await world.checkRefused(value, user, directory)
            }
        }
        // A value that is stored alone must also be stored together with the others.
        var whole = world.user("whole", nil)
        whole.displayName = "Ada Lovelace"
        whole.appMetadata = ["plan": "gold", "levels": [1, 2], "place": ["city": "Turin"]]
        let values = GivenValue.all.filter { directory.features.contains($0.feature) && !$0.isAlone }
        for value in values { value.give(&whole, 999) }
        let made = try await directory.create(whole)
        let read = try await directory.user(id: made.id)
        world.expect(read.displayName == whole.displayName, "the name is \(read.displayName ?? "missing")")
        for (name, value) in whole.appMetadata {
            world.expect(read.appMetadata[name] == value, "\(name) in the server's data was not read back")
        }
        for value in values {
            world.expect(value.isRead(read, whole), "\(value.name) was not read back together with other values")
        }
        let listed = try await directory.page(after: nil, size: 100).users.first { $0.id == made.id }
        for value in values where listed?.notShown.contains(value.feature) == false {
            world.expect(listed.map { value.isRead($0, whole) } == true, "the list does not contain \(value.name)")
        }
    }
}

extension DirectoryWorld {
    fileprivate func checkKept(_ value: GivenValue, _ user: NewDirectoryUser, _ directory: any UserDirectory) async {
        do throws(AuthError) {
            let made = try await directory.create(user)
            expect(value.isRead(made, user), "\(value.name) was not read back")
        } catch {
            expect(value.isRefusable && error.isUnsupported(value.feature), "\(value.name) was rejected with \(error)")
        }
    }

    fileprivate func checkRefused(_ value: GivenValue, _ user: NewDirectoryUser, _ directory: any UserDirectory) async throws {
        let before = try project.requestCount()
        do throws(AuthError) {
            _ = try await directory.create(user)
            report("\(value.name): the directory created a user without it")
        } catch {
            expect(
                error.isUnsupported(value.feature),
                "\(value.name): expected `unsupported` with the name of the feature, got \(error)")
        }
        let outcomes = await directory.create([user])
        expect(
            outcomes.first?.error?.isUnsupported(value.feature) == true, "\(value.name): the outcome in a batch is \(outcomes)")
        let sent = try project.requestCount() - before
        expect(sent == 0, "\(value.name): the directory sent \(sent) requests for a rejected user")
    }
}

extension AuthError {
    fileprivate func isUnsupported(_ feature: DirectoryFeature) -> Bool {
        code == .unsupported && message.contains(feature.rawValue)
    }
}

extension DirectoryCatalog {
    static let timesKept = DirectoryContract(
        "directory.times-kept",
        """
        An accepted time of the years 1 to 9999 is read back to the millisecond, even before 1582 and 1970. Any other time is \
        `invalidInput` before a request.
        """
    ) { world in
        let directory = try world.directory()
        for (feature, set, read) in GivenTime.all where directory.features.contains(feature) {
            for (number, time) in GivenTime.kept.enumerated() {
                var user = world.user("\(feature)\(number)".lowercased(), nil)
                set(&user, time)
                let made = read(try await directory.create(user))
                world.expect(
                    made == time,
                    "\(feature): \(time.milliseconds) was read back as \(made.map { "\($0.milliseconds)" } ?? "nothing")")
            }
            for time in GivenTime.rejected {
                var user = world.user("rejected", nil)
                set(&user, time)
                let rejected = user
                let before = try world.project.requestCount()
                await world.expect(.invalidInput, "\(feature), \(time.milliseconds)") { () async throws(AuthError) in
                    _ = try await directory.create(rejected)
                }
                let outcomes = await directory.create([rejected])
                world.expect(outcomes.first?.error?.code == .invalidInput, "\(feature): the outcome in a batch is \(outcomes)")
                let sent = try world.project.requestCount() - before
                world.expect(sent == 0, "\(feature): the directory sent \(sent) requests for a rejected time")
            }
        }
    }
}

/// Times that a calendar, a type or a format can change.
private enum GivenTime {
    static let all:
        [(DirectoryFeature, @Sendable (inout NewDirectoryUser, Instant) -> Void, @Sendable (DirectoryUser) -> Instant?)] = [
            (.creationTimes, { $0.createdAt = $1 }, { $0.createdAt }),
            (.updateTimes, { $0.updatedAt = $1 }, { $0.updatedAt }),
            (.confirmationTimes, { $0.emailConfirmedAt = $1 }, { $0.emailConfirmedAt }),
            (.signInTimes, { $0.lastSignInAt = $1 }, { $0.lastSignInAt }),
        ]

    /// The first and last milliseconds, both sides of the change to the Gregorian calendar, a leap day, and times around 1970.
    static let kept = [
        -62_135_596_800_000, -62_135_596_799_999, -30_610_224_000_001, -14_831_769_600_123, -12_219_292_800_001,
        -12_219_292_800_000,
        -11_676_096_000_000, -1, 0, 1, 951_782_400_999, 253_402_300_799_999,
    ]
    .map { Instant(milliseconds: $0) }

    static let rejected = [
        Instant.distantPast, Instant(milliseconds: .min + 1), Instant(milliseconds: .min / 2),
        Instant(milliseconds: -62_135_596_800_001),
        Instant(milliseconds: 253_402_300_800_000), .distantFuture,
    ]
}
