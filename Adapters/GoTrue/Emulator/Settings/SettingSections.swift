public import LockstepEmulation
internal import LockstepPrimitives

extension GoTrueSettings {
    /// All settings with the server's own names, in the order in which the emulator reads them.
    public static let table = SettingTable<GoTrueSettings>(
        SettingSections.people + SettingSections.messages + SettingSections.protection,
        others: SettingSections.providerSetting,
        spelling: { written in
            let isWhole = written.hasPrefix("GOTRUE_") || written.hasPrefix("LOCKSTEP_") || SettingSections.bare.contains(written)
            return [isWhole ? written : "GOTRUE_" + written]
        })
}

/// The sections of ``GoTrueSettings/table``.
enum SettingSections {
    typealias Section = SettingTable<GoTrueSettings>.Section
    typealias Setting = LockstepEmulation.Setting<GoTrueSettings>

    /// Names that never have the prefix `GOTRUE_`, in addition to those of the emulator's own settings.
    static let bare: Set = ["API_EXTERNAL_URL", "SUPABASE_PUBLISHABLE_KEY", "SUPABASE_SECRET_KEY"]

    /// The subjects, pages and paths of emails, by purpose.
    static var mailTexts: [Setting] {
        let mail = MailSettings()
        let purposes = mail.subjects.keys.sorted()
        return purposes.map { purpose in
            let kind = purpose.lowercased()
            return Setting(
                "GOTRUE_MAILER_SUBJECTS_\(purpose)", \.mail.subjects[setting: purpose, or: ""], .text,
                "The subject of emails of the kind \(kind); {{ .Token }} shows the code.")
        }
            + purposes.map { purpose in
                Setting(
                    "GOTRUE_MAILER_TEMPLATES_\(purpose)", \.mail.templates[purpose], .optional(.text),
                    "The address of a page, on this machine, that is the body of emails of the kind \(purpose.lowercased()), on this machine."
                )
            }
            + mail.paths.keys.sorted().map { purpose in
                Setting(
                    "GOTRUE_MAILER_URLPATHS_\(purpose)", \.mail.paths[setting: purpose, or: "/verify"], .text,
                    "The path of the links in emails of the kind \(purpose.lowercased()).")
            }
    }

    /// The credentials of SMS providers.
    static var smsCredentials: [Setting] {
        SMSSettings.credentials.sorted { $0.key < $1.key }.flatMap { provider, parts in
            parts.map { part in
                let name = "GOTRUE_SMS_\(provider.uppercased())_\(part)"
                return Setting(
                    name, wants: "a string",
                    "Goes with GOTRUE_SMS_PROVIDER=\(provider): its content is not used, but it must be present.",
                    read: { settings, _ in
                        settings.sms.givenCredentials.insert(name)
                        return true
                    }, write: { $0.sms.givenCredentials.contains(name) ? .string(Secret.mask) : .null })
            }
        }
    }

    /// The limits for each caller in five minutes.
    static var callerLimits: [Setting] {
        LimitSettings().perFiveMinutes.keys.sorted().map { name in
            Setting(
                "GOTRUE_RATE_LIMIT_\(name)", \.limits.perFiveMinutes[setting: name, or: 30], .number,
                "The requests per five minutes and caller, for \(name.lowercased().replacing("_", with: " ")).")
        }
    }

    /// Three settings for each hook.
    static var hookSettings: [Setting] {
        HookSettings.all.indices.flatMap { index -> [Setting] in
            let (name, act, _) = HookSettings.all[index]
            return [
                Setting(
                    "GOTRUE_HOOK_\(name)_ENABLED", \.hooks[at: index].isEnabled, .flag, "Whether the hook is called that \(act)."),
                Setting(
                    "GOTRUE_HOOK_\(name)_URI", \.hooks[at: index].address, .text,
                    "The address of the hook that \(act): plain HTTP on this machine."),
                Setting(
                    "GOTRUE_HOOK_\(name)_SECRETS", \.hooks[at: index].secrets, .secrets,
                    "The secrets that sign the requests to the hook that \(act): v1,whsec_ and base 64, several of them separated by |."
                ),
            ]
        }
    }

    /// The settings of one identity provider.
    static func providerSettings(_ name: String) -> [Setting] {
        let none = ProviderSettings()
        let prefix = "GOTRUE_EXTERNAL_\(name.uppercased())_"
        return [
            Setting(
                prefix + "ENABLED", \.providers[setting: name, or: none].isEnabled, .flag,
                "Whether people can sign in with the provider."),
            Setting(
                prefix + "CLIENT_ID", \.providers[setting: name, or: none].clients, .list(),
                "The client ids that its ID tokens may name, separated by commas. The first one is used for redirects."),
            Setting(
                prefix + "SECRET", \.providers[setting: name, or: none].secret, .optional(.secret),
                "The secret of the app, which /authorize requires."),
            Setting(
                prefix + "REDIRECT_URI", \.providers[setting: name, or: none].redirectURL, .optional(.text),
                "The address to which it redirects (default: /callback of this server)."),
            Setting(
                prefix + "URL", \.providers[setting: name, or: none].issuer, .optional(.text),
                "An issuer on this machine that replaces the provider (http://), or another host of the provider. Keycloak requires one."
            ),
            Setting(
                prefix + "SKIP_NONCE_CHECK", \.providers[setting: name, or: none].skipsNonce, .flag,
                "Whether the nonce of its ID tokens is ignored."),
            Setting(
                prefix + "EMAIL_OPTIONAL", \.providers[setting: name, or: none].allowsNoEmail, .flag,
                "Whether people can sign in without an address."),
        ]
    }

    /// Finds the setting of an identity provider with that name.
    @Sendable static func providerSetting(_ name: String) -> Setting? {
        guard name.hasPrefix("GOTRUE_EXTERNAL_") else { return nil }
        return GoTrueSettings.providerNames.lazy.filter { name.hasPrefix("GOTRUE_EXTERNAL_\($0.uppercased())_") }
            .compactMap { providerSettings($0).first { $0.name == name } }.first
    }
}

extension Setting<GoTrueSettings> {
    /// A known setting that has no effect here.
    static func unused(_ name: String, _ about: String) -> Setting {
        Setting(name, wants: "a string", about, read: { _, _ in true }, write: { _ in .null }).unused
    }
}
