internal import LockstepEmulation

extension GoTrueSettings {
    /// The text of a settings file with every variable, its default and a description.
    ///
    /// `lockstep serve gotrue --print-env` prints this text. If you read the text as settings, you get the defaults.
    /// The variables of identity providers are commented out, and only Google's variables are listed.
    public static var sampleEnvironment: String { sampleEnvironment(of: GoTrueSettings()) }

    /// Returns the text of a settings file with every variable and the values of the given settings.
    ///
    /// - Parameter settings: The settings whose values the file shows.
    public static func sampleEnvironment(of settings: GoTrueSettings) -> String {
        var lines = [
            "# Settings of Lockstep's GoTrue, with their defaults. To use it: lockstep serve gotrue --env FILE",
            "# The names are the server's own; the prefix GOTRUE_ is optional. A name without a value is ignored.",
        ]
        var section = ""
        for variable in variables(of: sampleProvider, in: settings) {
            if variable.section != section {
                section = variable.section
                lines += ["", "## " + section]
            }
            let isProviders = variable.name.hasPrefix(providerPrefix)
            if variable.name == providerPrefix + "ENABLED" {
                let names = providerNames.map { $0.uppercased() }.sorted().joined(separator: ", ")
                lines += ["", "# Each provider has these: \(names)."]
            }
            lines += ["", "# " + variable.about]
            lines.append((isProviders ? "# " : "") + variable.name + "=" + quoted(variable.value))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The provider whose variables are an example for all providers.
    static let sampleProvider = "google"

    private static let providerPrefix = "GOTRUE_EXTERNAL_\(sampleProvider.uppercased())_"

    /// Returns a value in quotes if a shell would split or interpret it.
    private static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { unit in
            switch unit {
            case 0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "#"), UInt8(ascii: "{"): false
            default: true
            }
        }
        return isPlain ? value : "\"\(value)\""
    }
}

extension GoTrueSettings {
    /// A setting, as a settings file shows it.
    struct Variable: Sendable {
        let section: String
        let name: String
        /// The effect of the variable, in a sentence.
        let about: String
        /// Its default; empty if it has none.
        let value: String
    }

    /// Returns the settings that the environment may contain, with their defaults, in the order in which they are read.
    ///
    /// - Parameters:
    ///   - provider: The identity provider whose settings are included. The settings of other providers have the same
    ///     names, except for the
    ///     name of the provider.
    ///   - defaults: The settings that have the defaults.
    static func variables(of provider: String, in defaults: GoTrueSettings = GoTrueSettings()) -> [Variable] {
        let providers = SettingSections.Section("Identity providers") { SettingSections.providerSettings(provider) }
        return (table.sections + [providers]).flatMap { section in
            section.settings.map { setting in
                Variable(
                    section: section.title, name: setting.name, about: setting.about,
                    value: table.text(of: setting, in: defaults))
            }
        }
    }
}
