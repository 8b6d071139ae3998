internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about email addresses: which addresses the client sends, and which addresses it rejects.
    public static let addresses: [Contract<World>] = [
        Contract(
            "sign-up.address-list-refused",
            "An address that contains a second address, a display name, a line break or another control character is rejected in every "
                + "call, without a request.",
            appliesTo: .claiming(.password), needs: [.trace],
            buildsOn: ["sign-up.password.address-case", "sign-up.password.malformed-address-refused"]
        ) { w in
            let (one, other) = (w.stranger().email, w.stranger().email)
            for address in [
                "\(one),\(other)", "\(one);\(other)", "\(one) \(other)", "\(one)\r\nBcc: \(other)", "\"a\" <\(other)>",
                "<\(one)>",
                "\(one)\0", "a b@example.com",
            ] {
                try await w.refusesEverywhere(address, person: w.stranger())
            }
        },

        Contract(
            "sign-up.look-alike-address",
            "A Kelvin sign, a full-width letter or `@`, a dotless i or a zero-width character never reaches another "
                + "account: such an address is rejected everywhere, without a request.",
            appliesTo: .claiming(.password), needs: [.trace],
            buildsOn: [
                "sign-in.password.completes", "sign-up.password.address-case", "sign-up.password.malformed-address-refused",
            ]
        ) { w in
            var member = w.stranger()
            member.email = "kim\(member.email)"
            for address in [
                member.email.replacing("k", with: "\u{212A}", maxReplacements: 1), member.email.replacing("@", with: "\u{FF20}"),
                member.email.replacing("i", with: "\u{131}", maxReplacements: 1),
                member.email.replacing("k", with: "\u{FF4B}", maxReplacements: 1),
                member.email.replacing("m", with: "m\u{200B}", maxReplacements: 1),
                member.email.replacing("@", with: "\u{FEFF}@"),
            ] {
                try await w.refusesEverywhere(address, person: member)
            }
        },

        Contract(
            "sign-up.password.address-spaces", "Spaces around an address are removed, in the same way by all adapters.",
            appliesTo: .claiming(.password), needs: [.mailbox], buildsOn: proving + ["sign-in.password.completes"]
        ) { w in
            let person = w.stranger()
            let client = w.client()
            let spaced = PasswordCredential.password(email: "  \(person.email)\t ", password: person.password)
            let session = try await w.prove(client, client.signUp(with: spaced), of: person)
            w.expect(session.user.email == person.email, "the account has a different address")
            let member = try await w.member()
            let again = w.client()
            let step = try await again.signIn(with: .password(email: " \(member.email) ", password: member.password))
            w.expect(
                try await w.prove(again, step, of: member).user.email == member.email,
                "a sign-in with spaces around the address returned another user")
        },

        Contract(
            "sign-up.address-left-to-backend",
            "The backend decides whether any other address is valid: letters of any script, international domains, tags "
                + "and quoted names are sent.",
            appliesTo: .claiming(.password), needs: [.trace]
        ) { w in
            let tag = w.environment.randomness.text(8, of: "abcdefghijkmnpqrstuvwxyz")
            for address in [
                "\(tag)+tag@example.com", "müller\(tag)@example.com", "\(tag)@bücher.example", "用户\(tag)@例え.jp",
                "\"\(tag),x\"@example.com", "o'brien\(tag)@sub.example.co.uk", "\(tag)@xn--bcher-kva.example",
            ] {
                try await w.expectRequests(1...9, "a sign-in with \(address)") {
                    do throws(AuthError) {
                        _ = try await w.client().signIn(with: .password(email: address, password: w.stranger().password))
                    } catch {
                        // The contract does not check the backend's response.
                    }
                }
            }
        },

        Contract(
            "sign-up.international-domain",
            "A domain in any script and its ASCII form (Punycode) belong to one account, also in capital letters. A "
                + "look-alike in another script belongs to another account.",
            appliesTo: .claiming(.password), needs: [.mailbox],
            buildsOn: proving + [
                "sign-in.password.completes", "sign-up.password.address-case", "sign-up.address-left-to-backend",
            ]
        ) { w in
            var person = w.stranger()
            let name = person.email.prefix { $0 != "@" }
            person.email = "\(name)@xn--bcher-kva.example"
            func credential(_ domain: String) -> PasswordCredential {
                .password(email: "\(name)@\(domain)", password: person.password)
            }
            let client = w.client()
            let made = try await w.prove(client, client.signUp(with: credential("b\u{FC}cher.example")), of: person)
            for domain in ["xn--bcher-kva.example", "b\u{FC}cher.example", "B\u{DC}CHER.example"] {
                let again = w.client()
                let session = try await w.prove(again, again.signIn(with: credential(domain)), of: person)
                w.expect(session.user.id == made.user.id, "\(domain) belongs to another account")
            }
            // A Cyrillic letter "es", and a letter with a separate accent mark, which some systems would combine.
            for domain in ["b\u{FC}\u{441}her.example", "bu\u{308}cher.example"] {
                do throws(any Error) {
                    let step = try await w.client().signIn(with: credential(domain))
                    w.expect(step.session == nil, "\(domain) signs in to the account of another domain")
                } catch is AuthError {
                    // No user has this address, or the address is invalid.
                }
            }
        },

        Contract(
            "sign-up.stays-usable",
            "If a sign-up throws, it has created no account, or the error reports the account in `completed` and a sign-in continues from "
                + "there.",
            appliesTo: .claiming(.password), needs: [.faults, .mailbox, .administrator],
            buildsOn: proving + ["sign-up.interrupted", "sign-in.password.completes"]
        ) { w in
            var interruptions = 0
            for skipped in 0...6 {
                let person = w.stranger()
                try await w.fail(with: .status(503, retryAfter: nil), skipping: skipped, times: 1)
                let client = w.client()
                do throws(AuthError) {
                    _ = try await client.signUp(with: person.credential, displayName: person.name)
                    break
                } catch {
                    try await w.heal()
                    guard !error.completed.isEmpty else {
                        let users = try await w.administrator().users()
                        w.expect(
                            users.allSatisfy { $0.email != person.email },
                            "the sign-up created an account, and the error does not report it")
                        continue
                    }
                    interruptions += 1
                    w.expect(!error.remedies.isEmpty, "the error contains no remedy")
                }
                let session = try await w.prove(client, client.signIn(with: person.credential), of: person)
                w.expect(session.user.email == person.email, "a sign-in does not continue the sign-up")
            }
            try await w.heal()
            if interruptions == 0 { throw NotApplicable("a sign-up is a single request on this backend") }
        },
    ]
}

extension World {
    /// Checks that every call with an address parameter rejects `address` as `invalidEmail`, without a request.
    fileprivate func refusesEverywhere(_ address: String, person: Person, line: Int = #line) async throws {
        let client = self.client()
        let password = person.password
        try await expectRequests(0...0, "the address \(address.debugDescription)", line: line) {
            await refused(.invalidEmail, of: "a sign-up with \(address.debugDescription)", line: line) {
                () async throws(AuthError) in
                try await client.signUp(with: .password(email: address, password: password))
            }
            await refused(.invalidEmail, of: "a sign-in with \(address.debugDescription)", line: line) {
                () async throws(AuthError) in
                try await client.signIn(with: .password(email: address, password: password))
            }
            if can(.passwordReset) {
                await refused(.invalidEmail, of: "a reset for \(address.debugDescription)", line: line) {
                    () async throws(AuthError) in
                    try await client.requestPasswordReset(email: address)
                }
            }
            if can(.emailLinkSignIn) {
                await refused(.invalidEmail, of: "a link for \(address.debugDescription)", line: line) {
                    () async throws(AuthError) in
                    try await client.signIn(with: .emailLink(address))
                }
            }
            if can(.emailCodeSignIn) {
                await refused(.invalidEmail, of: "a code for \(address.debugDescription)", line: line) {
                    () async throws(AuthError) in
                    try await client.signIn(with: .emailCode(address))
                }
            }
            if can(.emailChange) {
                await refused(.invalidEmail, of: "a change to \(address.debugDescription)", line: line) {
                    () async throws(AuthError) in
                    try await client.changeEmail(to: address)
                }
            }
        }
    }
}
