package import LockstepDirectory
package import LockstepPasswords
internal import LockstepPrimitives

/// What the users of a source can have, as far as the source returns it.
package struct SourceHoldings: Sendable {
    /// The features whose values the users can have.
    package var features: Set<DirectoryFeature>
    /// The second factors, as the source returns them.
    package var factors: [DirectoryFactor]
    /// Returns the reason why the source does not return a hash; `nil` if it does.
    package var missingHash: @Sendable (PasswordHash) -> MissingHash?
    /// Returns whether a user can have a hash of this kind.
    package var accepts: @Sendable (PasswordHash) -> Bool

    /// Creates the holdings of the users of a backend, which is also a target.
    ///
    /// - Parameters:
    ///   - backend: The backend as a target.
    ///   - more: Features whose values its users have, although its directory cannot write them.
    ///   - factors: The second factors, as the source returns them.
    ///   - missingHash: Returns the reason why the source does not return a hash.
    package init(
        of backend: MoveTarget, and more: Set<DirectoryFeature>, factors: [DirectoryFactor.Kind],
        missingHash: @escaping @Sendable (PasswordHash) -> MissingHash?
    ) {
        features = backend.comparable.union(backend.directory.features).union(more)
        self.factors = factors.map { DirectoryFactor($0) }
        self.missingHash = missingHash
        accepts = { backend.hashText($0) != nil }
    }
}

/// What a move loses by nature: the values that the target cannot store or the source does not return, whatever the choices are.
///
/// It is made by the mapping of a plan, from users who each have one value.
package struct MoveLosses: Sendable {
    /// What becomes of a value.
    package enum Fate: String, Sendable, CaseIterable {
        /// The plan refuses the user, unless a choice leaves the value behind.
        case refused
        /// The value stays behind.
        case lost
        /// The user sets a new value.
        case lazy
        /// The value moves in another way of writing.
        case otherWay
        /// The value is written to a file of the run.
        case file
    }

    /// A value that the target does not have afterwards.
    package struct Loss: Sendable, Hashable {
        /// The name of the value.
        package let value: String
        /// What becomes of it.
        package let fate: Fate
        /// The reason as a part of a sentence.
        package let reason: String
    }

    /// The losses, in the order of the list of fields.
    package let all: [Loss]

    /// Lists the losses of a move.
    ///
    /// - Parameters:
    ///   - source: The source, which is asked for nothing.
    ///   - holdings: What the users of the source can have.
    ///   - target: The target, which is asked for nothing.
    package init(from source: MoveSource, holding holdings: SourceHoldings, to target: MoveTarget) {
        let mapping = Mapping(from: source, to: target, MoveChoices(withoutWayIn: .create))
        var losses = Self.samples(of: holdings).compactMap { sample -> Loss? in
            let mapped = mapping.map(sample.user)
            if case .refuse(let reason) = mapped.outcome {
                return Loss(value: sample.value, fate: .refused, reason: reason.sentence)
            }
            let verdicts = mapped.shape.fields.filter { $0.field == sample.field }
            return verdicts.lazy.compactMap { verdict in
                Fate(verdict.treatment).map { Loss(value: sample.value, fate: $0, reason: verdict.reason?.sentence ?? "") }
            }.first
        }
        for list in source.lists {
            losses.append(
                Loss(value: list.kind.rawValue, fate: .file, reason: "counted in the plan, and written to a file of the run"))
        }
        all = losses
    }
}

extension MoveLosses.Fate {
    fileprivate init?(_ treatment: FieldTreatment) {
        switch treatment {
        case .lost: self = .lost
        case .lazy: self = .lazy
        case .otherWay: self = .otherWay
        case .kept, .transformed: return nil
        }
    }
}

// A user for each value that users of some backend have.
extension MoveLosses {
    private struct Sample {
        let value: String
        let field: MoveField
        let user: DirectoryUser

        init(_ field: MoveField, as value: String? = nil, _ change: (inout DirectoryUser) -> Void) {
            var user = DirectoryUser(id: "a")
            (user.email, user.isEmailConfirmed) = ("ada@example.com", true)
            change(&user)
            self.value = value ?? field.rawValue
            self.field = field
            self.user = user
        }
    }

    private static let hashes = [
        ("bcrypt", "$2b$10$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ("fbscrypt", "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=\(key)$42xEC+ixf3L2lw==$\(key)"),
        ("Argon2id of 19 MiB", "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$\(digest)"),
        ("Argon2id of 64 MiB", "$argon2id$v=19$m=65536,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$\(digest)"),
        ("PBKDF2 of 600,000 rounds", "$pbkdf2-sha256$i=600000$c29tZXNhbHQ$\(digest)"),
    ]
    private static let digest = String(repeating: "A", count: 43)
    private static let key = String(repeating: "A", count: 86) + "=="

    private static func samples(of holdings: SourceHoldings) -> [Sample] {
        passwords(of: holdings) + values(of: holdings)
            + holdings.factors.map { factor in
                let field: MoveField =
                    switch factor.kind {
                    case .passkey: .passkeys
                    case .backupCodes: .backupCodes
                    case .authenticatorApp, .phone, .other: .factors
                    }
                return Sample(field, as: factor.name) { $0.factors = [factor] }
            }
    }

    private static func passwords(of holdings: SourceHoldings) -> [Sample] {
        hashes.compactMap { name, text in
            guard let hash = try? PasswordHash(text), holdings.accepts(hash) else { return nil }
            return Sample(.password, as: "password (\(name))") { user in
                user.missingHash = holdings.missingHash(hash)
                (user.passwordHash, user.hasPassword) = (user.missingHash == nil ? Secret(text) : nil, true)
            }
        }
    }

    private static func values(of holdings: SourceHoldings) -> [Sample] {
        let time = Instant(seconds: 1_600_000_000)
        let all: [(DirectoryFeature?, Sample)] = [
            (.phones, Sample(.number) { ($0.phone, $0.isPhoneConfirmed) = ("+15550100", true) }),
            (.unprovenPhones, Sample(.number, as: "unverified number") { $0.phone = "+15550100" }),
            (
                .otherAddresses,
                Sample(.furtherAddresses) { $0.otherEmails = [DirectoryAddress("a@b.example", isConfirmed: true)] }
            ),
            (.usernames, Sample(.username) { $0.username = "ada" }),
            (
                .usernames,
                Sample(.username, as: "user with only a user name") {
                    ($0.email, $0.isEmailConfirmed, $0.username, $0.hasPassword) = (nil, false, "ada", true)
                }
            ),
            (nil, Sample(.name) { $0.displayName = "Ada Lovelace" }),
            (.personNames, Sample(.personNames) { ($0.displayName, $0.firstName, $0.lastName) = ("A B", "A", "B") }),
            (.photos, Sample(.photo) { $0.photoURL = "https://example.com/a.png" }),
            (nil, Sample(.claims) { $0.appMetadata = ["plan": "gold"] }),
            (.userMetadata, Sample(.userData) { $0.userMetadata = ["theme": "dark"] }),
            (.privateMetadata, Sample(.privateData) { $0.privateMetadata = ["note": "x"] }),
            (.externalIDs, Sample(.externalID) { $0.externalID = "crm-17" }),
            (.creationTimes, Sample(.created) { $0.createdAt = time }),
            (.signInTimes, Sample(.lastSignIn) { $0.lastSignInAt = time }),
            (.identities, Sample(.identities) { $0.providerIdentities = [DirectoryIdentity(.google, subject: "g")] }),
            (
                .identities,
                Sample(.identities, as: "user with only a provider's account") {
                    ($0.email, $0.isEmailConfirmed) = (nil, false)
                    $0.providerIdentities = [DirectoryIdentity(.google, subject: "g")]
                }
            ),
            (.disabling, Sample(.disabled) { $0.isDisabled = true }),
            (.banEnds, Sample(.banEnd) { ($0.isDisabled, $0.bannedUntil) = (true, Instant(seconds: 4_000_000_000)) }),
            (.locks, Sample(.lock) { $0.isLocked = true }), (.roles, Sample(.role) { $0.role = "editor" }),
            (.tenants, Sample(.tenant) { $0.tenant = "t" }), (.singleSignOn, Sample(.singleSignOn) { $0.isSingleSignOn = true }),
            (
                .anonymousUsers,
                Sample(.id, as: "anonymous user") { ($0.email, $0.isEmailConfirmed, $0.isAnonymous) = (nil, false, true) }
            ),
        ]
        return all.filter { $0.0.map(holdings.features.contains) ?? true }.map(\.1)
    }
}

extension DirectoryFactor {
    /// The name of the factor in a list of losses; `nil` for the name of its field.
    fileprivate var name: String? {
        switch kind {
        case .authenticatorApp: "authenticator app"
        case .phone: "second factor by SMS"
        case .passkey, .backupCodes, .other: nil
        }
    }
}
