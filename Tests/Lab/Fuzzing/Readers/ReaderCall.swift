internal import Lockstep
internal import LockstepPrimitives

/// A call on a client, which makes an adapter read a response, a link or a stored value.
enum ReaderCall: CaseIterable {
    case restore, signUp, byPassword, byEmailCode, byEmailLink, byPhone, asGuest, byIDToken, byOAuth, byTicket, byPasskey
    case respond, anyResponse, resend, cancel, open, reset
    case token, session, refreshUser, signOut, signOutOthers, signOutEverywhere
    case update, updateMetadata, changePassword, changePasswordBack, beginPasswordChange, changeEmail, linkPassword, linkIDToken,
        linkPasskey,
        unlink
    case addApp, addPhone, listFactors, removeFactor, reauthenticate, delete

    /// In an order in which an emulator answers most of them as in an app.
    static let script: [ReaderCall] = [
        .restore, .signUp, .respond, .token, .refreshUser, .update, .updateMetadata, .changePassword, .changePasswordBack,
        .addApp, .listFactors,
        .addPhone, .linkIDToken, .linkPasskey, .respond, .unlink, .changeEmail, .respond, .resend, .cancel, .signOutOthers,
        .signOut,
        .byPassword, .respond, .reauthenticate, .signOutEverywhere, .asGuest, .linkPassword, .respond, .refreshUser, .signOut,
        .byEmailCode, .respond, .signOut, .byEmailLink, .respond, .signOut, .byPhone, .respond, .signOut, .byIDToken, .byOAuth,
        .byTicket, .byPasskey, .anyResponse, .byPassword, .respond, .beginPasswordChange, .respond, .reset, .respond, .respond,
        .delete, .byPassword,
    ]
}

/// The texts in the calls, which must never appear again.
struct ReaderWords: Sendable {
    let email = "canary@example.com"
    let password: Secret = "Canary-Horse-7391-Q"
    let newPassword: Secret = "Canary-Horse-8402-R"
    let idToken: Secret = "canary-id-token-5513.canary-id-token-5513.canary-id-token-5513"
    let ticket: Secret = "canary-ticket-6624"
    let code: Secret = "canary739184"
    let nonce: Secret = "canary-nonce-7735"

    /// All secrets.
    var secrets: [String] { [password, newPassword, idToken, ticket, code, nonce].map { $0.reveal() } }
}

/// Makes calls on one client.
struct ReaderHand: Sendable {
    let client: AuthClient
    let dice: Dice
    let words = ReaderWords()
    /// The code and the link of the newest message, if any.
    var message: @Sendable () -> (code: String?, link: String?) = { (nil, nil) }
    /// Addresses with which the app can be opened.
    var links: [String] = []

    /// Makes the call.
    ///
    /// - Throws: The errors of the client.
    func `do`(_ call: ReaderCall) async throws(AuthError) {
        switch call {
        case .restore: _ = await client.restore()
        case .signUp:
            _ = try await client.signUp(with: .password(email: words.email, password: words.password), displayName: "Ada Byron")
        case .byPassword: _ = try await client.signIn(with: password)
        case .byEmailCode: _ = try await client.signIn(with: .emailCode(words.email))
        case .byEmailLink: _ = try await client.signIn(with: .emailLink(words.email))
        case .byPhone: _ = try await client.signIn(with: .phoneCode("+15551230003"))
        case .asGuest: _ = try await client.signIn(with: .anonymous)
        case .byIDToken: _ = try await client.signIn(with: idToken)
        case .byOAuth: _ = try await client.signIn(with: .oauth(.github, scopes: ["a", "b"]))
        case .byTicket: _ = try await client.signIn(with: .ticket(words.ticket))
        case .byPasskey: _ = try await client.signIn(with: .passkey)
        case .respond: try await respond()
        case .anyResponse:
            guard let flow = client.pending?.flow else { return }
            _ = try await client.respond(to: flow, with: answer(dice.pick(ChallengeResponse.Kind.allCases)))
        case .resend:
            guard let flow = client.pending?.flow else { return }
            _ = try await client.resend(flow)
        case .cancel:
            guard let flow = client.pending?.flow else { return }
            try await client.cancel(flow)
        case .open: try await open(link())
        case .reset: _ = try await client.requestPasswordReset(email: words.email)
        default: try await doMore(call)
        }
    }

    private func doMore(_ call: ReaderCall) async throws(AuthError) {
        switch call {
        case .token: _ = try await client.accessToken()
        case .session: _ = try await client.session()
        case .refreshUser: _ = try await client.refreshUser()
        case .signOut: try await client.signOut(.local, discardingAnonymousUser: true)
        case .signOutOthers: try await client.signOut(.others, discardingAnonymousUser: true)
        case .signOutEverywhere: try await client.signOut(.everywhere, discardingAnonymousUser: true)
        case .update: _ = try await client.account.update(displayName: "Ada Lovelace")
        case .updateMetadata: _ = try await client.account.update(metadata: ["theme": "dark", "place": ["town": "Paris"]])
        case .changePassword: try await client.account.changePassword(to: words.newPassword, current: words.password)
        case .changePasswordBack: try await client.account.changePassword(to: words.password, current: words.newPassword)
        case .beginPasswordChange: _ = try await client.account.beginPasswordChange(to: words.newPassword)
        case .changeEmail: _ = try await client.account.changeEmail(to: "canary2@example.com")
        case .linkPassword: _ = try await client.account.link(.password(email: "canary3@example.com", password: words.password))
        case .linkIDToken: _ = try await client.account.link(idToken)
        case .linkPasskey: _ = try await client.account.link(.passkey)
        case .unlink:
            try await client.account.unlink(client.state.session?.user.identities.first ?? Identity(id: "none", provider: .apple))
        case .addApp: _ = try await client.account.factors.add(.authenticatorApp(label: "app"))
        case .addPhone: _ = try await client.account.factors.add(.phone("+15551230004"))
        case .listFactors: _ = try await client.account.factors.all()
        case .removeFactor: try await client.account.factors.remove(FactorChoice(id: "none", kind: .authenticatorApp))
        case .reauthenticate: _ = try await client.account.reauthenticate(with: password)
        case .delete: try await client.account.delete()
        default: break
        }
    }

    private var password: PasswordCredential { .password(email: words.email, password: words.password) }
    private var idToken: IDTokenCredential { .idToken(.apple, token: words.idToken, nonce: words.nonce, name: "Ada") }

    /// Sends a response that the current step accepts.
    private func respond() async throws(AuthError) {
        guard let step = client.pending, let flow = step.flow, let kind = step.accepts.sorted().first else { return }
        if kind == .code, message().code == nil, step.accepts.contains(.link), let link = message().link {
            return try await open(link)
        }
        _ = try await client.respond(to: flow, with: answer(kind))
    }

    private func open(_ link: String) async throws(AuthError) {
        if case .refused(let error) = await client.handle(link) { throw error }
    }

    private func answer(_ kind: ChallengeResponse.Kind) -> ChallengeResponse {
        switch kind {
        case .code: .code(message().code.map { Secret($0) } ?? words.code)
        case .link: .link(message().link ?? link())
        case .poll: .poll
        case .newPassword: .newPassword(words.newPassword)
        case .factor:
            if case .secondFactor(let step)? = client.pending, let choice = step.choices.first {
                .factor(choice)
            } else {
                .factor(FactorChoice(id: "totp none", kind: dice.pick([.authenticatorApp, .phone, .passkey, .backupCode])))
            }
        case .fields: .fields([.lastName: "Lovelace"])
        case .passkey: .passkey(signature)
        case .captcha: .captcha("token")
        }
    }

    /// A result that no authenticator has created, for the challenge of the current step.
    private var signature: JSON {
        let client: JSON = ["challenge": client.pending?.challenge?.passkeyOptions?["challenge"] ?? .null]
        return [
            "id": "YWJj", "type": "public-key",
            "response": [
                "clientDataJSON": .string(Base64.encode(client.bytes(), .url)), "attestationObject": "YWJj",
                "authenticatorData": "YWJj", "signature": "YWJj",
            ],
        ]
    }

    private func link() -> String {
        let link = dice.pick(links + ["app://auth/callback"])
        return dice.hits(oneIn: 3) ? link : TextMutation(dice: dice).mutated(link)
    }
}
