internal import LockstepEmulation
internal import LockstepPrimitives

extension Turn {
    /// Passes the mails to the outbox, as the last step of a transaction.
    mutating func post() throws {
        for letter in letters {
            let page = try page(for: letter)
            do {
                let subject = MailTemplate(settings.mail.subjects[letter.purpose.rawValue] ?? "").filled(letter.values)
                try core.environment.outbox.mail(
                    to: letter.address, subject: subject, text: letter.link ?? letter.code, html: page, code: letter.code,
                    link: letter.link, from: settings.mail.sender)
            } catch {
                throw GoTrueError.failure(letter.purpose.failure)
            }
        }
        letters = []
    }

    /// The filled template of the settings; the server's own page where it cannot be fetched.
    private func page(for letter: Letter) throws -> String {
        guard var address = settings.mail.templates[letter.purpose.rawValue] else { return MailTemplate.page(letter) }
        if !address.hasPrefix("http") { address = settings.siteURL + address }
        guard case .answer(let answer) = try result(of: .send(OutgoingRequest("GET", address))), answer.status == 200 else {
            return MailTemplate.page(letter)
        }
        return MailTemplate(String(decoding: answer.body, as: UTF8.self)).filled(letter.values, forPage: true)
    }
}
