import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepPasswords
import LockstepPrimitives

extension ExportFormat {
    /// The files of `firebase auth:export`, and the users in a folder of `firebase emulators:export`
    /// (firebase.google.com/docs/cli/auth; firebase-tools, src/accountExporter.ts).
    static let firebase = [
        ExportFormat(
            provider: "firebase", title: "Firebase emulators:export", syntax: .list, readsDocument: true,
            recognizes: { $0.contains("kind") }, reader: { try firebaseReader($0) { $0 } }, gaps: [clearPasswords]),
        ExportFormat(
            provider: "firebase", title: "Firebase auth:export (JSON)", syntax: .list, secrets: ["hash", "serviceAccount"],
            texts: ["emulator"], hashing: { try await FirebaseHashing(of: $0) },
            recognizes: { $0.contains("localId") || $0.contains("users") }, reader: { try firebaseReader($0) { $0 } },
            gaps: firebaseGaps),
        ExportFormat(
            provider: "firebase", title: "Firebase auth:export (CSV)", syntax: .table(columns: firebaseColumns),
            secrets: ["hash", "serviceAccount"], texts: ["emulator"], hashing: { try await FirebaseHashing(of: $0) },
            recognizes: isFirebaseTable, reader: { try firebaseReader($0, account(inTable:)) },
            gaps: firebaseGaps + [
                Gap(
                    concerns: { !$0.isDisabled },
                    sentence: { users in
                        "CSV files of older versions of firebase-tools do not say who is disabled. Check the \(users) users who "
                            + "would be enabled, or export to a JSON file."
                    })
            ],
            remedy: "firebase auth:export does not double the quotes in CSV. Export to a JSON file instead: "
                + "firebase auth:export users.json"),
    ]

    /// The accounts at identity providers with columns of their own, in two parts: before and after the other values.
    private static let providers = (
        first: ["google.com", "facebook.com", "twitter.com", "github.com"],
        later: ["apple.com", "microsoft.com", "gc.apple.com", "playgames.google.com", "linkedin.com", "yahoo.com"]
    )
    private static let identityMembers = ["rawId", "email", "displayName", "photoUrl"]

    /// The columns by position: a member of an account, or of one of its `providerUserInfo` after the provider's name.
    private static let firebaseColumns =
        ["localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl"]
        + columns(of: providers.first) + ["createdAt", "lastLoginAt", "phoneNumber", "disabled", "customAttributes"]
        + columns(of: providers.later)

    private static func columns(of providers: [String]) -> [String] {
        providers.flatMap { provider in identityMembers.map { "\(provider) \($0)" } }
    }

    /// Whether these are the values of a user, because the table has no names of columns.
    private static func isFirebaseTable(_ values: [String]) -> Bool {
        func isTime(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        return values.count >= 26 && !values[0].isEmpty && ["true", "false", ""].contains(values[2])
            && isTime(values[23]) && isTime(values[24])
    }

    private static func account(inTable record: JSONObject) throws -> JSONObject {
        var account: JSONObject = [:]
        var identities: [JSON] = []
        for (name, value) in record where !name.utf8.contains(0x20) {
            let isFlag = ["emailVerified", "disabled"].contains(name)
            if isFlag, value != "true", value != "false" {
                throw UsageError("invalid value for \"\(name)\": expected true or false")
            }
            account[name] = isFlag ? .bool(value == "true") : value
        }
        for provider in providers.first + providers.later {
            guard let id = record["\(provider) rawId"] else { continue }
            var identity: JSONObject = ["providerId": .string(provider), "rawId": id]
            for member in identityMembers.dropFirst() { identity[member] = record["\(provider) \(member)"] }
            identities.append(.object(identity))
        }
        account["providerUserInfo"] = .array(identities)
        return account
    }

    private static func firebaseReader(
        _ inputs: ExportInputs, _ account: @escaping @Sendable (JSONObject) throws -> JSONObject
    ) throws(UsageError) -> @Sendable (JSONObject) throws -> SeedUser {
        var hashing = inputs.hashing
        if let hash = inputs.secrets["hash"] {
            hashing = try FirebaseHashing(parameters: hash)
        } else if inputs.document["hashAlgorithm"] != nil {
            // Lockstep's emulator has real hashes, and writes their parameters beside the users.
            do throws(PasswordError) { hashing = try FirebaseHashing(inputs.document) } catch {
                throw UsageError(
                    "The parameters beside the users do not describe hashes: \(error.message) Export the users again.")
            }
        }
        return { [hashing] in try SeedUser(exported: account($0), hashing) }
    }

    private static let clearPasswords = Gap(
        concerns: { $0.password != nil },
        sentence: { users in
            users == 0
                ? nil
                : "Firebase's emulator has the passwords of \(users) users in clear text, and no hash. A move does not copy them: each "
                    + "of these users sets a new password."
        })

    private static let firebaseGaps = [
        Gap(
            concerns: { $0.missingHash == MissingHash.notExported.rawValue },
            sentence: { users in
                users == 0
                    ? nil
                    : "The file has no password of \(users) users with an address. Firebase does not export a hash that was imported "
                        + "and whose owner has not signed in since, so some of them may have one."
            }),
        Gap(
            concerns: { $0.missingHash == MissingHash.notRequested.rawValue },
            sentence: { users in
                users == 0
                    ? nil
                    : "The hashes of \(users) users cannot be read without the project's parameters. Save the \"password hash "
                        + "parameters\" of Firebase's console to a file, and name it in \"from.hash\", or name the project's key in "
                        + "\"from.serviceAccount\"."
            }),
        Gap(
            concerns: { !$0.factors.isEmpty },
            sentence: { users in
                users > 0
                    ? nil
                    : "No user of the file has a second factor. Older versions of firebase-tools leave second factors out. If the "
                        + "project uses them, read it by its API (\"from.serviceAccount\")."
            }),
        Gap(
            concerns: { _ in false },
            sentence: { _ in
                "The file has no users of tenants, and only accounts at Google, Facebook, Twitter and GitHub; newer versions of "
                    + "firebase-tools also write Apple, Microsoft, Game Center, Play Games, LinkedIn and Yahoo. The API has all of them."
            }),
    ]
}

extension SeedUser {
    /// Reads an account of `auth:export`, whose members are those of Firebase's API except for `lastSignedInAt`.
    fileprivate init(exported account: JSONObject, _ hashing: FirebaseHashing?) throws {
        var account = account
        account["lastLoginAt"] = account["lastLoginAt"] ?? account["lastSignedInAt"]
        // The tool has left out the hashes of other versions.
        if account["version"] == nil { account["version"] = 0 }
        let hash = account["passwordHash"]?.string ?? ""
        let literal = Self.password(inLiteral: hash)
        if literal != nil { account["passwordHash"] = nil }
        var user = try DirectoryUser(firebase: account, hashes: hashing.map { .parameters($0) } ?? .notRequested)
        guard !user.id.isEmpty else { throw UsageError("The user has no \"localId\". Export the users again.") }
        if user.missingHash == .noPassword, user.email != nil, user.providerIdentities.isEmpty { user.missingHash = .notExported }
        self.init(user)
        if let literal { (password, missingHash) = (Secret(literal), nil) }
        // Lockstep's emulator names an imported hash with its own algorithm.
        guard let scheme = account["passwordScheme"]?.string else { return }
        passwordHash = (try? PasswordHash(scheme)).map { Secret($0.text) }
        missingHash = passwordHash == nil ? MissingHash.unreadable.rawValue : nil
    }

    /// Returns the password in the literal that Firebase's own emulator keeps in place of a hash; `nil` for a hash
    /// (firebase-tools, src/emulator/auth/operations.ts).
    private static func password(inLiteral text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.starts(with: "fakeHash:salt=".utf8), let place = bytes.firstRange(of: Array(":password=".utf8)) else {
            return nil
        }
        return String(decoding: bytes[place.upperBound...], as: UTF8.self)
    }
}

extension FirebaseHashing {
    /// Reads the parameters of a project's hashes: the text of Firebase's console, or the JSON of its API (`signIn.hashConfig`).
    init(parameters source: MoveFile.SecretSource) throws(UsageError) {
        let text = source.secret.reveal()
        var parameters = (try? JSON.parse(Array(text.utf8)))?.object
        parameters = parameters?["hashConfig"]?.object ?? parameters ?? Self.members(ofConsole: text)
        do throws(PasswordError) {
            var members = parameters ?? [:]
            members["hashAlgorithm"] = members["hashAlgorithm"] ?? members["algorithm"]
            try self.init(members)
        } catch {
            throw UsageError(
                "\"from.hash\" (\(source.name)) does not have the parameters of Firebase's hashes: \(error.message) Copy the text "
                    + "\"hash_config { … }\" from the console, under \"password hash parameters\".")
        }
    }

    /// The lines `name: value,` of the console's text, with the API's names.
    private static func members(ofConsole text: String) -> JSONObject {
        let names = [
            "algorithm": "algorithm", "base64_signer_key": "signerKey", "base64_salt_separator": "saltSeparator",
            "rounds": "rounds", "mem_cost": "memoryCost",
        ]
        var members: JSONObject = [:]
        for line in text.utf8.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            func word(_ part: Substring.UTF8View) -> String {
                String(decoding: part.filter { $0 > 0x20 && $0 != UInt8(ascii: ",") }, as: UTF8.self)
            }
            if let name = names[word(line[..<colon])] { members[name] = .string(word(line[line.index(after: colon)...])) }
        }
        return members
    }
}
