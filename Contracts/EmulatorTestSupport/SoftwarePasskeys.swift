public import LockstepContracts
public import LockstepPrimitives
internal import Synchronization

/// The system's dialog for passkeys, in software.
///
/// Each user has one ``SoftwarePasskey``.
///
/// ```swift
/// let sheet = SoftwarePasskeys()
/// let created = try await sheet.create(options, of: userID)
/// let signed = try await sheet.sign(options, as: userID)
/// print(created, signed)
/// ```
public final class SoftwarePasskeys: PasskeySheet {
    private let uses = Mutex<Int64>(0)

    /// Creates a dialog without passkeys.
    public init() {}

    /// Creates the passkey of a user.
    ///
    /// - Parameters:
    ///   - options: The options of the challenge.
    /// - Returns: The value that the app sends in the next step.
    /// - Throws: Nothing.
    public func create(_ options: JSON, of userID: String) async throws -> JSON { passkey("create", options, userID) }

    /// Signs a challenge with the passkey of a user.
    ///
    /// - Returns: The value that the app sends in the next step.
    /// - Throws: Nothing.
    public func sign(_ options: JSON, as userID: String) async throws -> JSON { passkey("get", options, userID) }

    private func passkey(_ action: JSON, _ options: JSON, _ userID: String) -> JSON {
        let count = uses.withLock { count in
            count += 1
            return count
        }
        return SoftwarePasskey([
            "do": action, "seed": .string(userID), "challenge": options["challenge"] ?? .null, "count": .int(count),
            "user": .string(userID),
        ]).credential
    }
}
