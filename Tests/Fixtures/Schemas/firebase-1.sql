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
