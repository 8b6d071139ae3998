internal import LockstepDirectory
internal import LockstepPostgres
internal import LockstepPrimitives

extension NewUserRecord {
    /// Writes users, their identities and their factors, with one statement for each table and all rows as one value.
    ///
    /// The statements are not prepared, so that a pooler may send each transaction to another connection.
    ///
    /// - Returns: The id of each user; the failure of a user that a trigger of the app has skipped.
    /// - Throws: The error of the first rejected row.
    static func insert(
        _ records: ArraySlice<NewUserRecord>, _ connection: PostgresConnection
    ) throws(PostgresError) -> [Result<String, PostgresError>] {
        var rows: [JSON] = []
        for record in records { rows.append(.object(try record.row)) }
        var written: Set<ExactString> = []
        for row in try connection.run(insertion(ofUsers: rows)).rows { written.insert(ExactString(try row[0])) }
        let there = records.filter { written.contains($0.id.exact) }
        let identities = there.flatMap(\.identityRows)
        if !identities.isEmpty { try connection.run(insertion(ofIdentities: identities)) }
        let factors = there.flatMap(\.factorRows)
        if !factors.isEmpty { try connection.run(insertion(ofFactors: factors)) }
        return records.map { record in
            written.contains(record.id.exact)
                ? .success(record.id)
                : .failure(PostgresError(.mismatch, "A trigger on auth.users skipped the row. Correct the trigger."))
        }
    }

    /// The server's lookups filter by the instance, and its reader rejects NULL in the columns of tokens
    /// (https://github.com/supabase/auth/issues/1940).
    private static func insertion(ofUsers rows: [JSON]) -> PostgresStatement {
        """
        INSERT INTO auth.users (
            instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, phone, phone_confirmed_at,
            confirmation_token, recovery_token, email_change, email_change_token_new, email_change_token_current,
            phone_change, phone_change_token, reauthentication_token,
            last_sign_in_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, banned_until, is_anonymous)
        SELECT
            '00000000-0000-0000-0000-000000000000', r.id, r.aud, r.role, r.email, r.password, \(.time("r.email_confirmed")), r.phone,
            \(.time("r.phone_confirmed")), '', '', '', '', '', '', '', '', \(.time("r.signed_in")), r.app_data, r.own_data,
            \(.time("r.created")), coalesce(\(.time("r.updated")), now()),
            CASE WHEN r.is_banned THEN \(indefiniteBanEnd) ELSE \(.time("r.ban_end")) END, r.is_anonymous
        FROM jsonb_to_recordset(\(JSON.array(rows).text())::jsonb) AS r (
            id uuid, aud text, role text, email text, password text, email_confirmed bigint, phone text, phone_confirmed bigint,
            signed_in bigint, app_data jsonb, own_data jsonb, created bigint, updated bigint, is_banned boolean, ban_end bigint,
            is_anonymous boolean)
        RETURNING id::text
        """
    }

    private static func insertion(ofIdentities rows: [JSON]) -> PostgresStatement {
        """
        INSERT INTO auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
        SELECT r.subject, r.user_id, r.data, r.provider, \(.time("r.signed_in")), \(.time("r.created")), now()
        FROM jsonb_to_recordset(\(JSON.array(rows).text())::jsonb) AS r (
            subject text, user_id uuid, data jsonb, provider text, signed_in bigint, created bigint)
        """
    }

    /// The server's reader rejects NULL in a factor's name and secret.
    private static func insertion(ofFactors rows: [JSON]) -> PostgresStatement {
        """
        INSERT INTO auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
        SELECT gen_random_uuid(), r.user_id, r.name, r.type::auth.factor_type, r.status::auth.factor_status, r.secret, r.phone,
            \(.time("r.created")), now()
        FROM jsonb_to_recordset(\(JSON.array(rows).text())::jsonb) AS r (
            user_id uuid, name text, type text, status text, secret text, phone text, created bigint)
        """
    }

    private var row: JSONObject {
        get throws(PostgresError) {
            let emailConfirmed = new.isEmailConfirmed && email != nil ? new.emailConfirmedAt ?? createdAt : nil
            let phoneConfirmed = new.isPhoneConfirmed && phone != nil ? new.phoneConfirmedAt ?? createdAt : nil
            return [
                "id": .string(id), "aud": .string(new.audience ?? "authenticated"),
                "role": .string(new.role ?? "authenticated"), "email": .text(email), "password": .string(try password.hashed()),
                "email_confirmed": .time(emailConfirmed), "phone": .text(phone), "phone_confirmed": .time(phoneConfirmed),
                "signed_in": .time(new.lastSignInAt), "app_data": .object(appMetadata), "own_data": .object(userMetadata),
                "created": .time(createdAt), "updated": .time(new.updatedAt),
                "is_banned": .bool(new.isDisabled && new.bannedUntil == nil), "ban_end": .time(new.bannedUntil),
                "is_anonymous": .bool(new.isAnonymous),
            ]
        }
    }

    private var identityRows: [JSON] {
        identities.map { identity in
            [
                "subject": .string(identity.subject), "user_id": .string(id), "data": .object(identity.row),
                "provider": .string(identity.goTrueProvider), "signed_in": .time(identity.lastSignInAt ?? new.lastSignInAt),
                "created": .time(identity.createdAt ?? createdAt),
            ]
        }
    }

    private var factorRows: [JSON] {
        factors.map { factor in
            [
                "user_id": .string(id), "name": .string(factor.name), "type": .string(factor.type),
                "status": .string(factor.status), "secret": .string(factor.secret), "phone": .text(factor.phone),
                "created": .time(factor.createdAt ?? createdAt),
            ]
        }
    }
}

extension JSON {
    /// A text, or `null`.
    fileprivate static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    /// Milliseconds since 1970, or `null`.
    fileprivate static func time(_ time: Instant?) -> JSON { time.map { .int($0.milliseconds) } ?? .null }
}

extension PostgresStatement {
    /// Returns the time of a column in milliseconds since 1970.
    fileprivate static func time(_ column: PostgresStatement) -> PostgresStatement {
        "to_timestamp((\(column) / 1000.0)::float8)"
    }
}
