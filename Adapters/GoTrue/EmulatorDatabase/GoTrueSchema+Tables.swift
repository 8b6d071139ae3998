extension GoTrueSchema {
    /// The tables of the schema `auth` that contain users and sessions.
    ///
    /// They have the columns, types, defaults and constraints of the server's migrations (supabase/auth, migrations/).
    package static let tables = #"""
        CREATE SCHEMA auth;

        CREATE TYPE auth.aal_level AS ENUM ('aal1', 'aal2', 'aal3');
        CREATE TYPE auth.factor_type AS ENUM ('totp', 'webauthn', 'phone');
        CREATE TYPE auth.factor_status AS ENUM ('unverified', 'verified');

        CREATE TABLE auth.users (
            instance_id uuid,
            id uuid NOT NULL CONSTRAINT users_pkey PRIMARY KEY,
            aud varchar(255),
            role varchar(255),
            email varchar(255),
            encrypted_password varchar(255),
            email_confirmed_at timestamptz,
            invited_at timestamptz,
            confirmation_token varchar(255),
            confirmation_sent_at timestamptz,
            recovery_token varchar(255),
            recovery_sent_at timestamptz,
            email_change_token_new varchar(255),
            email_change varchar(255),
            email_change_sent_at timestamptz,
            last_sign_in_at timestamptz,
            raw_app_meta_data jsonb,
            raw_user_meta_data jsonb,
            is_super_admin boolean,
            created_at timestamptz,
            updated_at timestamptz,
            phone text DEFAULT NULL CONSTRAINT users_phone_key UNIQUE,
            phone_confirmed_at timestamptz,
            phone_change text DEFAULT '',
            phone_change_token varchar(255) DEFAULT '',
            phone_change_sent_at timestamptz,
            confirmed_at timestamptz GENERATED ALWAYS AS (LEAST(email_confirmed_at, phone_confirmed_at)) STORED,
            email_change_token_current varchar(255) DEFAULT '',
            email_change_confirm_status smallint DEFAULT 0
                CONSTRAINT users_email_change_confirm_status_check CHECK (email_change_confirm_status BETWEEN 0 AND 2),
            banned_until timestamptz,
            reauthentication_token varchar(255) DEFAULT '',
            reauthentication_sent_at timestamptz,
            is_sso_user boolean NOT NULL DEFAULT false,
            deleted_at timestamptz,
            is_anonymous boolean NOT NULL DEFAULT false
        );
        CREATE INDEX users_instance_id_idx ON auth.users (instance_id);
        CREATE INDEX users_instance_id_email_idx ON auth.users (instance_id, lower(email));
        CREATE INDEX users_is_anonymous_idx ON auth.users (is_anonymous);
        CREATE UNIQUE INDEX users_email_partial_key ON auth.users (email) WHERE is_sso_user = false;
        CREATE UNIQUE INDEX confirmation_token_idx ON auth.users (confirmation_token) WHERE confirmation_token !~ '^[0-9 ]*$';
        CREATE UNIQUE INDEX recovery_token_idx ON auth.users (recovery_token) WHERE recovery_token !~ '^[0-9 ]*$';
        CREATE UNIQUE INDEX email_change_token_current_idx ON auth.users (email_change_token_current)
            WHERE email_change_token_current !~ '^[0-9 ]*$';
        CREATE UNIQUE INDEX email_change_token_new_idx ON auth.users (email_change_token_new)
            WHERE email_change_token_new !~ '^[0-9 ]*$';
        CREATE UNIQUE INDEX reauthentication_token_idx ON auth.users (reauthentication_token)
            WHERE reauthentication_token !~ '^[0-9 ]*$';

        CREATE TABLE auth.identities (
            provider_id text NOT NULL,
            user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
            identity_data jsonb NOT NULL,
            provider text NOT NULL,
            last_sign_in_at timestamptz,
            created_at timestamptz,
            updated_at timestamptz,
            email text GENERATED ALWAYS AS (lower(identity_data ->> 'email')) STORED,
            id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
            CONSTRAINT identities_provider_id_provider_unique UNIQUE (provider_id, provider)
        );
        CREATE INDEX identities_user_id_idx ON auth.identities (user_id);
        CREATE INDEX identities_email_idx ON auth.identities (email text_pattern_ops);

        CREATE TABLE auth.sessions (
            id uuid NOT NULL PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
            created_at timestamptz,
            updated_at timestamptz,
            factor_id uuid,
            aal auth.aal_level,
            not_after timestamptz,
            refreshed_at timestamp,
            user_agent text,
            ip inet,
            tag text,
            oauth_client_id uuid,
            refresh_token_hmac_key text,
            refresh_token_counter bigint,
            scopes text
        );
        CREATE INDEX sessions_user_id_idx ON auth.sessions (user_id);
        CREATE INDEX sessions_not_after_idx ON auth.sessions (not_after DESC);

        CREATE TABLE auth.refresh_tokens (
            instance_id uuid,
            id bigserial PRIMARY KEY,
            token varchar(255) CONSTRAINT refresh_tokens_token_unique UNIQUE,
            user_id varchar(255),
            revoked boolean,
            created_at timestamptz,
            updated_at timestamptz,
            parent varchar(255),
            session_id uuid REFERENCES auth.sessions (id) ON DELETE CASCADE
        );
        CREATE INDEX refresh_tokens_instance_id_user_id_idx ON auth.refresh_tokens (instance_id, user_id);
        CREATE INDEX refresh_tokens_parent_idx ON auth.refresh_tokens (parent);
        CREATE INDEX refresh_tokens_session_id_revoked_idx ON auth.refresh_tokens (session_id, revoked);

        CREATE TABLE auth.mfa_amr_claims (
            session_id uuid NOT NULL REFERENCES auth.sessions (id) ON DELETE CASCADE,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            authentication_method text NOT NULL,
            id uuid NOT NULL CONSTRAINT amr_id_pk PRIMARY KEY,
            CONSTRAINT mfa_amr_claims_session_id_authentication_method_pkey UNIQUE (session_id, authentication_method)
        );

        CREATE TABLE auth.mfa_factors (
            id uuid NOT NULL PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
            friendly_name text,
            factor_type auth.factor_type NOT NULL,
            status auth.factor_status NOT NULL,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            secret text,
            phone text,
            last_challenged_at timestamptz UNIQUE,
            web_authn_credential jsonb,
            web_authn_aaguid uuid,
            last_webauthn_challenge_data jsonb
        );
        CREATE UNIQUE INDEX mfa_factors_user_friendly_name_unique ON auth.mfa_factors (friendly_name, user_id)
            WHERE TRIM(friendly_name) <> '';
        CREATE UNIQUE INDEX unique_phone_factor_per_user ON auth.mfa_factors (user_id, phone);
        CREATE INDEX mfa_factors_user_id_idx ON auth.mfa_factors (user_id);

        CREATE TYPE auth.one_time_token_type AS ENUM (
            'confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new', 'email_change_token_current',
            'phone_change_token');
        CREATE TABLE auth.one_time_tokens (
            id uuid NOT NULL PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
            token_type auth.one_time_token_type NOT NULL,
            token_hash text NOT NULL CHECK (char_length(token_hash) > 0),
            relates_to text NOT NULL,
            created_at timestamp NOT NULL DEFAULT now(),
            updated_at timestamp NOT NULL DEFAULT now()
        );
        CREATE UNIQUE INDEX one_time_tokens_user_id_token_type_key ON auth.one_time_tokens (user_id, token_type);

        -- Row security without a policy: who neither owns a table nor bypasses it sees no row.
        ALTER TABLE auth.users ENABLE ROW LEVEL SECURITY;
        ALTER TABLE auth.identities ENABLE ROW LEVEL SECURITY;
        ALTER TABLE auth.sessions ENABLE ROW LEVEL SECURITY;
        ALTER TABLE auth.mfa_factors ENABLE ROW LEVEL SECURITY;
        ALTER TABLE auth.one_time_tokens ENABLE ROW LEVEL SECURITY;
        ALTER TABLE auth.refresh_tokens ENABLE ROW LEVEL SECURITY;
        ALTER TABLE auth.mfa_amr_claims ENABLE ROW LEVEL SECURITY;
        """#
}
