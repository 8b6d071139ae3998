import LockstepPrimitives
import LockstepSystem

/// A file lockstep.json: the settings of a team's `serve` and `exec`.
struct ConfigurationFile: Sendable {
    /// The absolute path.
    let path: String
    /// The folder for its relative paths.
    let folder: String
    let members: JSONObject

    /// The version of the format.
    static let version: Int64 = 1

    /// The members that are not settings.
    static let otherMembers = ["$schema", "version"]

    /// Finds the file for a folder: in the folder itself, or in the nearest folder above it.
    ///
    /// In a folder that other users may write to, such as /tmp, only a file of this user is read. A file of another user in that
    /// user's own folder is rejected (``FoundFile``).
    ///
    /// - Parameter start: The folder's absolute path.
    /// - Returns: `nil` if there is none.
    /// - Throws: ``UsageError`` if the file cannot be used, is YAML, or belongs to another user.
    static func find(from start: String) throws(UsageError) -> ConfigurationFile? {
        var folder = start
        while true {
            let place = folder == "/" ? "" : folder
            if let path = try trusted(place, Command.configurationName) { return try ConfigurationFile(path, in: folder) }
            for name in ["lockstep.yaml", "lockstep.yml"] {
                guard let path = try trusted(place, name) else { continue }
                throw UsageError(
                    "\"\(path)\" is YAML, but lockstep reads only \(Command.configurationName). Move its settings there as JSON; "
                        + "lockstep init creates a starter file.")
            }
            guard folder != "/", let end = folder.lastIndex(of: "/") else { return nil }
            folder = end == folder.startIndex ? "/" : String(folder[..<end])
        }
    }

    /// Returns the path of a file with this name, unless another user may have created it.
    private static func trusted(_ folder: String, _ name: String) throws(UsageError) -> String? {
        let path = "\(folder)/\(name)"
        // What cannot be looked at is rejected when it is read.
        guard (try? Folder.isThere(path)) ?? true else { return nil }
        guard let place = try? FileStatus(of: folder + "/."), place.isWritableByOthers else {
            try FoundFile.check(path, in: folder, option: "config")
            return path
        }
        return (try? FileStatus(of: path))?.isOwn == true ? path : nil
    }

    /// Reads a file that the command line names.
    ///
    /// - Parameter path: The absolute path.
    /// - Throws: ``UsageError`` if the file cannot be used.
    init(named path: String) throws(UsageError) {
        let slash = path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex
        try self.init(path, in: slash == path.startIndex ? "/" : String(path.unicodeScalars[..<slash]))
    }

    private init(_ path: String, in folder: String) throws(UsageError) {
        self.path = path
        self.folder = folder
        let bytes = Array(try SettingsFile(path, acceptsPipes: false).text.utf8)
        let document: JSON
        do throws(JSONError) {
            document = try JSON.parse(bytes, rules: .answer)
        } catch {
            throw UsageError("\"\(path)\" is not JSON. \(error.sentence(in: bytes))")
        }
        guard let members = document.object else { throw UsageError("\"\(path)\" must be a JSON object.") }
        self.members = members
        try checkVersion()
        try checkMembers()
    }

    private func checkVersion() throws(UsageError) {
        guard let version = members["version"], version != .int(Self.version) else { return }
        if let later = version.int, later > Self.version {
            throw UsageError(
                "\"\(path)\" has version \(later), but this release reads version \(Self.version). Use a newer release of lockstep."
            )
        }
        throw Option.invalid(version.shown, "\"version\" in \"\(path)\"", "\(Self.version)")
    }

    private func checkMembers() throws(UsageError) {
        let sections = Command.configured.map(\.name)
        let known = Command.sharedSettings.map(\.member) + sections + Self.otherMembers
        for (name, value) in members {
            guard known.contains(name) else {
                let place = Command.configured.first { $0.settings.contains { $0.member == name } }
                throw unknown(name, known, place.map { " It belongs in \"\($0.name)\"." })
            }
            guard sections.contains(name), let command = Command.configured.first(where: { $0.name == name }) else { continue }
            guard let section = value.object else {
                throw Option.invalid(value.shown, "\"\(name)\" in \"\(path)\"", "an object of settings")
            }
            let own = command.settings.map(\.member)
            for (inner, _) in section where !own.contains(inner) {
                throw unknown(name + "." + inner, own.map { "\(name).\($0)" })
            }
        }
    }

    private func unknown(_ name: String, _ known: [String], _ advice: String? = nil) -> UsageError {
        UsageError("unknown member \"\(name)\" in \"\(path)\"." + (advice ?? known.suggestion(for: name)))
    }
}

extension ConfigurationFile {
    /// Returns the values of a setting for a command, and their member; `nil` if the file has none.
    ///
    /// - Throws: ``UsageError`` if the option does not accept them.
    func values(of setting: Setting, for command: Command) throws(UsageError) -> (texts: [String], member: String)? {
        if let value = members[command.name]?[setting.member] {
            let member = "\(command.name).\(setting.member)"
            return (try texts(value, setting.option, member), member)
        }
        guard let value = members[setting.member] else { return nil }
        return (try texts(value, setting.option, setting.member), setting.member)
    }

    /// Checks the values of all members, including those of other commands.
    func check() throws(UsageError) {
        for command in Command.configured {
            for setting in command.settings { _ = try values(of: setting, for: command) }
        }
    }

    private func texts(_ value: JSON, _ option: Option, _ member: String) throws(UsageError) -> [String] {
        let place = "\"\(member)\" in \"\(path)\""
        func read(_ text: String) throws(UsageError) -> [String] {
            guard !text.isEmpty else { throw Option.invalid("", place, "a non-empty string") }
            return try option.read(text, from: place, in: folder)
        }
        switch (option.value, value) {
        case (.none, .bool(let flag)): return flag ? [""] : []
        case (.number, .int(let number)): return try read(String(number))
        case (.text, .string(let text)), (.path, .string(let text)), (.choice, .string(let text)): return try read(text)
        case (.choices, .array(let elements)):
            var found: [String] = []
            for element in elements {
                guard let text = element.string else { throw Option.invalid(element.shown, place, "a string") }
                found += try read(text)
            }
            return found
        case (.providerPath(_, let providers), .object(let paths)):
            var found: [String] = []
            for (name, path) in paths {
                guard let provider = providers.word(for: name) else {
                    throw UsageError(
                        "unknown member \"\(member).\(name)\" in \"\(self.path)\"." + providers.suggestion(for: name))
                }
                let place = "\"\(member).\(name)\" in \"\(self.path)\""
                guard let text = path.string, !text.isEmpty else { throw Option.invalid(path.shown, place, "a path") }
                found += try read("\(provider)=\(text)")
            }
            return found
        case (.number, .string(let text)) where Int(text) != nil:
            throw Option.invalid(text, place, option.expectedMember + ", without quotation marks")
        default: throw Option.invalid(value.shown, place, option.expectedMember)
        }
    }
}

extension Option {
    /// The description of a valid member, as the end of a sentence.
    fileprivate var expectedMember: String {
        switch value {
        case .none: "true or false"
        case .text: "a string"
        case .path: "a path"
        case .providerPath: "an object of providers and paths, such as {\"gotrue\": \"auth.env\"}"
        case .number(_, let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let words): words.listedAsChoice
        case .choices: "a list of strings"
        }
    }
}

extension JSON {
    /// The value for a sentence, without quotation marks, which the sentence adds.
    fileprivate var shown: String {
        let text = string ?? text()
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
