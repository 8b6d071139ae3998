extension MirroredTable {
    /// The tables; owners come before the rows that they own.
    static let all: [MirroredTable] = [users, identities, factors, sessions, claims, refreshTokens, oneTimeTokens]

    /// The server's lookups filter by the instance, which is always this one.
    private static let instance = "'00000000-0000-0000-0000-000000000000'"

    private static func owned(by column: String) -> String {
        "EXISTS (SELECT 1 FROM auth.users u WHERE u.id = \(column) AND u.instance_id = \(instance))"
    }

    private static let users = MirroredTable(
        name: "users", key: ["id"],
        columns: [
            .uuid("id"), .text("aud", .unreadable), .text("role", .unreadable), .text("email"), .text("phone"), .password,
            .time("email_confirmed_at"), .time("phone_confirmed_at"), .time("invited_at"),
            .text("confirmation_token", .unreadable), .time("confirmation_sent_at"), .text("recovery_token", .unreadable),
            .time("recovery_sent_at"), .text("email_change", .unreadable), .text("email_change_token_current", .unreadable),
            .text("email_change_token_new", .unreadable), .time("email_change_sent_at"),
            .number("email_change_confirm_status", .unreadable), .text("phone_change", .unreadable),
            .text("phone_change_token", .unreadable), .time("phone_change_sent_at"),
            .text("reauthentication_token", .unreadable), .time("reauthentication_sent_at"), .time("last_sign_in_at"),
            .json("raw_app_meta_data", .means("{}")), .json("raw_user_meta_data", .means("{}")), .flag("is_anonymous"),
            .flag("is_sso_user"), .time("created_at", .unreadable), .time("updated_at", .unreadable), .time("banned_until"),
            .time("deleted_at"),
        ],
        constants: [("instance_id", instance)], filter: "t.instance_id = \(instance)", owners: nil,
        parking: "email = NULL, phone = NULL")

    private static let identities = MirroredTable(
        name: "identities", key: ["id"],
        columns: [
            .uuid("id"), .uuid("user_id"), .text("provider"), .text("provider_id"), .json("identity_data", .unreadable),
            MirroredColumn(name: "email", kind: .text, null: .null, isComputed: true), .time("last_sign_in_at"),
            .time("created_at", .unreadable), .time("updated_at", .unreadable),
        ],
        filter: owned(by: "t.user_id"), parking: "provider_id = ' ' || id")

    private static let factors = MirroredTable(
        name: "mfa_factors", key: ["id"],
        columns: [
            .uuid("id"), .uuid("user_id"), .text("friendly_name", .unreadable), .cast("factor_type", "auth.factor_type"),
            .cast("status", "auth.factor_status"),
            MirroredColumn(name: "secret", kind: .text, null: .unreadable, isEmptyNull: true), .text("phone", .means("")),
            .json("web_authn_credential"), .uuid("web_authn_aaguid"), .json("last_webauthn_challenge_data"),
            .time("last_challenged_at"), .time("created_at"), .time("updated_at"),
        ],
        filter: owned(by: "t.user_id"), parking: "friendly_name = ' ' || id")

    private static let sessions = MirroredTable(
        name: "sessions", key: ["id"],
        columns: [
            .uuid("id"), .uuid("user_id"), .cast("aal", "auth.aal_level", .means("aal1")), .uuid("factor_id"),
            .cast("ip", "inet", .means("")), .text("user_agent", .means("")), .text("refresh_token_hmac_key"),
            .number("refresh_token_counter"), MirroredColumn(name: "refreshed_at", kind: .plainTime, null: .null),
            .time("created_at", .unreadable), .time("updated_at", .unreadable),
        ],
        filter: owned(by: "t.user_id"))

    private static let claims = MirroredTable(
        name: "mfa_amr_claims", key: ["session_id", "authentication_method"],
        columns: [.uuid("session_id"), .text("authentication_method"), .time("created_at"), .time("updated_at")],
        constants: [("id", "gen_random_uuid()")],
        filter: "EXISTS (SELECT 1 FROM auth.sessions s WHERE s.id = t.session_id AND \(owned(by: "s.user_id")))",
        owners: "t.session_id IN (SELECT s.id FROM auth.sessions s WHERE s.user_id IN (SELECT id::uuid FROM owners))",
        order: "t.created_at, t.id")

    private static let refreshTokens = MirroredTable(
        name: "refresh_tokens", key: ["token"],
        columns: [
            .text("token"), .text("parent"), .text("user_id"), .uuid("session_id"), .flag("revoked"),
            .time("created_at", .unreadable), .time("updated_at", .unreadable),
        ],
        constants: [("instance_id", instance)],
        filter: "EXISTS (SELECT 1 FROM auth.sessions s WHERE s.id = t.session_id AND \(owned(by: "s.user_id")))",
        owners: "t.user_id IN (SELECT id FROM owners)", order: "t.id")

    private static let oneTimeTokens = MirroredTable(
        name: "one_time_tokens", key: ["user_id", "token_type"],
        columns: [
            .uuid("user_id"), .cast("token_type", "auth.one_time_token_type"), .text("token_hash"), .text("relates_to"),
            MirroredColumn(name: "created_at", kind: .plainTime, null: .null),
        ],
        constants: [("id", "gen_random_uuid()")], filter: owned(by: "t.user_id"))
}

extension MirroredColumn {
    /// For the real server, an empty hash means no password.
    fileprivate static let password = MirroredColumn(name: "encrypted_password", kind: .text, null: .null, isEmptyNull: true)
}
