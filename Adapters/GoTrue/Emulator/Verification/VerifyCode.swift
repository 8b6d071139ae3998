internal import LockstepPrimitives

/// Whether a code matches the one that was sent, and has not expired.
enum VerifyCode {
    static func isGood(_ hash: String, _ slot: User.Slot, life: Duration, at now: Instant) -> Bool {
        guard !slot.hash.isEmpty, let sentAt = slot.sentAt, now < sentAt + life else { return false }
        return hash == slot.hash || CodeHash.proofPrefix + hash == slot.hash
    }
}
