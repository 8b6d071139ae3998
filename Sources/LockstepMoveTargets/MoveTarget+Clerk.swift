package import LockstepClerkDirectory
package import LockstepDirectory
package import LockstepMigration
import LockstepPasswords
import LockstepPrimitives

extension MoveTarget {
    /// Creates Clerk as a target, with the values that it accepts and sets, and its facts for a plan.
    ///
    /// - Parameters:
    ///   - directory: The directory, or one in front of it.
    ///   - api: The directory of the instance.
    ///   - mailsPerHour: The number of emails that the target sends in an hour; `nil` if the operator has not stated it.
    ///   - trustsNewDevices: Whether temporary users sign in on a new device without a code.
    package static func clerk(
        _ directory: any UserDirectory, api: ClerkDirectory, project: String, mailsPerHour: Int? = nil,
        trustsNewDevices: Bool = false
    ) -> MoveTarget {
        var target = MoveTarget(directory, project: project, ids: .assigned) { hash in
            // A check that takes longer than a request may take never ends.
            guard hash.isWithin(PasswordLimits(memory: 1 << 30, time: .seconds(10))), hash.clerkDigest != nil else { return nil }
            return hash.text
        }
        target.title = "Clerk"
        target.settings = api
        target.road = MoveRoad(
            "by the API, with a request for each user, and more for some (100 a second in production, 10 in development)"
        ) { () throws(AuthError) in
            [MoveEffect("events for the webhooks of the instance", ["user.created for each user"])]
        }
        target.returnsHasPassword = true
        target.comparable.formUnion([.identities, .singleSignOn])
        target.mailsPerHour = mailsPerHour
        target.acceptsAddress = isClerkAddress
        // No account at a provider can be imported: it is linked again at the first sign-in with the same verified address
        // (clerk.com/docs/guides/configure/auth-strategies/social-connections/account-linking).
        target.linksUnverified = false
        target.acceptsProvider = ClerkDirectory.accepts
        // One app, codes that replace it, and numbers with which nobody signs in alone.
        target.acceptsFactor = { factor, user in
            guard factor.isVerified, factor.hasReadableSecret else { return false }
            guard case .phone(let number) = factor.kind else { return true }
            return user.email != nil && !([user.phone] + user.otherPhones.map(\.value)).contains { $0?.exact == number.exact }
        }
        target.claimsFactorNumbers = true
        target.parts = MoveParts(stages: { api.stages(of: $0) }, changes: { api.requests(for: $0) })
        target.splitName = { name in
            let words = name.pieces(at: " ").map { String($0) }
            guard words.count > 1 else { return (words.first ?? "", "") }
            return (words.dropLast().joined(separator: " "), words[words.count - 1])
        }
        target.reservesAddresses = true
        // An address that is not verified is reserved, and its user signs in with a password.
        target.verifiesFirst = false
        // Clerk's documents name 8 kB for each of the three (clerk.com/docs/guides/how-clerk-works/system-limits).
        target.limits =
            [MoveLimit.Value.claims, .userData, .privateData].map { MoveLimit([$0], 8192, .bytes) }
            + [MoveLimit.Value.firstName, .lastName].map { MoveLimit([$0], 256, .characters) }
        // The server and its clients read numbers as 64-bit floats.
        target.largestNumber = 1 << 53
        target.setPasswordHash = { hash, id throws(AuthError) in try await api.setPasswordHash(hash, of: id) }
        target.canaryEnding = "+clerk_test@example.com"
        target.asksNewDevices = true
        target.firstSignIns =
            "If client trust is on, Clerk asks each user with a password for a code at the first sign-in on a device: tell them, or turn "
            + "it off for the days of the move."
        if trustsNewDevices {
            target.trustNewDevices = { id throws(AuthError) in try await api.setClientTrustBypass(true, of: id) }
        }
        return target
    }

    /// The addresses that Clerk accepts: ASCII, and no domain that never has a mailbox (github.com/clerk/cli,
    /// packages/cli-core/src/commands/migrate).
    @Sendable private static func isClerkAddress(_ address: String) -> Bool {
        guard (try? EmailAddress(address)) != nil, address.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let domain = address.lowercased()
        return ![".local", ".invalid", ".test", ".example"].contains(where: domain.hasSuffix)
    }
}

extension DirectoryFactor {
    /// Whether the secret of an app is base32, as Clerk requires.
    fileprivate var hasReadableSecret: Bool {
        guard case .authenticatorApp(let secret?) = kind else { return true }
        let units = secret.reveal().utf8
        return !units.isEmpty
            && units.allSatisfy {
                (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || (0x32...0x37).contains($0) || $0 == 0x3d
            }
    }
}
