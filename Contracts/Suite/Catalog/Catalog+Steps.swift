internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the steps of a sign-in after its first factor.
    static let steps: [Contract<World>] = [
        Contract(
            "sign-in.second-factor.required",
            "A user with a second factor is not signed in before that factor's code is entered. The code then signs in that user.",
            appliesTo: .claiming([.secondFactor, .password]), needs: [.administrator, .mailbox], buildsOn: entering
        ) { w in
            let device = w.device()
            let client = device.launch()
            let (_, userID, factor, step) = try await w.memberAtSecondFactor(client)
            await w.expectSignedOut(client, "before the second factor")
            w.expect(try await !device.hasStoredSession(), "the store contains a session before the second factor")
            w.expect(step.choices.contains { $0.kind == factor.kind }, "the step does not offer the user's own factor")
            let flow = try await w.choose(client, factor.kind, of: step)
            await w.expectSignedOut(client, "after the choice of a factor")
            let end = try await client.respond(to: flow, with: .code(try await w.code(of: factor)))
            try await w.expectGenuine(end, of: userID, client, "the second factor")
        },

        Contract(
            "sign-in.second-factor.wrong-then-right",
            "A wrong code of a second factor is rejected, and the right one completes the sign-in. After a resend, that is "
                + "the newest code.",
            appliesTo: .claiming([.secondFactor, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: ["sign-in.second-factor.required"]
        ) { w in
            let client = w.client()
            let (_, userID, factor, step) = try await w.memberAtSecondFactor(client)
            let flow = try await w.choose(client, factor.kind, of: step)
            let code = try await w.code(of: factor)
            for _ in 0..<2 {
                await w.refused(.invalidCode, of: "a wrong code") { () async throws(AuthError) in
                    try await client.respond(to: flow, with: .code(code.wrong))
                }
                await w.expectSignedOut(client, "after a wrong code")
            }
            var newest = code
            if let challenge = client.pending?.challenge, challenge.resendAvailableAt != nil {
                _ = try await w.sendAgain(client, challenge)
                newest = try await w.code(of: factor)
            }
            let end = try await client.respond(to: flow, with: .code(newest))
            try await w.expectGenuine(end, of: userID, client, "the right code")
        },

        Contract(
            "sign-in.second-factor.late",
            "A second factor that is entered after an access token of the first factor has expired completes the sign-in, or fails with "
                + "the advice to start again.",
            appliesTo: .claiming([.secondFactor, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: ["sign-in.second-factor.required"]
        ) { w in
            let life = try await w.signedIn().1.lifetime.life
            let client = w.client()
            let (person, userID, factor, step) = try await w.memberAtSecondFactor(client)
            func enter(_ step: SecondFactorStep) async throws -> AuthStep {
                let flow = try await w.choose(client, factor.kind, of: step)
                return try await client.respond(to: flow, with: .code(try await w.code(of: factor)))
            }
            try await w.advance(by: life + .seconds(1))
            let end: AuthStep
            do {
                end = try await enter(step)
            } catch let error as AuthError {
                w.expectNewStart(error, "the second factor")
                end = try await enter(try await w.secondFactor(client, of: person))
            }
            try await w.expectGenuine(end, of: userID, client, "the late second factor")
        },

        Contract(
            "account.factor.enrol-and-remove",
            "A new second factor is valid after its first right code is entered, and no longer after its removal.",
            appliesTo: .claiming([.factorEnrolment, .secondFactor, .password]),
            needs: [.authenticators, .administrator, .mailbox, .clock],
            buildsOn: ["sign-in.second-factor.required"]
        ) { w in
            let apps = try w.need(w.environment.authenticators, "the harness has no authenticator apps")
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let client = w.client()
            try await w.enter(client, person)
            /// Signs in on a new device with the password only, and returns the next step.
            func entry() async throws -> AuthStep {
                let other = w.client()
                return try await w.proveWhatIsMailed(other, other.signIn(with: person.credential), of: person)
            }
            let enrolment = try await client.addFactor(NewFactor(.authenticatorApp))
            let key = try w.require(enrolment.key, "the enrollment has no key for the app")
            let code = try await apps.code(for: key)
            await w.refused(.invalidCode, of: "a wrong first code") { () async throws(AuthError) in
                try await client.respond(to: enrolment.challenge.flow, with: .code(code.wrong))
            }
            w.expect(try await client.factors().isEmpty, "the list contains a factor before its first right code")
            w.expect(try await entry().session != nil, "the backend requires a factor before its first right code")
            let end = try await client.respond(to: enrolment.challenge.flow, with: .code(code))
            try await w.expectGenuine(end, of: userID, client, "the first right code")
            let factors = try await client.factors()
            w.expect(
                factors.map(\.kind) == [.authenticatorApp], "after the first right code the factors are \(factors.map(\.kind))")

            // The app shows a new code by then. A backend may accept each code only once.
            try await w.advance(by: .seconds(60))
            let second = w.client()
            let step = try await w.secondFactor(second, of: person)
            let flow = try await w.choose(second, .authenticatorApp, of: step)
            let proven = try await second.respond(to: flow, with: .code(try await apps.code(for: key)))
            try await w.expectGenuine(proven, of: userID, second, "the added factor")

            let factor = try w.require(try await second.factors().first, "the added factor is not listed")
            try await second.removeFactor(factor)
            w.expect(try await second.factors().isEmpty, "the list contains a removed factor")
            w.expect(try await entry().session != nil, "the backend requires a removed factor")
        },

        Contract(
            "sign-in.second-factor.backup-once",
            "A backup code replaces the second factor once, and the next backup code still works.",
            appliesTo: .claiming([.backupCode, .password]), needs: [.administrator, .mailbox],
            buildsOn: ["sign-in.second-factor.required"]
        ) { w in
            let first = w.client()
            let (person, userID, factor, step) = try await w.memberAtSecondFactor(first)
            guard factor.backupCodes.count > 1 else {
                throw EnvironmentError("the administrator's API does not create two backup codes")
            }
            func give(_ number: Int, _ client: any PortableClient, _ step: SecondFactorStep) async throws -> AuthStep {
                let flow = try await w.choose(client, .backupCode, of: step)
                return try await client.respond(to: flow, with: .code(factor.backupCodes[number]))
            }
            try await w.expectGenuine(try await give(0, first, step), of: userID, first, "the backup code")
            let second = w.client()
            let next = try await w.secondFactor(second, of: person)
            let flow = try await w.choose(second, .backupCode, of: next)
            await w.refused(.invalidCode, .codeUsed, of: "the used backup code") { () async throws(AuthError) in
                try await second.respond(to: flow, with: .code(factor.backupCodes[0]))
            }
            await w.expectSignedOut(second, "after the used backup code")
            let end = try await second.respond(to: flow, with: .code(factor.backupCodes[1]))
            try await w.expectGenuine(end, of: userID, second, "the second backup code")
        },

        Contract(
            "sign-in.step.new-password",
            "If a user must choose a new password, the sign-in returns that step, or its error names a reset that returns it. A weak "
                + "password is rejected without losing the step, and the new one signs in.",
            appliesTo: .claiming([.newPasswordStep, .password]), needs: [.administrator, .mailbox],
            buildsOn: entering + ["reset.completes"]
        ) { w in
            var person = try await w.member()
            let old = person.credential
            let userID = try await w.userID(of: person)
            try await w.administrator().demandNewPassword(of: userID)
            let client = w.client()
            var step: AuthStep
            do throws(AuthError) {
                step = try await client.signIn(with: old)
            } catch {
                w.expect(error.code == .credentialChanged, "the sign-in failed with \(error.code)")
                w.expect(!error.remedies.isEmpty, "the error contains no remedy")
                step = try await client.requestPasswordReset(email: person.email)
            }
            step = try await w.proveWhatIsMailed(client, step, of: person)
            guard case .newPassword(let entry) = step else { return w.found("the sign-in returned \(step.kind)", line: #line) }
            await w.expectSignedOut(client, "before the new password")
            await w.refused(.weakPassword, of: "a weak new password") { () async throws(AuthError) in
                try await client.respond(to: entry.flow, with: .newPassword("abc"))
            }
            person.password = w.stranger().password
            let end = try await client.respond(to: entry.flow, with: .newPassword(person.password))
            try await w.expectGenuine(end, of: userID, client, "the new password")
            w.expect(try await w.enter(w.client(), person).user.id == userID, "the new password signs in another user")
            await w.refused(.invalidCredentials, of: "the old password") { () async throws(AuthError) in
                try await w.client().signIn(with: old)
            }
        },

        Contract(
            "sign-in.step.more-information", "A step names the missing fields, and completes when they are filled in.",
            appliesTo: .claiming([.requirements, .password]), needs: [.administrator, .mailbox], buildsOn: proving
        ) { w in
            try await w.administrator().demand(.lastName)
            let person = w.stranger()
            let client = w.client()
            let step = try await w.proveWhatIsMailed(client, client.signUp(with: person.credential), of: person)
            guard case .moreInformation(let missing) = step else {
                return w.found("the sign-up returned \(step.kind)", line: #line)
            }
            w.expect(missing.fields == [.lastName], "the fields are \(missing.fields.map(\.rawValue))")
            await w.expectSignedOut(client, "before the fields")
            let next = try await client.respond(to: missing.flow, with: .fields([.lastName: "Lovelace"]))
            let end = try await w.proveWhatIsMailed(client, next, of: person)
            let session = try await w.expectGenuine(end, of: try await w.userID(of: person), client, "the fields")
            w.expect(session.user.displayName?.contains("Lovelace") == true, "the user does not have the field")
        },

        Contract(
            "sign-in.step.abandoned",
            "A new flow replaces the old one. The old flow accepts no answer, and an answer in progress has no effect.",
            appliesTo: .claiming([.password, .confirmationCode]), when: .proofIsRequired, needs: [.mailbox, .faults, .trace],
            buildsOn: proving + ["verification.code.completes"]
        ) { w in
            let (first, second) = (w.stranger(), w.stranger())
            let client = w.client()
            let old = try await w.challenge(of: first, client)
            let code = try await w.code(for: first.email)
            try await w.fail(with: .hang, times: 1)
            let late = Task {
                await result(of: { () async throws(AuthError) in try await client.respond(to: old.flow, with: .code(code)) })
            }
            try await w.untilHanging(1)
            let new = try await w.challenge(of: second, client)
            try await w.heal()
            try await w.release()
            if case .success(let step)? = await w.soon({ await late.value }) {
                w.found("the late answer returned \(step.kind)", line: #line)
            }
            w.expect(client.state.session?.user.email != first.email, "the late answer signed in its user")
            w.expect(client.pending?.flow?.id == new.flow.id, "the newer flow is no longer pending")
            try await w.expectRequests(0...0, "an answer to the replaced flow") {
                await w.refused(.flowAbandoned, .flowNotFound, of: "an answer to the replaced flow") {
                    () async throws(AuthError) in
                    try await client.respond(to: old.flow, with: .code("000000"))
                }
            }
            let end = try await w.prove(client, .verify(new), of: second)
            w.expect(end.user.email == second.email, "the newer flow signs in another user")
        },
    ]
}
