CREATE TABLE instance (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE users (
    id TEXT PRIMARY KEY, username TEXT UNIQUE COLLATE NOCASE, first_name TEXT, last_name TEXT, locale TEXT, image_url TEXT,
    primary_email_id TEXT, primary_phone_id TEXT, password_digest TEXT, password_hasher TEXT, password_updated_at INTEGER,
    password_compromised INTEGER NOT NULL, totp_secret TEXT, totp_verified INTEGER NOT NULL, public_metadata TEXT NOT NULL,
    private_metadata TEXT NOT NULL, unsafe_metadata TEXT NOT NULL, external_id TEXT UNIQUE, banned INTEGER NOT NULL,
    locked_until INTEGER, failed_attempts INTEGER NOT NULL, can_delete_self INTEGER, bypasses_client_trust INTEGER NOT NULL,
    can_create_organizations INTEGER NOT NULL, organizations_limit INTEGER, legal_accepted_at INTEGER, mfa_enabled_at INTEGER,
    mfa_disabled_at INTEGER, last_sign_in_at INTEGER, last_active_at INTEGER, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK ((password_digest IS NULL) = (password_hasher IS NULL))
);
CREATE INDEX users_by_age ON users (created_at);
CREATE TABLE identifications (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, kind TEXT NOT NULL, value TEXT NOT NULL,
    verification TEXT, reserved INTEGER NOT NULL, second_factor INTEGER NOT NULL, default_second_factor INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    UNIQUE (kind, value)
);
CREATE INDEX identifications_by_user ON identifications (user_id);
CREATE TABLE external_accounts (
    id TEXT PRIMARY KEY, identification_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    provider TEXT NOT NULL, subject TEXT, email TEXT, linked_email_id TEXT, first_name TEXT, last_name TEXT, image_url TEXT,
    scopes TEXT NOT NULL, verification TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    UNIQUE (provider, subject)
);
CREATE INDEX external_accounts_by_user ON external_accounts (user_id);
CREATE TABLE backup_codes (
    user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, code TEXT NOT NULL, PRIMARY KEY (user_id, code)
) WITHOUT ROWID;
CREATE TABLE clients (
    id TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, sign_in_id TEXT, sign_up_id TEXT, last_active_session_id TEXT,
    last_strategy TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE TABLE client_tokens (
    token TEXT PRIMARY KEY, client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE, retired_at INTEGER
) WITHOUT ROWID;
CREATE INDEX client_tokens_by_client ON client_tokens (client_id);
CREATE TABLE trusted_clients (
    client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (client_id, user_id)
) WITHOUT ROWID;
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, client_id TEXT REFERENCES clients ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, status TEXT NOT NULL, expire_at INTEGER NOT NULL,
    abandon_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL, first_factor_at INTEGER, second_factor_at INTEGER, actor TEXT,
    tasks TEXT NOT NULL, reverification TEXT, user_agent TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX sessions_by_client ON sessions (client_id);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE TABLE sign_ins (
    id TEXT PRIMARY KEY, client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE, status TEXT NOT NULL,
    user_id TEXT REFERENCES users ON DELETE CASCADE, identifier TEXT, identifier_kind TEXT, first TEXT, second TEXT, profile TEXT,
    created_session_id TEXT, locale TEXT, demands_new_password INTEGER NOT NULL, redirect_url TEXT, abandon_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE TABLE sign_ups (
    id TEXT PRIMARY KEY, client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE, status TEXT NOT NULL, email_address TEXT,
    phone_number TEXT, username TEXT, password_digest TEXT, first_name TEXT, last_name TEXT, unsafe_metadata TEXT NOT NULL,
    public_metadata TEXT NOT NULL, legal_accepted_at INTEGER, locale TEXT, email_verification TEXT, phone_verification TEXT,
    external_verification TEXT, profile TEXT, created_user_id TEXT, created_session_id TEXT, redirect_url TEXT, ticket_id TEXT,
    abandon_at INTEGER NOT NULL, created_at INTEGER NOT NULL
);
CREATE TABLE links (
    token TEXT PRIMARY KEY, flow_id TEXT NOT NULL UNIQUE, purpose TEXT NOT NULL, attempt_id TEXT NOT NULL,
    client_id TEXT NOT NULL, redirect_url TEXT NOT NULL, challenge TEXT, expire_at INTEGER NOT NULL, used_at INTEGER
);
CREATE TABLE tickets (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, token TEXT NOT NULL UNIQUE, status TEXT NOT NULL,
    user_id TEXT REFERENCES users ON DELETE CASCADE, email_address TEXT, public_metadata TEXT NOT NULL, redirect_url TEXT,
    actor TEXT, expire_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE TABLE templates (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, claims TEXT NOT NULL, lifetime INTEGER NOT NULL, clock_skew INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE TABLE nonces (
    nonce TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT, payload TEXT NOT NULL, expire_at INTEGER NOT NULL
);
CREATE TABLE waitlist (
    id TEXT PRIMARY KEY, email_address TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
);
