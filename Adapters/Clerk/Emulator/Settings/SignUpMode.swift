/// Who may sign up (`user_settings.sign_up.mode`).
public enum SignUpMode: String, Sendable, Hashable, CaseIterable {
    /// Everyone.
    case open = "public"
    /// Only holders of an invitation.
    case restricted
    /// Only users admitted from the waitlist.
    case waitlist
}
