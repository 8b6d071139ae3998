internal import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives
internal import LockstepSystem

/// The known account of the source.
///
/// A plan is useful only if the exported hash matches the password of this account.
///
/// Only this check can detect a wrong key, separator or alphabet of the hashes before the users are on the target.
struct ProbeCheck: Sendable {
    private let probe: MoveChoices.Probe
    private let executor: ThreadExecutor
    /// The account's id, from the look-up.
    private let id: String
    private var isVerified = false

    /// Looks up the account before anything else is read.
    ///
    /// - Throws: `probe` if there is no such account, or if its hash is wrong.
    init?(_ move: UserMove) async throws(MigrationError) {
        guard let probe = move.choices.probe else { return nil }
        self.probe = probe
        do throws(SystemError) {
            executor = try ThreadExecutor()
        } catch {
            throw MigrationError(.probe, "The probe cannot be checked: \(error).")
        }
        let user = try await move.asking("the probe's account cannot be read") { () throws(AuthError) -> DirectoryUser? in
            do throws(AuthError) {
                return try await move.source.directory.user(email: probe.email)
            } catch  where error.code == .invalidInput {
                return nil
            }
        }
        guard let user else {
            throw MigrationError(.probe, "The source has no user with the probe's address. Use an account of this project.")
        }
        id = user.id
        // Some backends show hashes in lists only.
        if user.passwordHash != nil { try await look(at: user) }
    }

    /// Checks the hash of the account if a page of the list contains the account.
    mutating func look(at users: [DirectoryUser]) async throws(MigrationError) {
        guard !isVerified, let user = users.first(where: { $0.id.exact == id.exact }) else { return }
        try await look(at: user)
    }

    private mutating func look(at user: DirectoryUser) async throws(MigrationError) {
        guard let text = user.passwordHash else {
            throw MigrationError(.probe, "The source returns no hash for the probe's account: \(Self.reason(user.missingHash))")
        }
        let isRight: Bool
        do throws(PasswordError) {
            isRight = try await PasswordHash(text.reveal()).verify(probe.password, on: executor)
        } catch {
            throw MigrationError(.probe, "The hash of the probe's account cannot be checked. \(error.message)")
        }
        guard isRight else {
            throw MigrationError(
                .probe,
                "The hash of the probe's account does not match the given password. Either the password or the "
                    + "hash parameters are wrong. No user could sign in on the target.")
        }
        isVerified = true
    }

    private static func reason(_ missing: MissingHash?) -> String {
        switch missing {
        case .noPassword: "it has no password. Use another account."
        case .notPermitted: "the key does not allow reading hashes. Add the permission, or use another key."
        case .notRehashed: "its hash was imported. Sign in to the account once on the source, or use another account."
        case .notInAPI: "it returns none this way. Name its database in move.json, or remove the probe."
        case .outdated, .notExported: "the export is older than its password. Export the users again."
        case .encryptedByServer: "the server has encrypted it. Provide the server's key, or use another source."
        default: "use a key that allows reading hashes, or another account."
        }
    }

    /// The account in a format that a report may show.
    ///
    /// - Throws: `probe` if the list did not contain the account.
    func result() throws(MigrationError) -> String {
        guard isVerified else {
            throw MigrationError(
                .probe, "The source finds the probe's account by its address, but does not list the account. Plan again.")
        }
        return String(String.UnicodeScalarView(probe.email.unicodeScalars.prefix { $0 != "@" })).visible + "@…"
    }
}
