import LockstepMigration
import LockstepPrimitives
import LockstepSystem

/// The file `move.json`, which describes both sides of a move: providers, addresses, and the places of secrets.
struct MoveFile: Sendable {
    /// A reference to a secret, which the file itself never contains.
    struct SecretSource: Sendable {
        /// The name of the file or the variable.
        let name: String
        let secret: Secret
    }

    /// One side of a move: the provider and its members.
    struct End: Sendable {
        let provider: String
        let texts: [String: String]
        let secrets: [String: SecretSource]

        var profile: ProfileMembers { ProfileMembers(name: texts["nameMember"], photo: texts["photoMember"]) }
    }

    /// The path of the file.
    let path: String
    let from: End
    let to: End
    let choices: MoveChoices
    /// Whether claims and user data over the target's limit go into a file of the run; otherwise, the plan rejects these users.
    let hasSideFile: Bool
    let mailsPerHour: Int?
    /// Whether temporary users sign in on a new device without a code.
    let trustsNewDevices: Bool
    /// The key of the archive; `nil` for none.
    let archiveKey: SecretSource?

    /// The folder of all its runs.
    var runs: String { Self.runs(of: path) }

    /// Returns the folder of all runs of a file, which may be unreadable.
    static func runs(of path: String) -> String { folder(of: path) + "/migration-runs" }

    /// Returns the path of the file that a command line names, or else of move.json in this folder.
    ///
    /// - Throws: ``UsageError`` if move.json is another user's.
    static func path(for invocation: Invocation) throws(UsageError) -> String {
        if let path = invocation["move"] { return path }
        try FoundFile.check("move.json", in: ".", option: "move")
        return "move.json"
    }

    /// Reads the file.
    ///
    /// - Throws: ``UsageError`` with the invalid member.
    init(_ path: String) throws(UsageError) {
        let file = try SettingsFile(path)
        let bytes = Array(file.text.utf8)
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(bytes, rules: .init(repeatedNames: .refused))
        } catch {
            throw UsageError("\(path): the file is not JSON. \(error.sentence(in: bytes))")
        }
        let reader = Reader(path: path, folder: Self.folder(of: path))
        let object = try reader.object(
            json, "the file",
            [
                "from", "to", "probe", "tenants", "anonymousUsers", "secondFactors", "withoutWayIn", "unverifiedAddresses",
                "externalID", "largeData", "mailsPerHour", "newDevices", "archive",
            ])
        self.path = path
        from = try reader.end(object["from"], "from")
        to = try reader.end(object["to"], "to")
        var choices = MoveChoices()
        if let text = object["tenants"] { choices.tenants = try reader.choice(text, "tenants") }
        if let text = object["anonymousUsers"] { choices.anonymousUsers = try reader.choice(text, "anonymousUsers") }
        if let text = object["secondFactors"] { choices.factors = try reader.choice(text, "secondFactors") }
        if let text = object["withoutWayIn"] { choices.withoutWayIn = try reader.choice(text, "withoutWayIn") }
        if let text = object["externalID"] { choices.externalIDs = try reader.choice(text, "externalID") }
        if let text = object["unverifiedAddresses"] {
            choices.unverifiedAddresses = try reader.choice(text, "unverifiedAddresses")
        }
        if let probe = object["probe"] {
            let members = try reader.object(probe, "probe", ["email", "password"])
            choices.probe = MoveChoices.Probe(
                email: try reader.text(members["email"], "probe.email"),
                password: try reader.secret(members["password"], "probe.password").secret)
        }
        self.choices = choices
        hasSideFile =
            try object["largeData"].map { text throws(UsageError) in
                let choice: LargeData = try reader.choice(text, "largeData")
                return choice == .sideFile
            } ?? false
        trustsNewDevices =
            try object["newDevices"].map { text throws(UsageError) in
                let choice: NewDevices = try reader.choice(text, "newDevices")
                return choice == .bypass
            } ?? false
        archiveKey = try object["archive"].map { archive throws(UsageError) in
            try reader.secret(try reader.object(archive, "\"archive\"", ["key"])["key"], "archive.key")
        }
        mailsPerHour = object["mailsPerHour"]?.int.flatMap { Int(exactly: $0) }
        if object["mailsPerHour"] != nil, mailsPerHour.map({ (1...1_000_000_000).contains($0) }) != true {
            throw UsageError("\(path): \"mailsPerHour\" must be a number from 1 to 1,000,000,000.")
        }
    }

    /// Returns the folder of a file.
    static func folder(of path: String) -> String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.unicodeScalars.startIndex ? "/" : String(path.unicodeScalars[..<slash])
    }
}

/// The treatment of claims and user data over the target's limit.
private enum LargeData: String, CaseIterable { case refuse, sideFile }

/// The treatment of temporary users by a target that asks new devices for a code.
private enum NewDevices: String, CaseIterable { case ask, bypass }

/// A reader of the file's members.
private struct Reader {
    let path: String
    let folder: String

    /// Members that had another name, and the new name.
    private static let renamed = ["guests": "anonymousUsers"]

    func object(_ json: JSON?, _ name: String, _ known: [String]) throws(UsageError) -> JSONObject {
        guard let object = json?.object else { throw UsageError("\(path): \(name) must be an object.") }
        for member in object.names where !known.contains(member) {
            if let new = Self.renamed[member] {
                throw UsageError("\(path): the member \"\(member)\" was renamed. Use \"\(new)\".")
            }
            throw UsageError("\(path): \(name) has the unknown member \"\(member.visible)\"." + known.suggestion(for: member))
        }
        return object
    }

    func text(_ json: JSON?, _ name: String) throws(UsageError) -> String {
        guard let text = json?.string, !text.isEmpty else { throw UsageError("\(path): \"\(name)\" must be a string.") }
        return text
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ json: JSON, _ name: String) throws(UsageError) -> Choice {
        guard let choice = json.string.flatMap(Choice.init) else {
            throw UsageError("\(path): \"\(name)\" must be \(Choice.allCases.map(\.rawValue).listedAsChoice).")
        }
        return choice
    }

    /// Returns a side with its provider's members.
    func end(_ json: JSON?, _ name: String) throws(UsageError) -> MoveFile.End {
        if name == "from", json?["file"] != nil {
            // Which of them the file needs depends on its content.
            let names = ["provider", "project", "tenant"] + ExportFormat.allTexts + MoveProvider.profileMembers.map(\.name)
            let (files, secretNames) = (["mapping"] + ExportFormat.allFiles, ExportFormat.allSecrets)
            let members = try object(json, "\"\(name)\"", ["file"] + names + files + secretNames)
            var texts = ["file": try place(members["file"], "\(name).file")]
            for member in files where members[member] != nil {
                texts[member] = try place(members[member], "\(name).\(member)")
            }
            for member in names where members[member] != nil { texts[member] = try text(members[member], "\(name).\(member)") }
            try checkProfile(texts, name)
            let secrets = try secrets(secretNames, of: members, name)
            return MoveFile.End(provider: MoveEnds.file, texts: texts, secrets: secrets)
        }
        let provider = try text(json?["provider"], "\(name).provider")
        guard let word = Providers.names.word(for: provider), let members = MoveProvider.named(word) else {
            throw UsageError(
                "\(path): invalid value \"\(provider.visible)\" for \"\(name).provider\": expected "
                    + "\(MoveProvider.names.listedAsChoice).")
        }
        let object = try object(json, "\"\(name)\"", ["provider"] + members.texts + members.files + members.secrets)
        var texts: [String: String] = [:]
        for member in members.texts where object[member] != nil { texts[member] = try text(object[member], "\(name).\(member)") }
        for member in members.files where object[member] != nil { texts[member] = try place(object[member], "\(name).\(member)") }
        try checkProfile(texts, name)
        return MoveFile.End(provider: word, texts: texts, secrets: try secrets(members.secrets, of: object, name))
    }

    private func checkProfile(_ texts: [String: String], _ name: String) throws(UsageError) {
        for (member, values) in MoveProvider.profileMembers {
            guard let text = texts[member], !values.contains(where: { $0.exact == text.exact }) else { continue }
            throw UsageError(
                "\(path): invalid value \"\(text.visible)\" for \"\(name).\(member)\": expected \(values.listedAsChoice).")
        }
    }

    private func secrets(
        _ members: [String], of object: JSONObject, _ name: String
    ) throws(UsageError) -> [String: MoveFile.SecretSource] {
        var secrets: [String: MoveFile.SecretSource] = [:]
        for member in members where object[member] != nil { secrets[member] = try secret(object[member], "\(name).\(member)") }
        return secrets
    }

    /// Returns the path of a file, which the member or a variable names.
    func place(_ json: JSON?, _ name: String) throws(UsageError) -> String {
        var path = json?.string
        if json?.object != nil {
            let variable = try text(try object(json, "\"\(name)\"", ["env"])["env"], "\(name).env")
            guard let found = Environment[variable], !found.isEmpty else {
                throw UsageError("\(self.path): the variable \"\(variable.visible)\" of \"\(name)\" is not set.")
            }
            path = found
        }
        guard let path, !path.isEmpty else {
            throw UsageError(
                "\(self.path): \"\(name)\" must be the path of a file, or {\"env\": \"NAME\"} with a variable that has it.")
        }
        return path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    /// Returns a secret in another file or a variable.
    func secret(_ json: JSON?, _ name: String) throws(UsageError) -> MoveFile.SecretSource {
        let form = "use {\"file\": \"PATH\"} or {\"env\": \"NAME\"}"
        if json?.string != nil {
            throw UsageError("\(path): \"\(name)\" contains a secret. Move it to a file or a variable, and \(form).")
        }
        let object = try object(json, "\"\(name)\"", ["file", "env"])
        switch (object["file"]?.string, object["env"]?.string) {
        case (let file?, nil):
            let place = file.hasPrefix("/") ? file : "\(folder)/\(file)"
            let text = try SettingsFile(place).text
            guard !text.trimmedEnd.isEmpty else {
                throw UsageError("\(path): the file \"\(file.visible)\" of \"\(name)\" is empty.")
            }
            return MoveFile.SecretSource(name: file, secret: Secret(text.trimmedEnd))
        case (nil, let variable?):
            guard let text = Environment[variable], !text.isEmpty else {
                throw UsageError("\(path): the variable \"\(variable.visible)\" of \"\(name)\" is not set.")
            }
            return MoveFile.SecretSource(name: variable, secret: Secret(text))
        default: throw UsageError("\(path): \"\(name)\" must name one file or one variable: \(form).")
        }
    }
}

extension String {
    /// The text without the line break that an editor appends.
    fileprivate var trimmedEnd: String {
        var units = Array(utf8)
        while let last = units.last, last == 0x0a || last == 0x0d { units.removeLast() }
        return String(decoding: units, as: UTF8.self)
    }
}
