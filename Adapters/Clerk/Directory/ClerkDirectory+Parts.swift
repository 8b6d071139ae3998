internal import Lockstep
internal import LockstepClerk
internal import LockstepDirectory
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

// What needs several requests.
extension ClerkDirectory {
    /// Returns the values that a new user has after each request; the last ones are those of the user.
    ///
    /// - Parameter user: The values of the new user.
    /// - Returns: The values after the first request, after the second, and so on.
    package func stages(of user: NewDirectoryUser) -> [NewDirectoryUser] {
        let numbers = user.factors.filter { $0.number != nil }
        var stage = user
        stage.factors.removeAll { $0.number != nil }
        if !numbers.isEmpty { stage.isDisabled = true }
        let unclaimed = user.unclaimedAddresses
        if !unclaimed.isEmpty { (stage.email, stage.otherEmails) = (nil, []) }
        var stages = [stage]
        for address in unclaimed {
            if address.isPrimary {
                stage.email = address.value
            } else {
                stage.otherEmails.insert(address, at: 0)
            }
            stages.append(stage)
        }
        for number in numbers {
            stage.factors.append(number)
            stages.append(stage)
        }
        if stage.isDisabled != user.isDisabled { stages.append(user) }
        return stages
    }

    /// Sends the requests after the first one, which has made the user.
    func complete(_ user: NewDirectoryUser, _ there: DirectoryUser) async throws(AuthError) -> DirectoryUser {
        for address in user.unclaimedAddresses {
            var body: JSONObject = ["user_id": .string(there.id), "email_address": .string(address.value)]
            if address.isPrimary { body["primary"] = true }
            _ = try await call(.post, "/email_addresses", body: body)
        }
        for number in user.factors.compactMap(\.number) {
            _ = try await call(
                .post, "/phone_numbers",
                body: [
                    "user_id": .string(there.id), "phone_number": .string(number), "verified": true,
                    "reserved_for_second_factor": true,
                ])
        }
        if !user.isDisabled, there.isDisabled { _ = try await call(.post, try path(there.id) + "/unban", body: [:]) }
        return try await self.user(id: there.id)
    }

    /// Splits changes into those of each request; a user is disabled before all else, and enabled after it.
    ///
    /// - Parameter changes: The changes.
    /// - Returns: The changes of each request.
    package func requests(for changes: DirectoryChanges) -> [DirectoryChanges] {
        var (address, number, profile, metadata, ban) =
            (DirectoryChanges(), DirectoryChanges(), changes, DirectoryChanges(), DirectoryChanges())
        (address.email, address.isEmailConfirmed) = (changes.email, changes.isEmailConfirmed)
        (number.phone, number.isPhoneConfirmed) = (changes.phone, changes.isPhoneConfirmed)
        (metadata.userMetadata, metadata.appMetadata) = (changes.userMetadata, changes.appMetadata)
        metadata.privateMetadata = changes.privateMetadata
        ban.isDisabled = changes.isDisabled
        (profile.email, profile.isEmailConfirmed, profile.phone, profile.isPhoneConfirmed) = (nil, nil, nil, nil)
        (profile.userMetadata, profile.appMetadata, profile.privateMetadata) = ([:], [:], [:])
        profile.isDisabled = nil
        let parts = [address, number, profile, metadata]
        return (changes.isDisabled == true ? [ban] + parts : parts + [ban]).filter { $0 != DirectoryChanges() }
    }
}

extension DirectoryFactor {
    /// The number of a second factor by SMS; `nil` for another factor.
    var number: String? { if case .phone(let number) = kind { number } else { nil } }
}
