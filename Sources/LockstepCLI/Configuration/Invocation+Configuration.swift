import LockstepSystem

extension Invocation {
    /// Returns the invocation with missing settings from the environment, or else from lockstep.json.
    ///
    /// - Parameters:
    ///   - file: The file, if there is one.
    ///   - environment: Returns the value of a variable. An empty value counts as missing.
    /// - Throws: ``UsageError`` if a value is invalid.
    func completed(
        from file: ConfigurationFile?, environment: (String) -> String? = { Environment[$0] }
    ) throws(UsageError) -> Invocation {
        var invocation = self
        try file?.check()
        for setting in command.settings {
            let isOperands = setting.option.name == command.operands?.option
            if isOperands ? !operands.isEmpty || has(setting.option.name) : origin(setting.option.name) != nil { continue }
            guard let (texts, origin) = try Self.configured(setting, command, file, environment) else { continue }
            if isOperands {
                invocation.fill(operands: texts, from: origin)
            } else {
                invocation.add(texts, of: setting.option, from: origin)
            }
        }
        return invocation
    }

    private static func configured(
        _ setting: Setting, _ command: Command, _ file: ConfigurationFile?, _ environment: (String) -> String?
    ) throws(UsageError) -> (texts: [String], origin: Origin)? {
        if let text = environment(setting.variable), !text.isEmpty {
            return (try setting.option.read(text, from: setting.variable), .variable(setting.variable))
        }
        guard let file, let (texts, member) = try file.values(of: setting, for: command) else { return nil }
        return (texts, .member(member, file.path))
    }
}

extension Option {
    /// The file with a team's settings, for commands that read it.
    static let configuration = Option(
        "config", .path("FILE"), "read the settings from this file, not from the nearest lockstep.json", isSetting: false)
}

extension ConfigurationFile {
    /// Returns the file that a command line names, or else the file for the current folder.
    ///
    /// - Throws: ``UsageError`` if the file cannot be used.
    static func current(for invocation: Invocation) throws(UsageError) -> ConfigurationFile? {
        let folder = CurrentProcess.folder
        if let named = invocation["config"] {
            return try ConfigurationFile(named: named.hasPrefix("/") ? named : "\(folder ?? ".")/\(named)")
        }
        guard let folder else { return nil }
        return try find(from: folder)
    }
}
