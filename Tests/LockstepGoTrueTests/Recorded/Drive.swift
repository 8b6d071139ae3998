import Lockstep
import LockstepDirectory
import LockstepGoTrueDirectory
import LockstepHTTP
import LockstepPrimitives
import LockstepStaging
import LockstepTestSupport

@testable import Lockstep
@testable import LockstepGoTrue

/// What the adapter does to send a recorded request, as far as its wire can.
struct Drive: Sendable {
    /// The adapter's result for the answer.
    enum Outcome: Sendable {
        case step(SignInStep)
        case session(Session)
        case challenge(Challenge)
        case user(User)
        case callback(CallbackContent)
        case directory(String?)
        case nothing
    }

    let run: @Sendable (GoTrueAdapter, Playback) async throws -> Outcome

    /// The way to send it; `nil` where the adapter never sends such a request.
    static func of(_ answer: RecordedAnswer) -> Drive? {
        let parts = answer.path.split(separator: "/").map(String.init)
        switch (answer.method, parts.first) {
        case ("POST", "signup"): return signUp(answer)
        case ("POST", "token"): return token(answer)
        case ("POST", "verify"): return verify(answer)
        case ("GET", "verify"), ("GET", "callback"): return callback(answer)
        case ("POST", "otp"), ("POST", "recover"), ("POST", "resend"), ("GET", "reauthenticate"): return message(answer)
        case (_, "user") where parts.count == 1: return user(answer)
        case (_, "user"): return identity(answer, parts)
        case ("POST", "logout"): return logout(answer)
        case (_, "factors"): return factor(answer, parts)
        case ("POST", "passkeys"): return passkey(answer, parts)
        case (_, "admin") where parts.dropFirst().first == "users" && parts.count <= 3: return admin(answer, parts)
        default: return nil
        }
    }

    // MARK: What the flows begin with

    private static let password: Secret = "Correct-Horse-1"

    static func memory(_ kind: Flow.Kind = .signIn, signedIn: Session? = nil) -> FlowMemory {
        let flow = Flow(id: "f", kind: kind, capability: .password, startedAt: GoTrue.clock.now)
        return FlowMemory(FlowMemory.Contents(flow: flow), session: signedIn)
    }

    /// The user of the request.
    static func session() throws -> Session {
        let user = try User(goTrue: GoTrue.user(id: RecordedAnswer.id).object ?? [:])
        return Session(
            id: RecordedAnswer.id, provider: "gotrue", user: user, accessToken: "token", refreshToken: "abcdefghijkl",
            lifetime: TokenLifetime(life: .seconds(3600), clock: GoTrue.clock))
    }

    private static func signUp(_ answer: RecordedAnswer) -> Drive? {
        guard !answer.hasBearer else { return nil }
        if answer["email"] == nil, answer["phone"] == nil, answer.body["email"]?.string != nil || answer.body["email"] == nil {
            return Drive { adapter, _ in
                .step(try await AnonymousSignIn(api: adapter.api).begin(AnonymousCredential(), for: .signIn, in: memory()))
            }
        }
        guard let email = answer["email"], let password = answer["password"], answer["phone"] == nil else { return nil }
        return Drive { adapter, _ in
            .step(
                try await PasswordSignIn(api: adapter.api).begin(
                    PasswordCredential(email: email, password: Secret(password)), for: .signUp(SignUpProfile()), in: memory()))
        }
    }

    private static func token(_ answer: RecordedAnswer) -> Drive? {
        switch answer.query["grant_type"]?.string {
        case "password":
            guard let email = answer["email"], let password = answer["password"], answer["phone"] == nil else { return nil }
            return Drive { adapter, _ in
                .step(
                    try await PasswordSignIn(api: adapter.api).begin(
                        PasswordCredential(email: email, password: Secret(password)), for: .signIn, in: memory()))
            }
        case "refresh_token":
            guard let token = answer["refresh_token"] else { return nil }
            return Drive { adapter, _ in .session(try await adapter.api.refresh(Secret(token))) }
        case "id_token":
            guard let provider = answer["provider"], let token = answer["id_token"] else { return nil }
            let links = answer.body["link_identity"]?.bool == true
            return Drive { adapter, _ in
                let credential = IDTokenCredential(
                    provider: IdentityProvider(rawValue: provider), token: Secret(token),
                    nonce: answer["nonce"].map { Secret($0) })
                return .step(
                    try await IDTokenSignIn(api: adapter.api).begin(
                        credential, for: links ? .link(to: session()) : .signIn, in: memory(links ? .linking : .signIn)))
            }
        case "pkce":
            guard let verifier = answer["code_verifier"], answer["auth_code"] != nil else { return nil }
            return Drive { adapter, _ in
                let memory = memory()
                memory[.verifier] = Secret(verifier)
                let link = "app://auth/callback?code=\(RecordedAnswer.id)"
                return .step(try await LinkVerification(api: adapter.api).attempt(.link(link), in: memory))
            }
        default: return nil
        }
    }

    private static let messages: [String: Message] = [
        "signup": .signUp, "email": .signIn, "recovery": .recovery, "sms": .signInByPhone,
        "email_change": .emailChange, "phone_change": .phoneChange,
    ]

    private static func verify(_ answer: RecordedAnswer) -> Drive? {
        guard let type = answer["type"] else { return nil }
        if let hash = answer["token_hash"] {
            let isLink = ["signup", "invite", "magiclink", "recovery", "email", "email_change"].contains(type)
            guard isLink, answer["email"] == nil, answer["phone"] == nil, answer["token"] == nil, answer["redirect_to"] == nil
            else {
                return nil
            }
            return Drive { adapter, _ in
                let memory = memory(type == "recovery" ? .passwordReset : .confirmation)
                _ = adapter.api.challenge(
                    messages[type] ?? .signUp, sentTo: answer.json?["user"]?["email"]?.string ?? "ada@example.com", in: memory)
                let link = "app://auth/callback?token_hash=\(hash)&type=\(type)"
                return .step(try await LinkVerification(api: adapter.api).attempt(.link(link), in: memory))
            }
        }
        guard let code = answer["token"], let message = messages[type],
            let address = message.channel == .sms ? answer["phone"] : answer["email"],
            (answer["phone"] == nil) != (answer["email"] == nil)
        else { return nil }
        return Drive { adapter, _ in
            let memory = memory(message.kind)
            _ = adapter.api.challenge(message, sentTo: address, in: memory)
            return .step(try await CodeVerification(api: adapter.api).attempt(.code(Secret(code)), in: memory))
        }
    }

    /// The link that the server sends the browser back with, as the app is opened with it.
    private static func callback(_ answer: RecordedAnswer) -> Drive? {
        guard let location = answer.location, let tail = location.firstIndex(where: { "?#".contains($0) }) else { return nil }
        let link = "app://auth/callback" + location[tail...]
        return Drive { adapter, _ in .callback(adapter.callbacks.read(try Callback(link))) }
    }

    private static func message(_ answer: RecordedAnswer) -> Drive? {
        switch answer.path {
        case "/otp":
            guard answer["email"] == nil || answer["phone"] == nil, answer["email"] == nil || answer["channel"] == nil else {
                return nil
            }
            let creates = answer.body["create_user"]?.bool ?? true
            if let email = answer["email"] {
                let credential = EmailCodeCredential(email: email, createsAccount: creates)
                return Drive { adapter, _ in
                    .step(try await EmailCodeSignIn(api: adapter.api).begin(credential, for: .signIn, in: memory()))
                }
            }
            guard let phone = answer["phone"], ["sms", nil].contains(answer["channel"]) else { return nil }
            return Drive { adapter, _ in
                .step(
                    try await PhoneCodeSignIn(api: adapter.api).begin(
                        PhoneCodeCredential(phone: "+" + phone), for: .signIn, in: memory()))
            }
        case "/recover":
            guard let email = answer["email"] else { return nil }
            return Drive { adapter, _ in
                .step(try await PasswordResetRequest(api: adapter.api).begin(email: email, in: memory(.passwordReset)))
            }
        case "/resend":
            guard let email = answer["email"], answer["phone"] == nil, let message = messages[answer["type"] ?? ""],
                message == .signUp || message == .emailChange
            else { return nil }
            return Drive { adapter, _ in
                let memory = memory(message.kind)
                _ = adapter.api.challenge(message, sentTo: email, in: memory)
                memory[.formerEmail] = email
                return .challenge(try await adapter.api.resend(in: memory))
            }
        default:
            return Drive { adapter, _ in
                .challenge(try await adapter.api.sendReauthentication(of: session(), in: memory(.reauthentication)))
            }
        }
    }

    private static func user(_ answer: RecordedAnswer) -> Drive? {
        guard answer.method == "PUT" else {
            return answer.method == "GET" ? Drive { adapter, _ in .user(try await adapter.api.user(as: "token")) } : nil
        }
        let names = Set(answer.body.map(\.name)).subtracting(["code_challenge", "code_challenge_method", "channel"])
        switch names {
        case ["password"], ["password", "current_password"]:
            return Drive { adapter, _ in
                // The change itself: the sign-in that proves a current password before it is another conversation.
                var body: JSONObject = ["password": .string(password.reveal())]
                body["current_password"] = answer["current_password"].map { .string($0) }
                return .session(try await OwnPasswordChange(api: adapter.api).set(body, of: session()))
            }
        case ["password", "nonce"]:
            return Drive { adapter, _ in
                let memory = memory(.reauthentication, signedIn: try session())
                memory[unstored: "newPassword"] = password
                return .step(try await OwnPasswordChange(api: adapter.api).finish("123456", in: memory))
            }
        case ["data"]:
            return Drive { adapter, _ in
                .session(
                    try await OwnProfileUpdate(api: adapter.api).update(ProfileChanges(displayName: "Ada"), of: session()))
            }
        case ["email"], ["email", "password"]:
            guard let email = answer["email"] else { return nil }
            return Drive { adapter, _ in
                .step(try await adapter.api.changeEmail(of: session(), to: email, in: memory(.emailChange)))
            }
        case ["phone"]:
            guard let phone = answer["phone"] else { return nil }
            return Drive { adapter, _ in
                .step(
                    try await PhoneCodeSignIn(api: adapter.api).begin(
                        PhoneCodeCredential(phone: "+" + phone), for: .link(to: session()), in: memory(.linking)))
            }
        default: return nil
        }
    }

    private static func identity(_ answer: RecordedAnswer, _ parts: [String]) -> Drive? {
        guard parts.dropFirst().first == "identities", let last = parts.last else { return nil }
        if answer.method == "DELETE", last.isUUID {
            return Drive { adapter, _ in
                .session(
                    try await OwnIdentities(api: adapter.api).unlink(
                        Identity(id: last, provider: .apple), from: session()))
            }
        }
        guard last == "authorize", let provider = answer.query["provider"]?.string, answer.status != 302 else { return nil }
        return Drive { adapter, _ in
            .step(
                try await OAuthSignIn(api: adapter.api).begin(
                    OAuthCredential(provider: IdentityProvider(rawValue: provider)), for: .link(to: session()),
                    in: memory(.linking)))
        }
    }

    private static func logout(_ answer: RecordedAnswer) -> Drive? {
        let scopes: [String: SignOutScope] = ["local": .local, "others": .others, "global": .everywhere]
        guard answer.hasBearer, let scope = scopes[answer.query["scope"]?.string ?? "global"] else { return nil }
        return Drive { adapter, _ in
            try await adapter.api.signOut("token", scope: scope)
            return .nothing
        }
    }
}
