internal import LockstepEmulation

/// The tables.
///
/// A scope (`spaces`) is a project, or one tenant of it: users, codes and sessions belong to exactly one. A user's searchable values have
/// columns of their own, and lists (providers, factors, passkeys) are JSON beside it, so that a look-up reads one row;
/// `identities` and `passkeys` are the index into those lists, and keep an identity from belonging to two users.
extension Schema {
    static let firebase = Schema(
        [
            tables
        ], changes: changes)

    private static let tables =
        """
        CREATE TABLE spaces (
            id INTEGER PRIMARY KEY,
            project TEXT NOT NULL,
            tenant TEXT NOT NULL,
            config TEXT NOT NULL,
            UNIQUE (project, tenant)
        );
        CREATE TABLE users (
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            local_id TEXT NOT NULL,
            email TEXT,
            email_verified INTEGER,
            display_name TEXT,
            photo_url TEXT,
            phone_number TEXT,
            disabled INTEGER,
            password_hash TEXT,
            password_salt TEXT,
            password_scheme TEXT,
            password_updated_at INTEGER,
            valid_since INTEGER,
            last_login_at INTEGER,
            created_at INTEGER,
            last_refresh_at INTEGER,
            custom_auth INTEGER NOT NULL,
            custom_attributes TEXT,
            signs_in_by_link INTEGER,
            initial_email TEXT,
            screen_name TEXT,
            identities TEXT,
            factors TEXT,
            passkeys TEXT,
            PRIMARY KEY (space, local_id)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX users_by_email ON users (space, email) WHERE email IS NOT NULL;
        CREATE UNIQUE INDEX users_by_phone_number ON users (space, phone_number) WHERE phone_number IS NOT NULL;
        CREATE INDEX users_by_initial_email ON users (space, initial_email) WHERE initial_email IS NOT NULL;
        CREATE TABLE identities (
            space INTEGER NOT NULL,
            provider TEXT NOT NULL,
            raw_id TEXT NOT NULL,
            local_id TEXT NOT NULL,
            email TEXT,
            PRIMARY KEY (space, provider, raw_id),
            FOREIGN KEY (space, local_id) REFERENCES users (space, local_id) ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX identities_by_user ON identities (space, local_id);
        CREATE INDEX identities_by_email ON identities (space, email) WHERE email IS NOT NULL;
        CREATE TABLE passkeys (
            space INTEGER NOT NULL,
            credential TEXT NOT NULL,
            local_id TEXT NOT NULL,
            PRIMARY KEY (space, credential),
            FOREIGN KEY (space, local_id) REFERENCES users (space, local_id) ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX passkeys_by_user ON passkeys (space, local_id);
        CREATE TABLE action_codes (
            id INTEGER PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            code TEXT NOT NULL,
            kind TEXT NOT NULL,
            email TEXT NOT NULL,
            new_email TEXT,
            link TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            UNIQUE (space, code)
        );
        CREATE INDEX action_codes_by_email ON action_codes (space, email, kind);
        CREATE TABLE text_codes (
            id INTEGER PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            session TEXT NOT NULL,
            code TEXT NOT NULL,
            phone_number TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            UNIQUE (space, session)
        );
        CREATE TABLE phone_proofs (
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            proof TEXT NOT NULL,
            phone_number TEXT NOT NULL,
            created_at INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (space, proof)
        ) WITHOUT ROWID;
        CREATE TABLE sessions (
            token TEXT PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            local_id TEXT NOT NULL,
            provider TEXT NOT NULL,
            claims TEXT NOT NULL,
            factor_id TEXT,
            factor_kind TEXT,
            auth_time INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX sessions_by_user ON sessions (space, local_id);
        CREATE TABLE pending_sign_ins (
            credential TEXT PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            local_id TEXT NOT NULL,
            provider TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE totp_enrolments (
            session TEXT PRIMARY KEY,
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            local_id TEXT NOT NULL,
            secret TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE secrets (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE failed_sign_ins (
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            local_id TEXT NOT NULL,
            count INTEGER NOT NULL,
            locked_until INTEGER,
            PRIMARY KEY (space, local_id)
        ) WITHOUT ROWID;
        CREATE TABLE provider_configs (
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            config TEXT NOT NULL,
            PRIMARY KEY (space, kind, id)
        ) WITHOUT ROWID;
        CREATE TABLE account_events (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL,
            body TEXT NOT NULL
        );
        CREATE TABLE passkey_challenges (
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            challenge TEXT NOT NULL,
            local_id TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (space, challenge)
        ) WITHOUT ROWID;
        """

    private static let changes = [
        "ALTER TABLE phone_proofs ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE provider_configs (
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            config TEXT NOT NULL,
            PRIMARY KEY (space, kind, id)
        ) WITHOUT ROWID;
        """,
        """
        CREATE TABLE account_events (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL,
            body TEXT NOT NULL
        );
        """,
        """
        CREATE TABLE passkey_challenges (
            space INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
            challenge TEXT NOT NULL,
            local_id TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (space, challenge)
        ) WITHOUT ROWID;
        """,
    ]
}
