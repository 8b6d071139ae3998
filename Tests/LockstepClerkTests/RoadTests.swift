import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import Testing

/// What no promise of all providers speaks of, driven against the emulator over real HTTP.
@Suite("Clerk's own roads")
struct RoadTests {
    @Test func signInIsOneRequest() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            let requests = try await instance.requests { _ = try await client.signIn(with: credential) }
            #expect(requests == 1)
            #expect(try await instance.requests { _ = try await client.accessToken() } == 0)
            instance.advance(by: .seconds(61))
            #expect(try await instance.requests { _ = try await client.accessToken() } == 1)
        }
    }

    @Test func knownDeviceIsNotAskedAgain() async throws {
        try await Instance.run([("CLIENT_TRUST", "true")]) { instance in
            let credential = try await instance.member()
            let store = MemorySessionStore(clock: instance.clock)
            let client = try instance.client(store)
            let step = try await client.signIn(with: credential)
            let challenge = try #require(step.challenge)
            #expect(challenge.destination == "a•••@example.com")
            _ = try await client.proceed(challenge.flow, with: .code(instance.code(for: credential.email)))
            try await client.signOut()
            let again = try instance.client(store)
            await again.restore()
            #expect(try await again.signIn(with: credential).session != nil)
            #expect(try await instance.client().signIn(with: credential).challenge != nil)
        }
    }

    @Test func sessionsElsewhereEnd() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let (here, there) = (try instance.client(), try instance.client())
            _ = try await here.signIn(with: credential)
            _ = try await there.signIn(with: credential)
            try await here.signOut(.others)
            instance.advance(by: .seconds(61))
            let error = try await refusal { try await there.accessToken() }
            #expect(error.code == .sessionRevoked)
            guard case .signedOut = there.state else {
                Issue.record("\(there.state)")
                return
            }
            _ = try await here.accessToken()
            _ = try await there.signIn(with: credential)
            try await here.signOut(.everywhere)
            instance.advance(by: .seconds(61))
            #expect(try await refusal { try await there.accessToken() }.code == .sessionRevoked)
            #expect(here.state.session == nil)
        }
    }

    @Test func bannedAndDeletedUsersAreToldAtTheRefresh() async throws {
        try await Instance.run { instance in
            for isBanned in [true, false] {
                let credential = try await instance.member(isBanned ? "ada@example.com" : "eve@example.com")
                let client = try instance.client()
                let session = try #require(try await client.signIn(with: credential).session)
                if isBanned {
                    try instance.admin.setBanned(true, session.user.id)
                } else {
                    try instance.admin.deleteUser(session.user.id)
                }
                instance.advance(by: .seconds(61))
                let code = try await refusal { try await client.accessToken() }.code
                #expect([.sessionRevoked, .userDisabled, .userDeleted].contains(code))
                #expect(client.state.session == nil)
            }
        }
    }

    @Test func deletionAsksForTheProofAndGoesOn() async throws {
        try await Instance.run([("REVERIFICATION", "true")]) { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            instance.advance(by: .seconds(700))
            #expect(try await refusal { try await client.account.delete() }.code == .reauthenticationRequired)
            let wrong = PasswordCredential(email: credential.email, password: "Wrong-Horse-1")
            #expect(try await refusal { try await client.account.reauthenticate(with: wrong) }.code == .invalidCredentials)
            let other = PasswordCredential(email: "eve@example.com", password: credential.password)
            #expect(try await refusal { try await client.account.reauthenticate(with: other) }.code == .userMismatch)
            _ = try await client.account.reauthenticate(with: credential, thenRetry: .deleteAccount)
            #expect(try instance.admin.userCount() == 0)
            #expect(client.state.session == nil)
        }
    }

    @Test func deletionThatIsSwitchedOff() async throws {
        try await Instance.run([("DELETE_SELF", "false")]) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            #expect(try await refusal { try await client.account.delete() }.code == .notEnabled)
            #expect(client.state.session != nil)
        }
    }

    @Test func newAddressTakesTheOldOnesPlace() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            let challenge = try #require(try await client.account.changeEmail(to: "countess@example.com").challenge)
            #expect(challenge.destination == "c•••@example.com")
            #expect(try await refusal { try await client.proceed(challenge.flow, with: .code("000000")) }.code == .invalidCode)
            let code = try instance.code(for: "countess@example.com")
            let step = try await client.proceed(challenge.flow, with: .code(code))
            #expect(step.session?.user.email == "countess@example.com")
            #expect(step.session?.user.identities.count == 1)
            let renamed = PasswordCredential(email: "countess@example.com", password: credential.password)
            #expect(try await instance.client().signIn(with: renamed).session != nil)
            #expect(try await refusal { try await instance.client().signIn(with: credential) }.code == .userNotFound)
        }
    }

    @Test func takenAddressIsRefused() async throws {
        try await Instance.run { instance in
            _ = try await instance.member("eve@example.com")
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            #expect(try await refusal { try await client.account.changeEmail(to: "eve@example.com") }.code == .emailAlreadyInUse)
        }
    }

    @Test func wrongCurrentPasswordChangesNothing() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            let error = try await refusal {
                try await client.account.changePassword(to: "Better-Horse-2", current: "Wrong-Horse-1")
            }
            #expect(error.code == .invalidCredentials)
            let weak = try await refusal { try await client.account.changePassword(to: "abc", current: credential.password) }
            #expect(weak.code == .weakPassword)
            #expect(weak.reasons == ["length_too_short"])
            #expect(try await instance.client().signIn(with: credential).session != nil)
        }
    }

    @Test func instanceWithoutNamesKeepsTheNameInTheUsersMetadata() async throws {
        try await Instance.run([("FIRST_NAME", "off"), ("LAST_NAME", "off")]) { instance in
            let client = try instance.client()
            let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")
            let challenge = try #require(try await client.signUp(with: credential, displayName: "Ada Lovelace").challenge)
            let step = try await client.proceed(challenge.flow, with: .code(instance.code(for: credential.email)))
            #expect(step.session?.user.displayName == "Ada Lovelace")
            try await client.account.update(displayName: "Countess")
            #expect(try await client.refreshUser().displayName == "Countess")
        }
    }

    @Test func signUpProvesNumberAndAddressAndAsksForWhatIsMissing() async throws {
        try await Instance.run([("USERNAME", "required"), ("PHONE_NUMBER", "required")]) { instance in
            let client = try instance.client()
            let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")
            var challenge = try #require(try await client.signUp(with: credential).challenge)
            var step = try await client.proceed(challenge.flow, with: .code(instance.code(for: credential.email)))
            guard case .moreInformation(let missing) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(missing.fields == [.phone, .username])
            step = try await client.proceed(
                missing.flow, with: .fields([.username: "countess", .phone: "+15551230000"]))
            challenge = try #require(step.challenge)
            #expect(challenge.channel == .sms)
            #expect(challenge.destination == "+•••0000")
            step = try await client.proceed(challenge.flow, with: .code(instance.code(for: "+15551230000")))
            #expect(step.session?.user.phone == "+15551230000")
        }
    }

    @Test func numberAloneSignsIn() async throws {
        try await Instance.run { instance in
            _ = try await instance.backend(
                .post, "/users",
                ["phone_number": ["+15551230000"], "email_address": ["ada@example.com"], "skip_password_requirement": true])
            let client = try instance.client()
            let challenge = try #require(try await client.signIn(with: .phoneCode("+15551230000")).challenge)
            #expect(challenge.channel == .sms)
            let step = try await client.proceed(challenge.flow, with: .code(instance.code(for: "+15551230000")))
            #expect(step.session?.user.phone == "+15551230000")
            #expect(
                try await refusal { try await instance.client().signIn(with: .phoneCode("+15559990000")) }.code == .userNotFound)
        }
    }

    @Test(arguments: [true, false])
    func signUpWithoutAPassword(_ isByMail: Bool) async throws {
        try await Instance.run([("PASSWORD", "off"), ("EMAIL_ADDRESS", "optional")]) { instance in
            let client = try instance.client()
            let address = isByMail ? "ada@example.com" : "+15551230000"
            let step =
                isByMail
                ? try await client.signUp(with: .emailCode(address), displayName: "Ada Lovelace")
                : try await client.signUp(with: .phoneCode(address), displayName: "Ada Lovelace")
            let challenge = try #require(step.challenge)
            #expect(challenge.flow.kind == .confirmation)
            #expect(challenge.channel == (isByMail ? .email : .sms))
            let end = try await client.proceed(challenge.flow, with: .code(instance.code(for: address)))
            #expect(end.session?.user.displayName == "Ada Lovelace")
            #expect((isByMail ? end.session?.user.email : end.session?.user.phone) == address)
        }
    }

    @Test func signUpWithoutAPasswordWhereOneIsRequired() async throws {
        try await Instance.run { instance in
            let client = try instance.client()
            let challenge = try #require(try await client.signUp(with: .emailCode("ada@example.com")).challenge)
            let step = try await client.proceed(challenge.flow, with: .code(instance.code(for: "ada@example.com")))
            guard case .moreInformation(let missing) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(missing.fields.map(\.rawValue) == ["password"])
            let password = MissingFieldsStep.Field(rawValue: "password")
            let end = try await client.proceed(missing.flow, with: .fields([password: "Correct-Horse-1"]))
            #expect(end.session?.user.email == "ada@example.com")
        }
    }

    @Test func invitationIsATicketForASignUp() async throws {
        try await Instance.run([("SIGN_UP_MODE", "restricted"), ("PASSWORD", "off")]) { instance in
            let invitation = try await instance.backend(.post, "/invitations", ["email_address": "ada@example.com"])
            let url = try #require(invitation["url"]?.string)
            let ticket = try #require(try Callback(url).parameters["ticket"])
            #expect(
                try await refusal { try await instance.client().signUp(with: .emailCode("eve@example.com")) }.code
                    == .signUpDisabled)
            let step = try await instance.client().signUp(with: .ticket(Secret(ticket)))
            #expect(step.session?.user.email == "ada@example.com")
            #expect(step.session?.user.isEmailVerified == true)
        }
    }

    @Test func accountWithoutAPasswordIsNotToldByOne() async throws {
        try await Instance.run { instance in
            _ = try await instance.backend(
                .post, "/users", ["email_address": ["ada@example.com"], "skip_password_requirement": true])
            let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")
            #expect(try await refusal { try await instance.client().signIn(with: credential) }.code == .invalidCredentials)
        }
    }

    @Test func ticketSignsInOnce() async throws {
        try await Instance.run { instance in
            _ = try await instance.member()
            let id = try #require(try instance.admin.users().first?.id)
            let ticket = try instance.admin.signInTicket(for: id)
            #expect(try await instance.client().signIn(with: .ticket(ticket)).session?.user.id == id)
            #expect(try await refusal { try await instance.client().signIn(with: .ticket(ticket)) }.code == .invalidCredentials)
        }
    }

    @Test func backupCodeIsASecondFactor() async throws {
        try await Instance.run { instance in
            let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")
            _ = try await instance.backend(
                .post, "/users",
                [
                    "email_address": ["ada@example.com"], "password": .string(credential.password.reveal()),
                    "totp_secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "backup_codes": ["abcd1234", "efgh5678"],
                ])
            let client = try instance.client()
            let step = try await client.signIn(with: credential)
            guard case .secondFactor(let second) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(second.choices.map(\.kind) == [.authenticatorApp, .backupCode])
            #expect(second.challenge?.channel == .authenticatorApp)
            #expect(try await refusal { try await client.proceed(second.flow, with: .code("000000")) }.code == .invalidCode)
            let backup = try #require(second.choices.last)
            let chosen = try await client.proceed(second.flow, with: .factor(backup))
            let flow = try #require(chosen.challenge).flow
            let end = try await client.proceed(flow, with: .code("abcd1234"))
            #expect(end.session?.assurance == .twoFactors)
        }
    }

    @Test func numberIsASecondFactorAndItsMessageWaitsForTheChoice() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let id = try #require(try instance.admin.users().first?.id)
            _ = try await instance.backend(
                .post, "/phone_numbers",
                [
                    "user_id": .string(id), "phone_number": "+15551230000", "verified": true,
                    "reserved_for_second_factor": true,
                ])
            let client = try instance.client()
            guard case .secondFactor(let second) = try await client.signIn(with: credential) else {
                Issue.record("No second factor was asked for.")
                return
            }
            #expect(instance.server.panel.outbox.shortMessages.isEmpty)
            let chosen = try await client.proceed(second.flow, with: .factor(try #require(second.choices.first)))
            let challenge = try #require(chosen.challenge)
            #expect(challenge.destination == "+•••0000")
            let end = try await client.proceed(challenge.flow, with: .code(instance.code(for: "+15551230000")))
            #expect(end.session?.assurance == .twoFactors)
        }
    }

    @Test func leakedPasswordHasToBeReplaced() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            try instance.admin.requireNewPassword(try #require(try instance.admin.users().first?.id))
            #expect(try await refusal { try await instance.client().signIn(with: credential) }.code == .credentialChanged)
        }
    }

    @Test func lockedAccountTellsItsTime() async throws {
        try await Instance.run([("LOCKOUT_ATTEMPTS", "5"), ("LOCKOUT_SECONDS", "600")]) { instance in
            let credential = try await instance.member()
            let wrong = PasswordCredential(email: credential.email, password: "Wrong-Horse-1")
            var codes: [AuthError.Code] = []
            for _ in 0..<4 { codes.append(try await refusal { try await instance.client().signIn(with: wrong) }.code) }
            #expect(codes == Array(repeating: .invalidCredentials, count: 4))
            _ = try await refusal { try await instance.client().signIn(with: wrong) }
            let locked = try await refusal { try await instance.client().signIn(with: credential) }
            #expect(locked.code == .tooManyRequests)
            guard case .after(let wait) = locked.retry else {
                Issue.record("\(locked.retry)")
                return
            }
            #expect((.seconds(590)...(.seconds(600))).contains(wait))
        }
    }
}
