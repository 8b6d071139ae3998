internal import LockstepEmulation

extension Schema {
    /// The tables, named and shaped as the real server's; times are milliseconds, JSON is text.
    static let goTrue = Schema([
        """
        CREATE TABLE users (
          row INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          aud TEXT NOT NULL, role TEXT NOT NULL,
          email TEXT, phone TEXT, encrypted_password TEXT,
          email_confirmed_at INTEGER, phone_confirmed_at INTEGER, invited_at INTEGER,
          confirmation_token TEXT NOT NULL, confirmation_sent_at INTEGER,
          recovery_token TEXT NOT NULL, recovery_sent_at INTEGER,
          email_change TEXT NOT NULL, email_change_token_current TEXT NOT NULL, email_change_token_new TEXT NOT NULL,
          email_change_sent_at INTEGER, email_change_confirm_status INTEGER NOT NULL,
          phone_change TEXT NOT NULL, phone_change_token TEXT NOT NULL, phone_change_sent_at INTEGER,
          reauthentication_token TEXT NOT NULL, reauthentication_sent_at INTEGER,
          last_sign_in_at INTEGER,
          raw_app_meta_data TEXT NOT NULL, raw_user_meta_data TEXT NOT NULL,
          is_anonymous INTEGER NOT NULL, is_sso_user INTEGER NOT NULL,
          created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, banned_until INTEGER, deleted_at INTEGER
        );
        CREATE UNIQUE INDEX users_email_partial_key ON users (email) WHERE is_sso_user = 0 AND email IS NOT NULL;
        CREATE UNIQUE INDEX users_phone_key ON users (phone) WHERE phone IS NOT NULL;
        CREATE INDEX users_created ON users (created_at, row);
        CREATE TABLE identities (
          row INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
          provider TEXT NOT NULL, provider_id TEXT NOT NULL, identity_data TEXT NOT NULL, email TEXT,
          last_sign_in_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
          UNIQUE (provider_id, provider)
        );
        CREATE INDEX identities_user ON identities (user_id);
        CREATE INDEX identities_email ON identities (email);
        CREATE TABLE sessions (
          row INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
          aal TEXT NOT NULL, factor_id TEXT, ip TEXT NOT NULL, user_agent TEXT NOT NULL,
          refresh_token_hmac_key TEXT, refresh_token_counter INTEGER,
          refreshed_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        );
        CREATE INDEX sessions_user ON sessions (user_id);
        CREATE TABLE mfa_amr_claims (
          session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
          authentication_method TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
          PRIMARY KEY (session_id, authentication_method)
        ) WITHOUT ROWID;
        CREATE TABLE refresh_tokens (
          id INTEGER PRIMARY KEY,
          token TEXT NOT NULL UNIQUE, parent TEXT,
          user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
          session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
          revoked INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        );
        CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id, revoked);
        CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);
        CREATE TABLE one_time_tokens (
          user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
          token_type TEXT NOT NULL, token_hash TEXT NOT NULL, relates_to TEXT NOT NULL, created_at INTEGER NOT NULL,
          PRIMARY KEY (user_id, token_type)
        ) WITHOUT ROWID;
        CREATE INDEX one_time_tokens_hash ON one_time_tokens (token_hash);
        CREATE TABLE flow_state (
          row INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
          auth_code TEXT, code_challenge_method TEXT, code_challenge TEXT,
          provider_type TEXT NOT NULL, authentication_method TEXT NOT NULL,
          provider_access_token TEXT, provider_refresh_token TEXT,
          referrer TEXT, invite_token TEXT, linking_target_id TEXT,
          created_at INTEGER NOT NULL, auth_code_issued_at INTEGER
        );
        CREATE INDEX flow_state_code ON flow_state (auth_code);
        CREATE INDEX flow_state_user ON flow_state (user_id, authentication_method);
        CREATE TABLE mfa_factors (
          row INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
          friendly_name TEXT NOT NULL, factor_type TEXT NOT NULL, status TEXT NOT NULL, secret TEXT, phone TEXT NOT NULL,
          web_authn_credential TEXT, web_authn_aaguid TEXT, last_webauthn_challenge_data TEXT,
          last_challenged_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX mfa_factors_name ON mfa_factors (friendly_name, user_id);
        CREATE INDEX mfa_factors_user ON mfa_factors (user_id);
        CREATE TABLE mfa_challenges (
          id TEXT NOT NULL PRIMARY KEY,
          factor_id TEXT NOT NULL REFERENCES mfa_factors (id) ON DELETE CASCADE,
          ip_address TEXT NOT NULL, otp_code TEXT, web_authn_session TEXT,
          created_at INTEGER NOT NULL, verified_at INTEGER
        );
        CREATE INDEX mfa_challenges_factor ON mfa_challenges (factor_id);
        CREATE TABLE webauthn_credentials (
          row INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
          credential_id TEXT NOT NULL UNIQUE, credential TEXT NOT NULL, friendly_name TEXT NOT NULL,
          created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, last_used_at INTEGER
        );
        CREATE INDEX webauthn_credentials_user ON webauthn_credentials (user_id);
        CREATE TABLE webauthn_challenges (
          id TEXT NOT NULL PRIMARY KEY,
          user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
          challenge TEXT NOT NULL, expires_at INTEGER NOT NULL
        );
        CREATE TABLE audit_log_entries (
          row INTEGER PRIMARY KEY,
          id TEXT NOT NULL, payload TEXT NOT NULL, action TEXT NOT NULL, ip_address TEXT NOT NULL, created_at INTEGER NOT NULL
        );
        """
    ])
}
