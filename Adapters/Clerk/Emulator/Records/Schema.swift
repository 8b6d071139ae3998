internal import LockstepEmulation

extension Schema {
    /// The tables of this version, with the changes since the first version that stored its state.
    static let clerk = Schema(
        [
            UserRecord.table.definition, IdentificationRecord.table.definition, ExternalAccountRecord.table.definition,
            ClientRecord.table.definition, FormerTokenRecord.table.definition, SessionRecord.table.definition,
            SignInRecord.table.definition, SignUpRecord.table.definition, LinkRecord.table.definition,
            TicketRecord.table.definition, NonceRecord.table.definition, OrganizationRecord.table.definition,
            MembershipRecord.table.definition, EnrollmentRecord.table.definition, ImageRecord.table.definition,
            RoleRecord.table.definition, PermissionRecord.table.definition, RoleSetRecord.table.definition,
            RestrictionRecord.table.definition, PasskeyRecord.table.definition, InstanceAddressRecord.table.definition,
            """
            CREATE TABLE instance (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE backup_codes (
                user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE, code TEXT NOT NULL, PRIMARY KEY (user_id, code)
            ) WITHOUT ROWID;
            """,
        ] + Extension.all.flatMap(\.tables), changes: changes)

    private static let changes = [
        // The settings of organizations.
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
        // Lists and addresses of the instance, the states of the waitlist, sign-ups that a server completes.
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
        // An address belongs to the user who has verified it. Other users may have entered it, and lose it then.
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
        // The settings of enterprise connections.
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
        // The tokens of clients are stored without their common beginning, and the current token only with its client.
        """
        DELETE FROM client_tokens WHERE retired_at IS NULL;
        UPDATE client_tokens SET token = substr(token, instr(token, '.') + 1);
        UPDATE clients SET token = substr(token, instr(token, '.') + 1);
        """,
        // The users who have signed in on a client are stored with the client.
        """
        ALTER TABLE clients ADD COLUMN trusted_users TEXT NOT NULL DEFAULT '[]';
        UPDATE clients SET trusted_users = (SELECT json_group_array(user_id) FROM trusted_clients WHERE client_id = clients.id);
        DROP TABLE trusted_clients;
        """,
        // Every entry has the time of its last change, and every ticket private metadata.
        """
        UPDATE waitlist SET updated_at = created_at WHERE updated_at IS NULL;
        UPDATE tickets SET private_metadata = '{}' WHERE private_metadata IS NULL;
        """,
    ]
}
