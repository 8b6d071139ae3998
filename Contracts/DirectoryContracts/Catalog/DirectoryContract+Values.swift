internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

extension DirectoryContract {
    static let nothingDropped = DirectoryContract(
        "directory.nothing-dropped",
        "What a new user is given is read back, or refused as `unsupported` before anything is sent: nothing is left out silently."
    ) { world in
        let directory = try world.directory()
        var kept = world.user("kept", nil)
        kept.displayName = "Ada Lovelace"
        kept.appMetadata = ["plan": "gold", "levels": [1, 2], "place": ["city": "Turin"]]
        for sample in GivenValue.all {
            guard directory.features.contains(sample.feature) else {
                var user = world.user("refused", nil)
                sample.give(&user)
                let before = try world.project.requestCount()
                await world.expect(.unsupported, sample.feature.rawValue) { () async throws(AuthError) in
                    _ = try await directory.create(user)
                }
                let sent = try world.project.requestCount() - before
                world.expect(sent == 0, "\(sample.feature): \(sent) requests were sent for a user who is refused")
                continue
            }
            sample.give(&kept)
        }
        let made = try await directory.create(kept)
        world.expect(made.displayName == kept.displayName, "the name is \(made.displayName ?? "missing")")
        for (name, value) in kept.appMetadata {
            world.expect(made.appMetadata[name] == value, "of the server's data, \(name) is not read back")
        }
        for sample in GivenValue.all where directory.features.contains(sample.feature) {
            world.expect(sample.isRead(made), "\(sample.feature) is not read back")
        }
        let refused = try await directory.user(email: "refused@example.com")
        world.expect(refused == nil, "a user who was refused was made")
    }
}

extension DirectoryContract {
    static let timesKept = DirectoryContract(
        "directory.times-kept",
        """
        A time of the years 1 to 9999 that a directory accepts is read back to the millisecond, also before 1582 and before 1970; any \
        other time is `invalidInput` before anything is sent.
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
                    "\(feature): \(time.milliseconds) is read back as \(made.map { "\($0.milliseconds)" } ?? "nothing")")
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
                world.expect(outcomes.first?.error?.code == .invalidInput, "\(feature): in a batch \(outcomes) came")
                let sent = try world.project.requestCount() - before
                world.expect(sent == 0, "\(feature): \(sent) requests were sent for a time that is rejected")
            }
        }
    }
}

/// Times that a calendar, a type or a format may lose.
private enum GivenTime {
    static let all:
        [(DirectoryFeature, @Sendable (inout NewDirectoryUser, Instant) -> Void, @Sendable (DirectoryUser) -> Instant?)] = [
            (.creationTimes, { $0.createdAt = $1 }, { $0.createdAt }),
            (.signInTimes, { $0.lastSignInAt = $1 }, { $0.lastSignInAt }),
        ]

    /// The first and the last millisecond, both ends of the change to the Gregorian calendar, a leap day, the years around 1970.
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

/// A value that not every backend keeps.
private struct GivenValue: Sendable {
    let feature: DirectoryFeature
    let give: @Sendable (inout NewDirectoryUser) -> Void
    let isRead: @Sendable (DirectoryUser) -> Bool

    static let all: [GivenValue] = [
        GivenValue(
            feature: .phones,
            give: {
                $0.phone = "+15551230000"
                $0.isPhoneConfirmed = true
            }, isRead: { $0.phone == "+15551230000" }),
        GivenValue(feature: .photos, give: { $0.photoURL = "https://example.com/ada.png" }) {
            $0.photoURL == "https://example.com/ada.png"
        },
        GivenValue(feature: .userMetadata, give: { $0.userMetadata = ["colour": "green"] }) {
            $0.userMetadata["colour"] == "green"
        },
        GivenValue(feature: .privateMetadata, give: { $0.privateMetadata = ["note": "old"] }) {
            $0.privateMetadata["note"] == "old"
        },
        GivenValue(feature: .externalIDs, give: { $0.externalID = "legacy-1" }) { $0.externalID == "legacy-1" },
        GivenValue(feature: .creationTimes, give: { $0.createdAt = Instant(seconds: 1_500_000_000) }) {
            $0.createdAt == Instant(seconds: 1_500_000_000)
        },
        GivenValue(feature: .signInTimes, give: { $0.lastSignInAt = Instant(seconds: 1_600_000_000) }) {
            $0.lastSignInAt == Instant(seconds: 1_600_000_000)
        },
        GivenValue(feature: .chosenIDs, give: { $0.id = "8d3b8a52-2a55-4f0e-9d8f-4b4f5f0d2c11" }) {
            $0.id == "8d3b8a52-2a55-4f0e-9d8f-4b4f5f0d2c11"
        },
        GivenValue(feature: .disabling, give: { $0.isDisabled = true }, isRead: { $0.isDisabled }),
    ]
}
