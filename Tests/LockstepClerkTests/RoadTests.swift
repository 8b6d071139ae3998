import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Features that no contract of all providers covers, tested on the emulator over real HTTP.
@Suite("Clerk's sign-in methods", .limitedConcurrency)
struct RoadTests {
    @Test func signInSendsOneRequest() async throws {
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

    @Test func knownDeviceNeedsNoCode() async throws {
        try await Instance.run([("CLIENT_TRUST", "true")]) { instance in
            let credential = try await instance.member()
            let store = MemorySessionStore(clock: instance.clock)
            let client = try instance.client(store)
            let step = try await client.signIn(with: credential)
            let challenge = try #require(step.challenge)
            #expect(challenge.destination == "a•••@example.com")
            _ = try await client.respond(to: challenge.flow, with: .code(instance.code(for: credential.email)))
            try await client.signOut()
            let again = try instance.client(store)
            await again.restore()
            #expect(try await again.signIn(with: credential).session != nil)
            #expect(try await instance.client().signIn(with: credential).challenge != nil)
        }
    }

    @Test func otherSessionsEnd() async throws {
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

    @Test func refreshReportsBannedAndDeletedUsers() async throws {
        try await Instance.run { instance in
            for isBanned in [true, false] {
                let credential = try await instance.member(isBanned ? "ada@example.com" : "eve@example.com")
                let client = try instance.client()
                let session = try #require(try await client.signIn(with: credential).session)
                if isBanned {
                    try await instance.admin.setDisabled(true, of: session.user.id)
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

    @Test func numberAloneSignsIn() async throws {
        try await Instance.run { instance in
            _ = try await instance.backend(
                .post, "/users",
                ["phone_number": ["+15551230000"], "email_address": ["ada@example.com"], "skip_password_requirement": true])
            let client = try instance.client()
            let challenge = try #require(try await client.signIn(with: .phoneCode("+15551230000")).challenge)
            #expect(challenge.channel == .sms)
            let step = try await client.respond(to: challenge.flow, with: .code(instance.code(for: "+15551230000")))
            #expect(step.session?.user.phone == "+15551230000")
            #expect(
                try await refusal { try await instance.client().signIn(with: .phoneCode("+15559990000")) }.code == .userNotFound)
        }
    }

    @Test func accountWithoutAPasswordIsNotRevealed() async throws {
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
            #expect(try await refusal { try await client.respond(to: second.flow, with: .code("000000")) }.code == .invalidCode)
            let backup = try #require(second.choices.last)
            let chosen = try await client.respond(to: second.flow, with: .factor(backup))
            let flow = try #require(chosen.challenge).flow
            let end = try await client.respond(to: flow, with: .code("abcd1234"))
            #expect(end.session?.assurance == .twoFactors)
        }
    }

    @Test func secondFactorSMSIsSentAfterTheChoice() async throws {
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
            let chosen = try await client.respond(to: second.flow, with: .factor(try #require(second.choices.first)))
            let challenge = try #require(chosen.challenge)
            #expect(challenge.destination == "+•••0000")
            let end = try await client.respond(to: challenge.flow, with: .code(instance.code(for: "+15551230000")))
            #expect(end.session?.assurance == .twoFactors)
        }
    }

    @Test func passwordResetEndsOtherSessions() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let (here, there) = (try instance.client(), try instance.client())
            _ = try await there.signIn(with: credential)
            let challenge = try #require(try await here.requestPasswordReset(email: credential.email).challenge)
            guard
                case .newPassword(let step) = try await here.respond(
                    to:
                        challenge.flow, with: .code(instance.code(for: credential.email)))
            else { throw AuthError(.unknown, "The code leads to no new password.") }
            #expect(step.reason == .reset)
            #expect(try await here.respond(to: step.flow, with: .newPassword("Better-Horse-2")).session != nil)
            instance.advance(by: .seconds(61))
            #expect(try await refusal { try await there.accessToken() }.code == .sessionRevoked)
        }
    }

    @Test func leakedPasswordMustBeReplaced() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            try instance.admin.requireNewPassword(try #require(try instance.admin.users().first?.id))
            #expect(try await refusal { try await instance.client().signIn(with: credential) }.code == .credentialChanged)
            // Another sign-in method ends in a session that waits for the new password. No user is signed in.
            let client = try instance.client()
            let challenge = try #require(try await client.signIn(with: .emailCode(credential.email)).challenge)
            let step = try await client.respond(to: challenge.flow, with: .code(instance.code(for: credential.email)))
            guard case .other(let other) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(other.status == "reset-password")
            #expect(client.state.session == nil)
        }
    }

    @Test func lockedAccountReportsItsDuration() async throws {
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
