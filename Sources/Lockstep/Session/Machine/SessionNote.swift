internal import LockstepCrypto
internal import LockstepPrimitives

/// A change of a session, for the event sink.
package enum SessionNote: Sendable {
    /// A refreshed session was stored and is shown.
    case renewed(Session)
    /// A session that another process stored is shown.
    case adopted(Session)
    /// Tokens came for a user who is no longer signed in. They are revoked on the backend.
    case discarded(Session)
    /// A refresh failed and the session stays.
    case refreshFailed(AuthError, Session)
    /// A session ended although the app did not sign out.
    case ended(SignOutReason, AuthError?, Session)
    /// A response belonged to another user and was discarded. The session stays.
    case mismatched(Session?)
    /// The store could not be written. The write is repeated.
    case persistenceFailed(StoreError.Code)
    /// The pending write succeeded.
    case persisted
}

extension SessionNote {
    var event: AuthEvent.Name {
        switch self {
        case .renewed, .discarded, .refreshFailed: .sessionRefreshed
        case .adopted: .sessionAdopted
        case .ended: .sessionEnded
        case .mismatched: .userMismatch
        case .persistenceFailed: .persistenceFailed
        case .persisted: .persistenceHealed
        }
    }

    /// Returns the fields of the note's event; `latency` is the duration of the refresh that caused it.
    func fields(after latency: Duration?) -> [AuthEvent.Field: String] {
        switch self {
        case .renewed(let session): refresh("ok", session, latency)
        case .discarded(let session): refresh("discarded", session, latency)
        case .refreshFailed(let error, let session): refresh(error.code.rawValue, session, latency)
        case .adopted(let session): [.session: session.mark]
        case .ended(let reason, let verdict, let session):
            [.reason: reason.rawValue, .verdict: verdict?.verdict(on: session), .session: session.mark].compactMapValues { $0 }
        case .mismatched(let session): session.map { [.session: $0.mark] } ?? [:]
        case .persistenceFailed(let code): [.code: code.rawValue, .slot: StoreKey.Slot.session.rawValue]
        case .persisted: [.slot: StoreKey.Slot.session.rawValue]
        }
    }

    private func refresh(_ outcome: String, _ session: Session, _ latency: Duration?) -> [AuthEvent.Field: String] {
        var fields: [AuthEvent.Field: String] = [.outcome: outcome, .session: session.mark]
        fields[.milliseconds] = latency.map { String($0.milliseconds) }
        return fields
    }
}

extension AuthError {
    /// Returns the provider's own code for a rejected session, or the portable code if the provider's text is not a
    /// code.
    ///
    /// A proxy or the backend may have sent any text in place of a code: a sentence, several lines or a token. Such a
    /// text is not logged.
    fileprivate func verdict(on session: Session) -> String {
        guard let own = provider?.code, (1...64).contains(own.utf8.count),
            own.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            ![session.accessToken.reveal(), session.refreshToken.reveal(), session.user.id].contains(where: own.contains)
        else { return code.rawValue }
        return own
    }
}

extension Session {
    /// A name for the session in logs: eight digits of a digest.
    ///
    /// It does not identify the user, and an app can use it to find the related lines in its own log.
    var mark: String {
        Hex.encode(HashFunction.sha256.digest(Array("\(provider)\n\(id ?? user.id)".utf8)).prefix(4))
    }
}
