/// The tables: a change of them is a further step, and stands in ``whole``.
enum Schema {
    static let steps = [
        """
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
        """,
        // Organizations.
        """
        CREATE TABLE organizations (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE, image_url TEXT, membership_limit INTEGER NOT NULL,
            admin_delete INTEGER NOT NULL, public_metadata TEXT NOT NULL, private_metadata TEXT NOT NULL, created_by TEXT,
            role_set_key TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        );
        CREATE TABLE memberships (
            id TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES organizations ON DELETE CASCADE,
            user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, role TEXT NOT NULL, public_metadata TEXT NOT NULL,
            private_metadata TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
            UNIQUE (organization_id, user_id)
        );
        CREATE INDEX memberships_by_user ON memberships (user_id);
        CREATE TABLE organization_domains (
            id TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES organizations ON DELETE CASCADE, name TEXT NOT NULL,
            enrollment_mode TEXT NOT NULL, affiliation_address TEXT, affiliation TEXT, ownership TEXT, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL, UNIQUE (organization_id, name)
        );
        CREATE TABLE enrollments (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, organization_id TEXT NOT NULL REFERENCES organizations ON DELETE CASCADE,
            user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
            domain_id TEXT REFERENCES organization_domains ON DELETE SET NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE INDEX enrollments_by_user ON enrollments (user_id);
        CREATE INDEX enrollments_by_organization ON enrollments (organization_id);
        CREATE TABLE images (id TEXT PRIMARY KEY, type TEXT NOT NULL, bytes BLOB NOT NULL);
        CREATE TABLE roles (
            id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, summary TEXT, permissions TEXT NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        );
        CREATE TABLE permissions (
            id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, summary TEXT NOT NULL, system INTEGER NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        );
        CREATE TABLE role_sets (
            id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, summary TEXT, initial INTEGER NOT NULL,
            roles TEXT NOT NULL, default_role TEXT, creator_role TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        );
        ALTER TABLE sessions ADD COLUMN organization_id TEXT;
        ALTER TABLE tickets ADD COLUMN organization_id TEXT REFERENCES organizations ON DELETE CASCADE;
        ALTER TABLE tickets ADD COLUMN role TEXT;
        ALTER TABLE tickets ADD COLUMN inviter_id TEXT;
        ALTER TABLE tickets ADD COLUMN private_metadata TEXT;
        ALTER TABLE tickets ADD COLUMN domain_id TEXT;
        CREATE INDEX tickets_by_organization ON tickets (organization_id);
        """,
        // Lists and addresses of the instance, the waitlist's states, sign-ups that a server looks after.
        """
        CREATE TABLE restrictions (
            id TEXT PRIMARY KEY, list TEXT NOT NULL, identifier TEXT NOT NULL, invitation_id TEXT, created_at INTEGER NOT NULL,
            UNIQUE (list, identifier)
        );
        CREATE TABLE passkeys (
            id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, name TEXT NOT NULL,
            credential_id TEXT UNIQUE, credential TEXT, verification TEXT, last_used_at INTEGER, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE INDEX passkeys_by_user ON passkeys (user_id);
        CREATE TABLE events (
            id TEXT PRIMARY KEY, type TEXT NOT NULL, subject TEXT NOT NULL, batch TEXT NOT NULL, body TEXT NOT NULL,
            created_at INTEGER NOT NULL, failures INTEGER NOT NULL
        );
        ALTER TABLE external_accounts ADD COLUMN access_token TEXT;
        CREATE TABLE instance_addresses (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, proxy_url TEXT, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL, UNIQUE (kind, text)
        );
        ALTER TABLE waitlist ADD COLUMN status TEXT NOT NULL DEFAULT 'pending';
        ALTER TABLE waitlist ADD COLUMN invitation_id TEXT;
        ALTER TABLE waitlist ADD COLUMN updated_at INTEGER;
        ALTER TABLE sign_ups ADD COLUMN external_id TEXT;
        ALTER TABLE sign_ups ADD COLUMN custom_action INTEGER NOT NULL DEFAULT 0;
        """,
        // Tickets are used up when a sign-in completes.
        "ALTER TABLE sign_ins ADD COLUMN ticket_id TEXT;",
        // An address belongs to who has proven it: others may have written it down, and lose it then.
        """
        CREATE TABLE claimable (
            id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, kind TEXT NOT NULL, value TEXT NOT NULL,
            verification TEXT, reserved INTEGER NOT NULL, second_factor INTEGER NOT NULL, default_second_factor INTEGER NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, UNIQUE (kind, value, user_id)
        );
        INSERT INTO claimable SELECT * FROM identifications;
        DROP TABLE identifications;
        ALTER TABLE claimable RENAME TO identifications;
        CREATE INDEX identifications_by_user ON identifications (user_id);
        CREATE UNIQUE INDEX identifications_claimed ON identifications (kind, value)
            WHERE reserved = 1 OR json_extract(verification, '$.status') = 'verified';
        CREATE TRIGGER identification_made AFTER INSERT ON identifications
            WHEN NEW.reserved = 1 OR json_extract(NEW.verification, '$.status') = 'verified' BEGIN
            DELETE FROM identifications WHERE kind = NEW.kind AND value = NEW.value AND id <> NEW.id;
        END;
        CREATE TRIGGER identification_claimed AFTER UPDATE ON identifications
            WHEN NEW.reserved = 1 OR json_extract(NEW.verification, '$.status') = 'verified' BEGIN
            DELETE FROM identifications WHERE kind = NEW.kind AND value = NEW.value AND id <> NEW.id;
        END;
        CREATE TRIGGER identification_gone AFTER DELETE ON identifications BEGIN
            UPDATE users SET primary_email_id = NULL WHERE primary_email_id = OLD.id;
            UPDATE users SET primary_phone_id = NULL WHERE primary_phone_id = OLD.id;
        END;
        """,
        // Enterprise connections.
        """
        CREATE TABLE enterprise_connections (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, provider TEXT NOT NULL, domains TEXT NOT NULL, active INTEGER NOT NULL,
            organization_id TEXT REFERENCES organizations ON DELETE CASCADE, client_id TEXT, client_secret TEXT, discovery_url TEXT,
            auth_url TEXT, token_url TEXT, user_info_url TEXT, requires_pkce INTEGER NOT NULL, sync_attributes INTEGER NOT NULL,
            refuses_identifications INTEGER NOT NULL, organization_linking INTEGER NOT NULL, created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE TABLE enterprise_accounts (
            id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
            connection_id TEXT NOT NULL REFERENCES enterprise_connections ON DELETE CASCADE, subject TEXT NOT NULL,
            email TEXT NOT NULL, first_name TEXT, last_name TEXT, verification TEXT NOT NULL, authenticated_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, UNIQUE (connection_id, subject)
        );
        CREATE INDEX enterprise_accounts_by_user ON enterprise_accounts (user_id);
        CREATE TABLE enterprise_test_runs (
            id TEXT PRIMARY KEY, connection_id TEXT NOT NULL REFERENCES enterprise_connections ON DELETE CASCADE,
            status TEXT NOT NULL, token TEXT NOT NULL, details TEXT NOT NULL, created_at INTEGER NOT NULL
        );
        CREATE INDEX enterprise_test_runs_by_connection ON enterprise_test_runs (connection_id);
        """,
        // The tokens of clients are kept without what all begin with, and the current one with its client only.
        """
        DELETE FROM client_tokens WHERE retired_at IS NULL;
        UPDATE client_tokens SET token = substr(token, instr(token, '.') + 1);
        UPDATE clients SET token = substr(token, instr(token, '.') + 1);
        """,
        // Who has signed in on a client is kept with the client.
        """
        ALTER TABLE clients ADD COLUMN trusted_users TEXT NOT NULL DEFAULT '[]';
        UPDATE clients SET trusted_users = (SELECT json_group_array(user_id) FROM trusted_clients WHERE client_id = clients.id);
        DROP TABLE trusted_clients;
        """,
    ]
}
