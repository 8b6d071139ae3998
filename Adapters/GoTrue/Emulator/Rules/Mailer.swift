internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Writes the emails of accounts, with their links and codes.
struct Mailer {
    let context: RequestContext

    /// Rejects an email of a kind that is requested too soon.
    func waitForInterval(since sentAt: Instant?) throws {
        guard let sentAt, context.settings.mail.interval > .milliseconds(1) else { return }
        let end = sentAt + context.settings.mail.interval
        guard end > context.now else { return }
        throw GoTrueError.mailTooSoon(end - context.now)
    }

    /// Sends the email that confirms a sign-up.
    func sendConfirmation(to user: inout User, _ proof: ProofKey?) throws {
        try waitForInterval(since: user.confirmation.sentAt)
        try send(.confirmation, to: &user, in: \.confirmation, .confirmation, proof)
    }

    func sendInvite(to user: inout User) throws {
        user.invitedAt = context.now
        try send(.invite, to: &user, in: \.confirmation, .confirmation, nil)
    }

    /// Sends the email of a forgotten password, or of a magic link; both use the same slot.
    func sendRecovery(_ purpose: MailPurpose, to user: inout User, _ proof: ProofKey?) throws {
        try waitForInterval(since: user.recovery.sentAt)
        try send(purpose, to: &user, in: \.recovery, .recovery, proof)
    }

    func sendReauthentication(to user: inout User) throws {
        try waitForInterval(since: user.reauthentication.sentAt)
        try send(.reauthentication, to: &user, in: \.reauthentication, .reauthentication, nil)
    }

    /// Sends a new code, which replaces the previous code of its slot.
    private func send(
        _ purpose: MailPurpose, to user: inout User, in slot: WritableKeyPath<User, User.Slot>, _ kind: OneTimeTokenKind,
        _ proof: ProofKey?
    ) throws {
        let code = context.code(kind.rawValue, length: context.settings.mail.codeLength)
        user[keyPath: slot] = User.Slot(hash: Self.hash(user.email, code, proof), sentAt: context.now)
        try send(purpose, to: user, code, user[keyPath: slot].hash)
        try context.users.keep(kind, user[keyPath: slot].hash, for: user.email, of: &user)
    }

    /// Sends the emails of a change of address: to the new address, and to the old one if the change is secured.
    func sendEmailChange(to address: String, of user: inout User, _ proof: ProofKey?) throws {
        try waitForInterval(since: user.emailChangeSentAt)
        let newCode = context.code("email_change_new", length: context.settings.mail.codeLength)
        user.emailChange = address
        user.emailChangeNewHash = Self.hash(address, newCode, proof)
        user.emailChangeStatus = 0
        user.emailChangeSentAt = context.now
        var code = ""
        let isSecured = context.settings.mail.securesChange && !user.email.isEmpty
        if isSecured {
            code = context.code("email_change_current", length: context.settings.mail.codeLength)
            user.emailChangeCurrentHash = Self.hash(user.email, code, proof)
        }
        try sendEmailChange(of: user, code: code, newCode: newCode, isSecured: isSecured)
        if isSecured { try context.users.keep(.emailChangeCurrent, user.emailChangeCurrentHash, for: user.email, of: &user) }
        try context.users.keep(.emailChangeNew, user.emailChangeNewHash, for: address, of: &user)
    }

    private func sendEmailChange(of user: User, code: String, newCode: String, isSecured: Bool) throws {
        try admitMail(to: [user.emailChange] + (isSecured ? [user.email] : []))
        if let hook = context.settings.hooks.sendEmail {
            return try context.hooks.sendMail(
                hook, MailPurpose.emailChange.linkType, user, code: isSecured ? code : newCode,
                hash: user.emailChangeNewHash, newCode: isSecured ? newCode : "",
                newHash: isSecured ? user.emailChangeCurrentHash : "")
        }
        if isSecured { try send(.emailChange, to: user, code, user.emailChangeCurrentHash, address: user.email) }
        try send(.emailChange, to: user, newCode, user.emailChangeNewHash, address: user.emailChange)
    }

    static func hash(_ address: String, _ code: String, _ proof: ProofKey?) -> String {
        (proof == nil ? "" : CodeHash.proofPrefix) + CodeHash.of(address, code)
    }

    private func send(_ purpose: MailPurpose, to user: User, _ code: String, _ hash: String) throws {
        try admitMail(to: [user.email])
        // An email needs an address.
        guard !user.email.isEmpty || context.settings.hooks.sendEmail != nil else {
            throw GoTrueError.failure(purpose.failure)
        }
        if let hook = context.settings.hooks.sendEmail {
            return try context.hooks.sendMail(hook, purpose.linkType, user, code: code, hash: hash)
        }
        try send(purpose, to: user, code, hash, address: user.email)
    }

    /// Queues an email with its link, or only with its code for the email without a link.
    private func send(_ purpose: MailPurpose, to user: User, _ code: String, _ hash: String, address: String) throws {
        let mail = context.settings.mail
        var values: [ExactString: String] = ["SiteURL": context.settings.siteURL, "Email": user.email, "Token": code]
        for (name, value) in user.userMetadata ?? [:] { values["Data.\(name)".exact] = value.string ?? value.text() }
        var link: String?
        if purpose != .reauthentication {
            let target = context.target
            link = actionLink(purpose, type: purpose.linkType, hash: hash, target: target)
            values["ConfirmationURL"] = link
            values["TokenHash"] = hash
            values["RedirectTo"] = target
            values["NewEmail"] = user.emailChange
            values["SendingTo"] = address
        }
        let subject = MailTemplate(mail.subjects[purpose.rawValue] ?? "").filled(values)
        let page = try page(purpose, values) ?? MailTemplate.page(purpose, code: code, link: link)
        context.send(
            .mail(
                OutgoingMail(
                    to: address, subject: subject, text: link ?? code, page: page, code: code, link: link, from: mail.sender)),
            failure: GoTrueError.failure(purpose.failure))
    }

    /// Returns the filled template of the settings; `nil` if there is none, or if it cannot be fetched.
    private func page(_ purpose: MailPurpose, _ values: [ExactString: String]) throws -> String? {
        guard var address = context.settings.mail.templates[purpose.rawValue] else { return nil }
        if !address.hasPrefix("http") { address = context.settings.siteURL + address }
        guard case .success(let response) = try context.result(of: OutgoingRequest("GET", address)), response.status == 200 else {
            return nil
        }
        return MailTemplate(String(decoding: response.body, as: UTF8.self)).filled(values, forPage: true)
    }

    /// The link of an email.
    func actionLink(_ purpose: MailPurpose, type: String, hash: String, target: String) -> String {
        let base = context.state.base
        let name = purpose == .magicLink ? "RECOVERY" : purpose.rawValue
        let path = context.settings.mail.paths[name] ?? "/verify"
        let place: String
        if path.hasPrefix("http://") || path.hasPrefix("https://") {
            place = path
        } else if var url = GoURL(base) {
            if path.hasPrefix("/") {
                url.path = path
            } else {
                url.path = String(url.path.reversed().drop { $0 != "/" }.reversed()) + path
            }
            url.query = nil
            place = url.text
        } else {
            place = base + path
        }
        let isPlain = !target.unicodeScalars.contains { "&=#".unicodeScalars.contains($0) }
        return "\(place)?token=\(hash)&type=\(type)&redirect_to=\(isPlain ? target : Percent.encode(target))"
    }

    /// Rejects emails to unauthorized addresses, and emails above the limit; each request is counted once.
    private func admitMail(to addresses: [String]) throws {
        if let refused = addresses.first(where: { !context.settings.mail.mayWrite(to: $0) }) {
            throw GoTrueError.addressNotAuthorized(refused)
        }
        let isLimited = !context.settings.mail.confirmsByItself || context.settings.limits.mails?.count == 0
        guard isLimited, let limiter = context.state.limits.mails, context.isFirst("mail limit") else { return }
        guard limiter.admit() else { throw GoTrueError.tooManyMails }
    }
}

/// The purpose of an email; the raw value is its name in the settings.
enum MailPurpose: String, Sendable {
    case confirmation = "CONFIRMATION"
    case invite = "INVITE"
    case recovery = "RECOVERY"
    case magicLink = "MAGIC_LINK"
    case emailChange = "EMAIL_CHANGE"
    case reauthentication = "REAUTHENTICATION"

    /// The link's `type`, and a hook's `email_action_type`.
    var linkType: String {
        switch self {
        case .confirmation: "signup"
        case .invite: "invite"
        case .recovery: "recovery"
        case .magicLink: "magiclink"
        case .emailChange: "email_change"
        case .reauthentication: "reauthentication"
        }
    }

    /// The server's error if the email cannot be sent.
    var failure: String {
        switch self {
        case .confirmation: "Error sending confirmation email"
        case .invite: "Error sending invite email"
        case .recovery: "Error sending recovery email"
        case .magicLink: "Error sending magic link email"
        case .emailChange: "Error sending email change email"
        case .reauthentication: "Error sending reauthentication email"
        }
    }
}

/// Texts in the part of Go's template language that subjects and messages use: `{{ .Name }}`.
struct MailTemplate {
    private let text: String

    init(_ text: String) { self.text = text }

    ///
    /// - Parameters:
    ///   - isPage: Whether values are escaped for HTML.
    /// - Returns: The result.
    func filled(_ values: [ExactString: String], forPage isPage: Bool = false) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            result += rest[..<start.lowerBound]
            let name = rest[start.upperBound..<end.lowerBound].filter { $0 != " " && $0 != "-" }
            let value = values[(name.hasPrefix(".") ? String(name.dropFirst()) : name).exact] ?? ""
            result += isPage ? Self.escaped(value) : value
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// Returns the server's own email: a sentence and a link, or a code.
    static func page(_ purpose: MailPurpose, code: String, link: String?) -> String {
        guard let link else { return "<h2>Verification code</h2>\n\n<p>Your code: <strong>\(code)</strong></p>\n" }
        let words =
            switch purpose {
            case .confirmation: "Confirm your email address"
            case .invite: "Accept your invitation"
            case .recovery: "Reset your password"
            case .magicLink: "Sign in"
            case .emailChange, .reauthentication: "Confirm your new email address"
            }
        return "<h2>\(words)</h2>\n\n<p><a href=\"\(escaped(link))\">\(words)</a></p>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&#34;"
            case "'": "&#39;"
            default: nil
            }
        }
    }
}
