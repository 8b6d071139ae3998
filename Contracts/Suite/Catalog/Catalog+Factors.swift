internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about second factors: those of different users, and several of one user.
    static let factors: [Contract<World>] = [
        Contract(
            "sign-in.second-factor.own-only",
            "The code and the backup code of another user's second factor are rejected, and still work for that user.",
            appliesTo: .claiming([.secondFactor, .password]), needs: [.administrator, .mailbox],
            buildsOn: [
                "sign-in.second-factor.required", "sign-in.second-factor.wrong-then-right", "sign-in.second-factor.backup-once",
            ]
        ) { w in
            let (near, far) = (w.client(), w.client())
            let own = try await w.memberAtSecondFactor(near)
            var foreign = try await w.memberAtSecondFactor(far)
            // Both users may get the same phone. Then try again.
            for _ in 0..<3 where foreign.factor.phone != nil && foreign.factor.phone == own.factor.phone {
                foreign = try await w.memberAtSecondFactor(far)
            }
            let theirFlow = try await w.choose(far, foreign.factor.kind, of: foreign.step)
            let theirCode = try await w.code(of: foreign.factor)
            var flow = try await w.choose(near, own.factor.kind, of: own.step)
            await w.refused(.invalidCode, of: "the code of another user") { () async throws(AuthError) in
                try await near.respond(to: flow, with: .code(theirCode))
            }
            await w.expectSignedOut(near, "after another user's code")
            if w.can(.backupCode), let backup = foreign.factor.backupCodes.first {
                flow = try await w.choose(near, .backupCode, of: own.step)
                await w.refused(.invalidCode, .codeUsed, of: "the backup code of another user") { () async throws(AuthError) in
                    try await near.respond(to: flow, with: .code(backup))
                }
                await w.expectSignedOut(near, "after another user's backup code")
                flow = try await w.choose(near, own.factor.kind, of: own.step)
            }
            let end = try await near.respond(to: flow, with: .code(try await w.code(of: own.factor)))
            try await w.expectGenuine(end, of: own.userID, near, "the user's own code")
            let theirEnd = try await far.respond(to: theirFlow, with: .code(theirCode))
            try await w.expectGenuine(theirEnd, of: foreign.userID, far, "the other user's own code")
        },

        Contract(
            "account.factor.several",
            "Each of several second factors is listed with its label, and each code works only for its own factor. A "
                + "removal removes the named factor.",
            appliesTo: .claiming([.factorEnrolment, .secondFactor, .password]), when: .appsAreSeveral,
            needs: [.authenticators, .administrator, .mailbox, .clock],
            buildsOn: ["account.factor.enrol-and-remove", "sign-in.second-factor.wrong-then-right"],
            declares: Declaration("authenticatorApps")
        ) { w in
            let (person, userID, client, apps) = try await w.memberWithApps()
            let labels = ["My phone + 1", "Büro & \"Laptop\""]
            var keys: [Secret] = []
            for label in labels {
                // The app shows a new code by then. A backend may accept each code only once.
                try await w.advance(by: .seconds(60))
                let enrolment = try await client.addFactor(.authenticatorApp(label: label))
                let key = try w.require(enrolment.key, "the enrollment has no key for the app")
                let uri = enrolment.uri?.reveal() ?? ""
                w.expect(
                    uri.hasPrefix("otpauth://") && uri.contains(key.reveal()), "the address for the app does not contain the key")
                let code = try await apps.code(for: key)
                _ = try await client.respond(to: enrolment.challenge.flow, with: .code(code))
                keys.append(key)
            }
            let factors = try await client.factors()
            w.expect(
                factors.compactMap(\.label).sorted() == labels.sorted(), "the labels of the factors are \(factors.map(\.label))")
            w.expect(factors.allSatisfy { $0.kind == .authenticatorApp }, "the kinds of the factors are \(factors.map(\.kind))")

            try await w.advance(by: .seconds(60))
            for (place, label) in labels.enumerated() {
                let other = w.client()
                let step = try await w.secondFactor(other, of: person)
                let choice = try w.require(step.choices.first { $0.label == label }, "the factor \(label) cannot be chosen")
                let next = try await other.respond(to: step.flow, with: .factor(choice))
                let challenge = try w.require(next.challenge, "the choice returned \(next.kind)")
                let (right, wrong) = (try await apps.code(for: keys[place]), try await apps.code(for: keys[1 - place]))
                await w.refused(.invalidCode, of: "the code of the user's other app") { () async throws(AuthError) in
                    try await other.respond(to: challenge.flow, with: .code(wrong))
                }
                let end = try await other.respond(to: challenge.flow, with: .code(right))
                try await w.expectGenuine(end, of: userID, other, "the chosen app")
            }

            let named = try w.require(factors.first { $0.label == labels[0] }, "the first app is not listed")
            try await client.removeFactor(named)
            w.expect(try await client.factors().map(\.label) == [labels[1]], "the call removed another factor than the given one")
            try await w.advance(by: .seconds(60))
            let last = w.client()
            let step = try await w.secondFactor(last, of: person)
            w.expect(step.choices.compactMap(\.label) == [labels[1]], "the removed factor can still be chosen")
            let flow = try await w.choose(last, .authenticatorApp, of: step)
            let end = try await last.respond(to: flow, with: .code(try await apps.code(for: keys[1])))
            try await w.expectGenuine(end, of: userID, last, "the app that remains")
        },

        Contract(
            "account.factor.one-app",
            "If a user can have only one authenticator app, a second app is rejected and the first still works. After the removal of the "
                + "first, another app can be added.",
            appliesTo: .claiming([.factorEnrolment, .secondFactor, .password]), when: .appIsOne,
            needs: [.authenticators, .administrator, .mailbox, .clock], buildsOn: ["account.factor.enrol-and-remove"],
            declares: Declaration("authenticatorApps")
        ) { w in
            let (person, userID, client, apps) = try await w.memberWithApps()
            let first = try await w.addApp(client, apps)
            await w.refused(.invalidInput, of: "a second app") { () async throws(AuthError) in
                try await client.addFactor(.authenticatorApp())
            }
            w.expect(
                try await client.factors().map(\.kind) == [.authenticatorApp],
                "after the rejection the user has different factors")

            // The app shows a new code by then. A backend may accept each code only once.
            try await w.advance(by: .seconds(60))
            let second = w.client()
            let flow = try await w.choose(second, .authenticatorApp, of: try await w.secondFactor(second, of: person))
            let end = try await second.respond(to: flow, with: .code(try await apps.code(for: first)))
            try await w.expectGenuine(end, of: userID, second, "the first app")

            try await second.removeFactor(try w.require(try await second.factors().first, "the first app is not listed"))
            let next = try await w.addApp(second, apps)
            w.expect(next != first, "the second app has the key of the first app")
            w.expect(try await second.factors().count == 1, "the second app is not listed")
        },

        Contract(
            "account.factor.assurance",
            "If a user adds a second factor in a session, the session has two factors immediately, or only after a sign-in with that "
                + "factor, as declared.",
            appliesTo: .claiming([.factorEnrolment, .secondFactor, .password]),
            needs: [.authenticators, .administrator, .mailbox, .clock], buildsOn: ["account.factor.enrol-and-remove"],
            declares: Declaration("addedFactor")
        ) { w in
            let apps = try w.need(w.environment.authenticators, "the harness has no authenticator apps")
            let (client, before) = try await w.signedIn()
            _ = try await w.addApp(client, apps)
            let expected = w.behavior.addedFactor == .countsAtOnce ? .twoFactors : before.assurance
            for when in ["the first code", "a refresh"] {
                let session = try w.require(client.state.session, "after \(when) no user is signed in")
                w.expect(
                    session.assurance == expected, "after \(when) the assurance of the session is \(session.assurance.rawValue)")
                try await w.outliveToken(of: session)
                _ = try await client.accessToken()
            }
        },

        Contract(
            "account.factor.phone",
            "A phone becomes a second factor with its first right code (also a resent one), and stays one until its removal. It is never "
                + "a sign-in method. If phones are offered, only a project's setting can reject them.",
            appliesTo: .claiming([.factorEnrolment, .secondFactor, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: ["account.factor.enrol-and-remove"],
            unwatched: [.waitsTellTruth: "the SMS of a second factor has different times, which no harness reports"]
        ) { w in
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let (client, number) = (w.client(), w.number())
            try await w.enter(client, person)
            let canBeHad = try await w.administrator().allowPhones()
            let begun = await result(of: { () async throws(AuthError) in
                try await client.addFactor(.phone(number, label: "My phone"))
            })
            if let error = begun.failure {
                let isOffered = client.factorKinds.contains(.phone)
                let codes: [AuthError.Code] = isOffered ? [.notEnabled] : [.unsupported, .notEnabled]
                w.expect(!isOffered || !canBeHad, "the backend rejected a phone, although the project allows it")
                w.expect(codes.contains(error.code), "adding a phone failed with \(error)")
                w.expect(try await client.factors().isEmpty, "the list contains a rejected phone")
                return
            }
            var challenge = try begun.get().challenge
            w.expect(challenge.channel == .sms && challenge.accepts.contains(.code), "adding a phone requires no SMS code")
            var code = try await w.code(for: number)
            if challenge.resendAvailableAt != nil {
                challenge = try await w.sendAgain(client, challenge)
                w.expect(try await w.messages(to: number).count == 2, "no second SMS arrived")
                code = try await w.code(for: number)
            }
            await w.refused(.invalidCode, of: "a wrong first code") { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .code(code.wrong))
            }
            w.expect(try await client.factors().isEmpty, "the list contains a phone before its first right code")
            let end = try await client.respond(to: challenge.flow, with: .code(code))
            try await w.expectGenuine(end, of: userID, client, "the first right code")
            w.expect(try await client.factors().map(\.kind) == [.phone], "the phone is not listed")
            try await w.expectNoWayIn(byCodeTo: number, of: userID, "as a second factor")

            try await w.advance(by: .seconds(90))
            let other = w.client()
            let flow = try await w.choose(other, .phone, of: try await w.secondFactor(other, of: person))
            let entered = try await other.respond(to: flow, with: .code(try await w.code(for: number)))
            try await w.expectGenuine(entered, of: userID, other, "the phone")

            try await other.removeFactor(try w.require(try await other.factors().first, "the phone is not listed"))
            w.expect(try await other.factors().isEmpty, "the list contains the phone after its removal")
            try await w.enter(w.client(), person)
            try await w.expectNoWayIn(byCodeTo: number, of: userID, "after its removal")
        },

        Contract(
            "account.factor.backup-codes",
            "Each new backup code replaces the second factor once, and the earlier codes no longer work. A user without a second factor "
                + "gets no backup codes.",
            appliesTo: .claiming([.backupCodeRenewal, .backupCode, .factorEnrolment, .password]),
            needs: [.authenticators, .administrator, .mailbox, .clock],
            buildsOn: ["account.factor.enrol-and-remove", "sign-in.second-factor.backup-once"]
        ) { w in
            let (person, userID, client, apps) = try await w.memberWithApps()
            await w.refused(.secondFactorRequired, of: "backup codes without a second factor") { () async throws(AuthError) in
                try await client.renewBackupCodes()
            }
            try await w.addApp(client, apps)

            let former = try await client.renewBackupCodes()
            let codes = try await client.renewBackupCodes()
            w.expect(
                codes.count > 1 && Set(codes).count == codes.count, "there are \(codes.count) codes, or some codes are equal")
            w.expect(Set(codes).isDisjoint(with: former), "a new backup code is the same as an earlier one")
            w.expect(try await client.factors().map(\.kind) == [.authenticatorApp], "the list of factors contains backup codes")
            let (first, second) = (
                try w.require(codes.first, "the backend returned no backup codes"),
                try w.require(codes.dropFirst().first, "the backend returned fewer than two backup codes")
            )
            let spent = try w.require(former.first, "there are no earlier backup codes")

            let other = w.client()
            let flow = try await w.choose(other, .backupCode, of: try await w.secondFactor(other, of: person))
            await w.refused(.invalidCode, .codeUsed, of: "an earlier backup code") { () async throws(AuthError) in
                try await other.respond(to: flow, with: .code(spent))
            }
            await w.expectSignedOut(other, "after an earlier backup code")
            let end = try await other.respond(to: flow, with: .code(first))
            try await w.expectGenuine(end, of: userID, other, "the new backup code")
            let again = w.client()
            let asked = try await w.choose(again, .backupCode, of: try await w.secondFactor(again, of: person))
            await w.refused(.invalidCode, .codeUsed, of: "the used backup code") { () async throws(AuthError) in
                try await again.respond(to: asked, with: .code(first))
            }
            let last = try await again.respond(to: asked, with: .code(second))
            try await w.expectGenuine(last, of: userID, again, "the second backup code")
        },
    ]
}

extension World {
    /// Checks that an SMS code to a number does not sign this user in.
    ///
    /// The number may belong to no account or to another account.
    fileprivate func expectNoWayIn(
        byCodeTo number: String, of userID: String, _ when: String, line: Int = #line
    ) async throws {
        guard can(.phoneCode) else { return }
        // A backend limits how often it sends messages to one number.
        try await advance(by: .seconds(90))
        let client = client()
        let sent = try await messages(to: number).count
        let begun = await result(of: { () async throws(AuthError) in try await client.signIn(with: .phoneCode(number)) })
        if let challenge = begun.value?.challenge, try await messages(to: number).count > sent {
            let code = try await code(for: number)
            _ = await result(of: { () async throws(AuthError) in
                try await client.respond(to: challenge.flow, with: .code(code))
            })
        }
        expect(client.state.session?.user.id != userID, "\(when) the number alone signs in the user", line: line)
    }
}
