import LockstepDirectoryContracts
import LockstepGoTrue
import LockstepGoTrueDatabase
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Features of the rows of a GoTrue server only, in a real PostgreSQL.
@Suite(.limitedConcurrency) struct GoTrueDatabaseTests {
    private static let harness = GoTrueDatabaseHarness()
    /// Contracts that count or break HTTP requests do not apply here.
    private static let contracts = DirectoryCatalog.all.filter {
        !["directory.limits-waited", "directory.batch-interrupted", "directory.own-answers", "directory.pages-end"].contains(
            $0.id)
    }

    @Test(arguments: contracts) func keeps(_ contract: DirectoryContract) async {
        let verdict = await contract.check(on: Self.harness)
        #expect(verdict == .kept, "\(contract): \(verdict)")
    }

    private static let born = Instant(seconds: 1_500_000_000)
    private static let hash: Secret = "$2a$04$0123456789012345678901uVJWbZQ7gC2pyqh6yrmYD0vbJVVYPgi"

    private static func full(_ name: String) -> NewDirectoryUser {
        var user = NewDirectoryUser(email: "\(name)@example.com", phone: "+4915112345678", password: .hash(hash))
        user.isEmailConfirmed = true
        user.emailConfirmedAt = born + .seconds(30)
        user.createdAt = born
        user.lastSignInAt = born + .seconds(60)
        user.displayName = "Ada"
        user.appMetadata = ["plan": "team"]
        user.providerIdentities = [DirectoryIdentity(.google, subject: "g-\(name)", email: "\(name)@example.com")]
        user.factors = [
            DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"), friendlyName: "app", createdAt: born),
            DirectoryFactor(
                .phone("+4915100000000"), friendlyName: "phone", isVerified: false, createdAt: born + .seconds(1)),
        ]
        return user
    }

    /// Returns a user with something changed.
    private static func user(
        _ user: NewDirectoryUser = NewDirectoryUser(email: "ada@example.com"), _ change: (inout NewDirectoryUser) -> Void
    ) -> NewDirectoryUser {
        var user = user
        change(&user)
        return user
    }

    /// An error that the next call would repeat is a configuration error, never a network error.
    @Test(arguments: [
        ("dbname=absent", "3D000"), ("user=absent", "28000"), ("user=wants_password", "28P01"),
        ("user=wants_password password=wrong", "28P01"), ("user=sees_nothing", "42501"),
        ("dbname=postgres", "42P01"),
    ])
    func refusedConnectionIsAConfigurationError(_ change: String, _ state: String) async throws {
        try await Self.harness.with { project in
            if state == "28P01" || state == "42501" {
                let role = change.split(whereSeparator: { " =".contains($0) })[1]
                try await project.sql(
                    """
                    DO $$ BEGIN CREATE ROLE \(role) LOGIN PASSWORD 'right';
                    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
                    """)
            }
            // libpq uses the last value of a name.
            let database = try GoTrueDatabase(Secret("\(project.address) \(change)"))
            let calls: [() async throws -> Void] = [
                { _ = try await database.user(email: "ada@example.com") }, { _ = try await database.page(after: nil, size: 10) },
                { _ = try await database.create(NewDirectoryUser(email: "ada@example.com")) },
            ]
            for call in calls {
                let error = await #expect(throws: AuthError.self) { try await call() }
                #expect(error?.code == .invalidConfiguration, "\(String(describing: error))")
                #expect(error?.retry == .never, "\(String(describing: error))")
                #expect(error?.provider?.code == state, "\(String(describing: error))")
            }
        }
    }

    @Test(.covers("M18")) func aUserIsReadAsWritten() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let made = try await database.create(Self.full("ada"))
            #expect(made.passwordHash == Self.hash)
            #expect(made.createdAt == Self.born)
            #expect(made.lastSignInAt == Self.born + .seconds(60))
            #expect(made.emailConfirmedAt == Self.born + .seconds(30))
            #expect(made.phone == "+4915112345678")
            #expect(made.phoneConfirmedAt == nil)
            #expect(Set(made.identities.map(\.provider.rawValue)) == ["email", "google", "phone"])
            #expect(made.appMetadata["providers"] == ["email", "google", "phone"])
            #expect(made.appMetadata["plan"] == "team")
            #expect(made.displayName == "Ada")
            let factors = try await database.factors(of: made.id)
            #expect(factors == Self.full("ada").factors)
            let page = try await database.page(after: nil, size: 10)
            #expect(page.users == [made])
            // The values that the server's look-ups and its reader need in a row.
            #expect(
                try await project.sql(
                    """
                    SELECT instance_id, aud, role, phone, confirmation_token || recovery_token || email_change_token_new || email_change
                        || email_change_token_current || phone_change || phone_change_token || reauthentication_token FROM auth.users
                    """) == "00000000-0000-0000-0000-000000000000|authenticated|authenticated|4915112345678|")
        }
    }

    /// A user without a password whose address comes from a provider has no sign-in method for the address.
    @Test(.covers("M20")) func providerOnlyUserHasNoOtherIdentity() async throws {
        try await Self.harness.with { project in
            var user = NewDirectoryUser(email: "ada@example.com")
            user.isEmailConfirmed = true
            user.providerIdentities = [DirectoryIdentity(.apple, subject: "a-1")]
            let made = try await project.database().create(user)
            #expect(made.identities.map(\.provider.rawValue) == ["apple"])
            #expect(made.hasPassword == false)
            #expect(made.appMetadata == ["provider": "apple", "providers": ["apple"]])
        }
    }

    @Test(.covers("M25")) func guestAndBannedUserAreWritten() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let guest = try await database.create(Self.user(NewDirectoryUser()) { $0.isAnonymous = true })
            #expect(guest.isAnonymous && guest.identities.isEmpty)
            let end = SystemClock().now + .seconds(3600)
            let banned = try await database.create(Self.user { $0.bannedUntil = end })
            #expect(banned.isDisabled && banned.bannedUntil == end)
            let disabled = try await database.create(
                Self.user(NewDirectoryUser(email: "d@example.com")) { $0.isDisabled = true })
            #expect(disabled.isDisabled && disabled.bannedUntil == nil)
        }
    }

    /// Afterwards the previous password is invalid, sessions end, and the new password signs in.
    @Test func hashIsSetForAnExistingUser() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let made = try await database.create(NewDirectoryUser(email: "ada@example.com", password: .text("Correct-Horse-1")))
            try await project.sql(
                "INSERT INTO auth.sessions (id, user_id) VALUES (gen_random_uuid(), '\(made.id)')")
            try await database.setPasswordHash(Self.hash, of: made.id)
            #expect(try await database.user(id: made.id).passwordHash == Self.hash)
            #expect(try await project.sql("SELECT count(*) FROM auth.sessions") == "0")
            await Self.expect(.userNotFound) { () async throws(AuthError) in
                try await database.setPasswordHash(Self.hash, of: "6f1a0f36-0000-4000-8000-000000000000")
            }
            await Self.expect(.invalidInput) { () async throws(AuthError) in
                try await database.setPasswordHash("$1$md5$crypt", of: made.id)
            }
        }
    }

    /// A value that a server has encrypted with its own key is useless elsewhere, and is not returned as a hash.
    @Test(.covers("M04")) func encryptedPasswordIsNotReadAsAHash() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let made = try await database.create(Self.full("ada"))
            try await project.sql(
                """
                UPDATE auth.users SET encrypted_password = '{"key_id":"1","alg":"aes-gcm-hkdf"}';
                UPDATE auth.mfa_factors SET secret = '{"key_id":"1"}' WHERE factor_type = 'totp'
                """)
            let read = try await database.user(id: made.id)
            #expect(read.hasPassword == true && read.passwordHash == nil && read.missingHash == .encryptedByServer)
            #expect(try await database.factors(of: made.id).first?.kind == .authenticatorApp(secret: nil))
        }
    }

    @Test func takenIDOrAddressIsNamed() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let first = try await database.create(Self.full("ada"))
            var sameID = NewDirectoryUser(email: "other@example.com")
            sameID.id = first.id
            let batch = [
                NewDirectoryUser(email: "before@example.com"), NewDirectoryUser(email: "ADA@example.com"),
                NewDirectoryUser(phone: "+4915112345678"),
                Self.user(NewDirectoryUser(email: "c@example.com")) {
                    $0.providerIdentities = [DirectoryIdentity(.google, subject: "g-ada")]
                },
                sameID, NewDirectoryUser(email: "not an address"), NewDirectoryUser(email: "after@example.com"),
            ]
            let outcomes = await database.create(batch)
            #expect(
                outcomes.map { $0.error?.code } == [
                    nil, .emailAlreadyInUse, .phoneAlreadyInUse, .identityAlreadyInUse, .invalidInput, .invalidEmail, nil,
                ])
            #expect(try await database.user(email: "c@example.com") == nil, "half a user was written")
            #expect(try await database.user(email: "after@example.com") != nil)
        }
    }

    /// An app's trigger rejects one row.
    ///
    /// The rows before and after it are written.
    @Test func triggerErrorIsReportedForItsUser() async throws {
        try await Self.harness.with { project in
            try await project.sql(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN IF new.email LIKE 'no%' THEN RAISE EXCEPTION 'no profile for this address'; END IF; RETURN new; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION refuse()
                """)
            let users = ["yes@example.com", "no@example.com", "also@example.com"].map { NewDirectoryUser(email: $0) }
            let outcomes = await (try project.database()).create(users)
            #expect(outcomes.map { $0.error?.code } == [nil, .unknown, nil])
            #expect(outcomes[1].error?.provider?.code == "P0001")
        }
    }

    @Test func rowInAnAppTablePreventsTheDeletion() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let made = try await database.create(NewDirectoryUser(email: "ada@example.com"))
            try await project.sql(
                """
                CREATE TABLE orders (owner uuid REFERENCES auth.users (id)); INSERT INTO orders VALUES ('\(made.id)')
                """)
            await Self.expect(.invalidInput) { () async throws(AuthError) in try await database.delete(made.id) }
            #expect(try await database.user(id: made.id) == made)
        }
    }

    @Test func aDatabaseWithoutTheSchemaIsReported() async throws {
        try await Self.harness.with { project in
            try await project.sql("DROP SCHEMA auth CASCADE")
            let database = try project.database()
            await Self.expect(.invalidConfiguration) { () async throws(AuthError) in
                _ = try await database.page(after: nil, size: 1)
            }
            let outcomes = await database.create([
                NewDirectoryUser(email: "a@example.com"), NewDirectoryUser(email: "b@example.com"),
            ])
            for outcome in outcomes {
                guard case .notSent(let error) = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
                #expect(error.code == .invalidConfiguration)
            }
        }
        await Self.expect(.network) { () async throws(AuthError) in
            var settings = GoTrueDatabase.Settings()
            settings.limit = .seconds(2)
            _ = try await GoTrueDatabase("host=127.0.0.1 port=1 user=x dbname=x", settings: settings).page(after: nil, size: 1)
        }
        await Self.expect(.invalidConfiguration) { () async throws(AuthError) in
            _ = try GoTrueDatabase("host=db.example sslmode=disable")
        }
    }

    /// Each page starts after the last id, regardless of concurrent deletions and additions.
    ///
    /// Deleted users are not listed.
    @Test func nextPageStartsAfterTheLastUser() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            _ = await database.create((0..<25).map { NewDirectoryUser(email: "user\($0)@example.com") })
            let first = try await database.page(after: nil, size: 10)
            try await database.delete(first.users[3].id)
            try await project.sql(
                "UPDATE auth.users SET deleted_at = now() WHERE id = (SELECT max(id::text)::uuid FROM auth.users)")
            var seen = first.users.map(\.id)
            var next = first.next
            while let cursor = next {
                let page = try await database.page(after: cursor, size: 10)
                seen += page.users.map(\.id)
                next = page.next
            }
            #expect(seen.count == 24)
            #expect(Set(seen).count == 24)
            await Self.expect(.invalidInput) { () async throws(AuthError) in
                _ = try await database.page(after: DirectoryCursor(rawValue: "2"), size: 10)
            }
        }
    }

    /// Each of these values would make the real server's rows unreadable or change the user.
    @Test func userIsCopiedCompletely() async throws {
        try await Self.harness.with { source in
            let read = try await source.database().create(Self.full("ada"))
            try await Self.harness.with { target in
                let database = try target.database()
                var copy = try await database.create(NewDirectoryUser(read))
                // They have the same time and other ids, so their order has no meaning.
                #expect(Set(copy.identities.map(\.provider)) == Set(read.identities.map(\.provider)))
                #expect(try await database.factors(of: read.id) == Self.full("ada").factors)
                #expect(try await database.user(provider: .google, subject: "g-ada")?.id == read.id)
                #expect(try await database.user(phone: "+4915112345678")?.id == read.id)
                copy.fields = read.fields
                copy.identities = read.identities
                #expect(copy == read)
            }
        }
    }

    /// The server's reader does not accept NULL in a factor's name and secret.
    ///
    /// The user could not sign in.
    @Test(.covers("M18")) func factorColumnsHaveNoNull() async throws {
        try await Self.harness.with { project in
            let factors = [
                DirectoryFactor(.authenticatorApp(secret: "jbsw y3dp ehpk 3pxp")), DirectoryFactor(.phone("+4915100000000")),
            ]
            _ = try await project.database().create(Self.user { $0.factors = factors })
            #expect(
                try await project.sql("SELECT friendly_name, secret, phone FROM auth.mfa_factors ORDER BY factor_type")
                    == "|JBSWY3DPEHPK3PXP|\n||4915100000000")
        }
    }

    @Test func addressChangeUpdatesTheIdentityAndRevokesLinks() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            let made = try await database.create(Self.full("ada"))
            try await project.sql(
                """
                UPDATE auth.users SET recovery_token = 'abc';
                INSERT INTO auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
                    SELECT gen_random_uuid(), id, 'recovery_token', 'abc', 'ada' FROM auth.users;
                UPDATE auth.users SET raw_user_meta_data = 'null'
                """)
            var changes = DirectoryChanges()
            changes.email = "Grace@example.com"
            changes.isEmailConfirmed = false
            changes.phone = "+4915199999999"
            changes.displayName = "Grace"
            changes.appMetadata = ["plan": .null, "seat": 3]
            let changed = try await database.update(made.id.uppercased(), changes)
            #expect(changed.email == "grace@example.com" && !changed.isEmailConfirmed && changed.phone == "+4915199999999")
            #expect(changed.userMetadata == ["display_name": "Grace"])
            #expect(changed.appMetadata["plan"] == nil && changed.appMetadata["seat"] == 3)
            #expect(
                try await project.sql(
                    "SELECT provider, email, identity_data ->> 'phone' FROM auth.identities WHERE provider <> 'google' ORDER BY provider"
                )
                    == "email|grace@example.com|\nphone||4915199999999")
            #expect(try await project.sql("SELECT recovery_token FROM auth.users WHERE recovery_token <> ''") == "")
            #expect(try await project.sql("SELECT count(*) FROM auth.one_time_tokens") == "0")
            try await project.sql("UPDATE auth.users SET deleted_at = now()")
            await Self.expect(.userNotFound) { () async throws(AuthError) in _ = try await database.update(made.id, changes) }
            await Self.expect(.userNotFound) { () async throws(AuthError) in try await database.delete(made.id) }
        }
    }

    /// Row security hides all rows from a role without an error.
    ///
    /// The directory reports this as such, and not as a project without users.
    @Test func roleUnderRowLevelSecurityIsRejected() async throws {
        try await Self.harness.with { project in
            let database = try project.database()
            _ = try await database.create(NewDirectoryUser(email: "ada@example.com"))
            let role = "reader_\(project.name)"
            try await project.sql(
                """
                CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA auth TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA auth TO \(role)
                """)
            let reader = try GoTrueDatabase(
                Secret(project.address.replacing("user=lockstep", with: "user=\(role)")))
            await Self.expect(.invalidConfiguration) { () async throws(AuthError) in
                _ = try await reader.page(after: nil, size: 10)
            }
        }
    }

    /// A condition that concerns one user is an error of that user only: a check that the app has deferred to the commit, a
    /// trigger that leaves a row out, or a constraint of the app's own table with the name of one of the server's.
    @Test func errorOfOneUserStopsNoOther() async throws {
        try await Self.harness.with { project in
            try await project.sql(
                """
                CREATE TABLE public.users (mail text CONSTRAINT users_pkey PRIMARY KEY);
                INSERT INTO public.users VALUES ('taken@example.com');
                CREATE TABLE allowed (mail text PRIMARY KEY);
                INSERT INTO allowed VALUES ('first@example.com'), ('dropped@example.com'), ('taken@example.com'), ('last@example.com');
                CREATE TABLE profiles (mail text REFERENCES allowed DEFERRABLE INITIALLY DEFERRED);
                CREATE FUNCTION profile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF new.email LIKE 'dropped%' THEN RETURN NULL; END IF;
                    INSERT INTO public.users VALUES (new.email); INSERT INTO profiles VALUES (new.email); RETURN new; END $$;
                CREATE TRIGGER profile BEFORE INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION profile()
                """)
            let names = ["first", "stranger", "dropped", "taken", "last"]
            let outcomes = await (try project.database()).create(names.map { NewDirectoryUser(email: "\($0)@example.com") })
            #expect(outcomes.map { $0.error?.code } == [nil, .invalidInput, .invalidResponse, .invalidInput, nil])
            #expect(outcomes.allSatisfy { !$0.endsBatch })
        }
    }

    /// If the connection breaks before the commit, nothing was done and the batch ends, whoever is the last user of the
    /// transaction.
    @Test func aBrokenTransactionEndsTheBatch() async throws {
        try await Self.harness.with { project in
            try await project.sql(
                """
                CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF new.email LIKE 'cut%' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN new; END $$;
                CREATE TRIGGER cut BEFORE INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION cut()
                """)
            var settings = GoTrueDatabase.Settings()
            settings.usersInTransaction = 3
            let database = try GoTrueDatabase(Secret(project.address), settings: settings)
            let names = ["a", "b", "c", "d", "cut", "not an address", "g"]
            let outcomes = await database.create(
                names.map { NewDirectoryUser(email: $0.contains(" ") ? $0 : "\($0)@example.com") })
            let words = outcomes.map { outcome in
                switch outcome {
                case .done: "done"
                case .refused: "refused"
                case .unknown: "unknown"
                case .notSent: "notSent"
                }
            }
            #expect(words == ["done", "done", "done", "notSent", "notSent", "refused", "notSent"])
            #expect(try await project.sql("SELECT count(*) FROM auth.users") == "3")
        }
    }

    @Test func userThatTheRowsCannotStoreIsRejected() async throws {
        let database = try GoTrueDatabase("host=/nowhere")
        let ada = NewDirectoryUser(email: "ada@example.com")
        var disabled = ada
        disabled.isDisabled = true
        func identities(_ all: DirectoryIdentity...) -> NewDirectoryUser { Self.user(ada) { $0.providerIdentities = all } }
        func factor(_ kind: DirectoryFactor.Kind) -> NewDirectoryUser { Self.user(ada) { $0.factors = [DirectoryFactor(kind)] } }
        let google = DirectoryIdentity(.google, subject: "1")
        let wrong: [(NewDirectoryUser, AuthError.Code)] = [
            (Self.user(ada) { $0.emailConfirmedAt = Self.born }, .invalidInput),
            (Self.user(ada) { $0.phoneConfirmedAt = Self.born }, .invalidInput),
            (Self.user(disabled) { $0.bannedUntil = Self.born }, .invalidInput),
            (NewDirectoryUser(), .invalidInput), (Self.user(ada) { $0.isAnonymous = true }, .invalidInput),
            (Self.user(disabled) { $0.bannedUntil = .distantFuture }, .invalidInput),
            (Self.user(disabled) { $0.bannedUntil = Instant(seconds: 10_000_000_000) }, .invalidInput),
            (identities(DirectoryIdentity(IdentityProvider(rawValue: "google.com"), subject: "1")), .invalidInput),
            (identities(DirectoryIdentity(.email, subject: "1")), .invalidInput),
            (identities(DirectoryIdentity(.google, subject: "")), .invalidInput),
            (identities(google, google), .invalidInput),
            (identities(DirectoryIdentity(IdentityProvider(rawValue: "sso:1"), subject: "1")), .unsupported),
            (factor(.authenticatorApp(secret: nil)), .invalidInput),
            (factor(.authenticatorApp(secret: "0189")), .invalidInput),
            (factor(.other("hotp")), .unsupported), (factor(.passkey), .unsupported),
            (NewDirectoryUser(phone: "0151"), .invalidPhone),
            (NewDirectoryUser(email: "a@example.com", password: .text("")), .weakPassword),
        ]
        let outcomes = await database.create(wrong.map(\.0))
        #expect(outcomes.map { $0.error?.code } == wrong.map(\.1))
    }

    private static func expect(
        _ code: AuthError.Code, _ location: SourceLocation = #_sourceLocation, _ body: () async throws(AuthError) -> Void
    ) async {
        do throws(AuthError) {
            try await body()
            Issue.record("\(code) was due", sourceLocation: location)
        } catch {
            #expect(error.code == code, "\(error)", sourceLocation: location)
        }
    }
}
