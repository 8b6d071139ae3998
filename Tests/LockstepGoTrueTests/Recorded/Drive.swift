import Lockstep
import LockstepDirectory
import LockstepEmulatorTestSupport
import LockstepGoTrueDirectory
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

@testable import Lockstep
@testable import LockstepGoTrue

/// The adapter's call that sends a recorded request, as far as the adapter can send it.
struct Drive: Sendable {
    /// The adapter's result for the response.
    enum Outcome: Sendable {
        case step(AuthStep)
        case session(Session)
        case challenge(Challenge)
        case user(User)
        case callback(CallbackContent)
        case directory(String?)
        case nothing
    }

    let run: @Sendable (GoTrueAdapter, Playback) async throws -> Outcome

    /// The function that sends it; `nil` if the adapter never sends such a request.
    static func of(_ response: RecordedResponse) -> Drive? {
        let parts = response.path.split(separator: "/").map(String.init)
        switch (response.method, parts.first) {
        case ("POST", "signup"): return signUp(response)
        case ("POST", "token"): return token(response)
        case ("POST", "verify"): return verify(response)
        case ("GET", "verify"), ("GET", "callback"): return callback(response)
        case ("POST", "otp"), ("POST", "recover"), ("POST", "resend"), ("GET", "reauthenticate"): return message(response)
        case (_, "user") where parts.count == 1: return user(response)
        case (_, "user"): return identity(response, parts)
        case ("POST", "logout"): return logout(response)
        case (_, "factors"): return factor(response, parts)
        case ("POST", "passkeys"): return passkey(response, parts)
        case (_, "admin") where parts.dropFirst().first == "users" && parts.count <= 3: return admin(response, parts)
        default: return nil
        }
    }

    // MARK: Starts of flows

    private static let password: Secret = "Correct-Horse-1"

    static func memory(_ kind: Flow.Kind = .signIn, signedIn: Session? = nil) -> FlowMemory {
        let flow = Flow(id: "f", kind: kind, capability: .password, startedAt: GoTrue.clock.now)
        return FlowMemory(FlowMemory.Contents(flow: flow), session: signedIn)
    }

    /// The user of the request.
    static func session() throws -> Session {
        let user = try User(goTrue: GoTrue.user(id: RecordedResponse.id).object ?? [:])
        return Session(
            id: RecordedResponse.id, provider: "gotrue", user: user, accessToken: "token", refreshToken: "abcdefghijkl",
            lifetime: TokenLifetime(life: .seconds(3600), clock: GoTrue.clock))
    }

    private static func signUp(_ response: RecordedResponse) -> Drive? {
        guard !response.hasBearer else { return nil }
        if response["email"] == nil, response["phone"] == nil,
            response.body["email"]?.string != nil || response.body["email"] == nil
        {
            return Drive { adapter, _ in
                .step(try await AnonymousSignIn(api: adapter.api).begin(AnonymousCredential(), for: .signIn, in: memory()))
            }
        }
        guard let email = response["email"], let password = response["password"], response["phone"] == nil else { return nil }
        return Drive { adapter, _ in
            .step(
                try await PasswordSignIn(api: adapter.api).begin(
                    PasswordCredential(email: email, password: Secret(password)), for: .signUp(SignUpProfile()), in: memory()))
        }
    }

    private static func token(_ response: RecordedResponse) -> Drive? {
        switch response.query["grant_type"]?.string {
        case "password":
            guard let email = response["email"], let password = response["password"], response["phone"] == nil else { return nil }
            return Drive { adapter, _ in
                .step(
                    try await PasswordSignIn(api: adapter.api).begin(
                        PasswordCredential(email: email, password: Secret(password)), for: .signIn, in: memory()))
            }
        case "refresh_token":
            guard let token = response["refresh_token"] else { return nil }
            return Drive { adapter, _ in .session(try await adapter.api.refresh(Secret(token))) }
        case "id_token":
            guard let provider = response["provider"], let token = response["id_token"] else { return nil }
            let links = response.body["link_identity"]?.bool == true
            return Drive { adapter, _ in
                let credential = IDTokenCredential(
                    provider: IdentityProvider(rawValue: provider), token: Secret(token),
                    nonce: response["nonce"].map { Secret($0) })
                return .step(
                    try await IDTokenSignIn(api: adapter.api).begin(
                        credential, for: links ? .link(to: session()) : .signIn, in: memory(links ? .linking : .signIn)))
            }
        case "pkce":
            guard let verifier = response["code_verifier"], response["auth_code"] != nil else { return nil }
            return Drive { adapter, _ in
                let memory = memory()
                memory[.verifier] = Secret(verifier)
                let link = "app://auth/callback?code=\(RecordedResponse.id)"
                return .step(try await LinkVerification(api: adapter.api).attempt(.link(link), in: memory))
            }
        default: return nil
        }
    }

    private static let messages: [String: Message] = [
        "signup": .signUp, "email": .signIn, "recovery": .recovery, "sms": .signInByPhone,
        "email_change": .emailChange, "phone_change": .phoneChange,
    ]

    private static func verify(_ response: RecordedResponse) -> Drive? {
        guard let type = response["type"] else { return nil }
        if let hash = response["token_hash"] {
            let isLink = ["signup", "invite", "magiclink", "recovery", "email", "email_change"].contains(type)
            guard isLink, response["email"] == nil, response["phone"] == nil, response["token"] == nil,
                response["redirect_to"] == nil
            else {
                return nil
            }
            return Drive { adapter, _ in
                let memory = memory(type == "recovery" ? .passwordReset : .confirmation)
                _ = adapter.api.challenge(
                    messages[type] ?? .signUp, sentTo: response.json?["user"]?["email"]?.string ?? "ada@example.com", in: memory)
                let link = "app://auth/callback?token_hash=\(hash)&type=\(type)"
                return .step(try await LinkVerification(api: adapter.api).attempt(.link(link), in: memory))
            }
        }
        guard let code = response["token"], let message = messages[type],
            let address = message.channel == .sms ? response["phone"] : response["email"],
            (response["phone"] == nil) != (response["email"] == nil)
        else { return nil }
        return Drive { adapter, _ in
            let memory = memory(message.kind)
            _ = adapter.api.challenge(message, sentTo: address, in: memory)
            return .step(try await CodeVerification(api: adapter.api).attempt(.code(Secret(code)), in: memory))
        }
    }

    /// The redirect link of the server, which opens the app.
    private static func callback(_ response: RecordedResponse) -> Drive? {
        guard let location = response.location, let tail = location.firstIndex(where: { "?#".contains($0) }) else { return nil }
        let link = "app://auth/callback" + location[tail...]
        return Drive { adapter, _ in .callback(adapter.callbacks.read(try Callback(link))) }
    }

    private static func message(_ response: RecordedResponse) -> Drive? {
        switch response.path {
        case "/otp":
            guard response["email"] == nil || response["phone"] == nil, response["email"] == nil || response["channel"] == nil
            else {
                return nil
            }
            let creates = response.body["create_user"]?.bool ?? true
            if let email = response["email"] {
                let credential = EmailCodeCredential(email: email, createsAccount: creates)
                return Drive { adapter, _ in
                    .step(try await EmailCodeSignIn(api: adapter.api).begin(credential, for: .signIn, in: memory()))
                }
            }
            guard let phone = response["phone"], ["sms", nil].contains(response["channel"]) else { return nil }
            return Drive { adapter, _ in
                .step(
                    try await PhoneCodeSignIn(api: adapter.api).begin(
                        PhoneCodeCredential(phone: "+" + phone), for: .signIn, in: memory()))
            }
        case "/recover":
            guard let email = response["email"] else { return nil }
            return Drive { adapter, _ in
                .step(try await PasswordResetRequest(api: adapter.api).begin(email: email, in: memory(.passwordReset)))
            }
        case "/resend":
            guard let email = response["email"], response["phone"] == nil, let message = messages[response["type"] ?? ""],
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

    private static func user(_ response: RecordedResponse) -> Drive? {
        guard response.method == "PUT" else {
            return response.method == "GET" ? Drive { adapter, _ in .user(try await adapter.api.user(as: "token")) } : nil
        }
        let names = Set(response.body.map(\.name)).subtracting(["code_challenge", "code_challenge_method", "channel"])
        switch names {
        case ["password"], ["password", "current_password"]:
            return Drive { adapter, _ in
                // Only the change. The sign-in that checks the current password is another conversation.
                var body: JSONObject = ["password": .string(password.reveal())]
                body["current_password"] = response["current_password"].map { .string($0) }
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
            guard let email = response["email"] else { return nil }
            return Drive { adapter, _ in
                .step(try await adapter.api.changeEmail(of: session(), to: email, in: memory(.emailChange)))
            }
        case ["phone"]:
            guard let phone = response["phone"] else { return nil }
            return Drive { adapter, _ in
                .step(
                    try await PhoneCodeSignIn(api: adapter.api).begin(
                        PhoneCodeCredential(phone: "+" + phone), for: .link(to: session()), in: memory(.linking)))
            }
        default: return nil
        }
    }

    private static func identity(_ response: RecordedResponse, _ parts: [String]) -> Drive? {
        guard parts.dropFirst().first == "identities", let last = parts.last else { return nil }
        if response.method == "DELETE", last.isUUID {
            return Drive { adapter, _ in
                .session(
                    try await OwnIdentities(api: adapter.api).unlink(
                        Identity(id: last, provider: .apple), from: session()))
            }
        }
        guard last == "authorize", let provider = response.query["provider"]?.string, response.status != 302 else { return nil }
        return Drive { adapter, _ in
            .step(
                try await OAuthSignIn(api: adapter.api).begin(
                    OAuthCredential(provider: IdentityProvider(rawValue: provider)), for: .link(to: session()),
                    in: memory(.linking)))
        }
    }

    private static func logout(_ response: RecordedResponse) -> Drive? {
        let scopes: [String: SignOutScope] = ["local": .local, "others": .others, "global": .everywhere]
        guard response.hasBearer, let scope = scopes[response.query["scope"]?.string ?? "global"] else { return nil }
        return Drive { adapter, _ in
            try await adapter.api.signOut("token", scope: scope)
            return .nothing
        }
    }
}
