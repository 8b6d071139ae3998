internal import LockstepCrypto
internal import LockstepPrimitives

extension SessionNote {
    var event: Event.Name {
        switch self {
        case .renewed, .discarded, .refreshFailed: .sessionRefreshed
        case .adopted: .sessionAdopted
        case .ended: .sessionEnded
        case .persistenceFailed: .persistenceFailed
        case .persisted: .persistenceHealed
        }
    }

    var fields: [String: String] {
        switch self {
        case .renewed(let session): ["outcome": "ok", "session": session.mark]
        case .discarded(let session): ["outcome": "discarded", "session": session.mark]
        case .refreshFailed(let error, let session): ["outcome": error.code.rawValue, "session": session.mark]
        case .adopted(let session): ["session": session.mark]
        case .ended(let reason, let verdict, let session):
            [
                "reason": reason.rawValue, "verdict": verdict?.provider?.code ?? verdict?.code.rawValue ?? "",
                "session": session.mark,
            ]
        case .persistenceFailed(let code): ["code": code.rawValue]
        case .persisted: [:]
        }
    }
}

extension Session {
    /// Names the session in logs: eight digits of a digest, by which nobody finds the user and the app's own lines can be joined.
    var mark: String {
        Hex.encode(HashFunction.sha256.digest(Array("\(provider)\n\(id ?? user.id)".utf8)).prefix(4))
    }
}
