/// Who may sign up (`user_settings.sign_up.mode`).
public enum SignUpMode: String, Sendable, Hashable, CaseIterable {
    /// Everybody.
    case open = "public"
    /// Only who holds an invitation.
    case restricted
    /// Only who was let in from the waitlist.
    case waitlist
}
