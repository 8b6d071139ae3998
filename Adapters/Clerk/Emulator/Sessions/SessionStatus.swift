/// The life of a session (reference, section 4.4).
enum SessionStatus: String {
    case active, pending, ended, removed, expired, abandoned, revoked, replaced
}
