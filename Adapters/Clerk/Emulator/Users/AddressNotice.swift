/// The message to the former primary address about its replacement, so that its owner notices a change by an intruder
/// (https://clerk.com/docs/authentication/configuration/email-sms-templates, "Primary email address changed").
struct AddressNotice {
    let context: RequestContext

    /// Notifies the former primary address, where there was one and it has changed.
    func tell(_ former: String?, changedTo current: String?) throws {
        guard let former, let current, former != current, let old = try row(former), let new = try row(current),
            EmailAddress(old.value)?.isTest != true
        else { return }
        let text =
            "The primary address of your account at \(context.settings.applicationName) is \(new.value) now.\n\n"
            + "If you did not do this, tell us."
        context.mail(
            to: old.value, subject: "Your primary address at \(context.settings.applicationName) was changed", text: text)
    }

    private func row(_ id: String) throws -> IdentificationRecord? {
        try context.db.find(IdentificationRecord.self, "id = \(id)")
    }
}
