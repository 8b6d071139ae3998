public import LockstepContracts
public import LockstepPrimitives
internal import Synchronization

/// The system's passkey dialog, with one ``SoftwarePasskey`` per user.
public final class SoftwarePasskeys: PasskeySheet {
    private let uses = Mutex<Int64>(0)

    /// Creates a dialog without passkeys.
    public init() {}

    /// Creates the user's passkey.
    public func create(_ options: JSON, of userID: String) async throws -> JSON { passkey("create", options, userID) }

    /// Signs with the user's passkey.
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
