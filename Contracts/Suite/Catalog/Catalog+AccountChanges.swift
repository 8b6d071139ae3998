internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about changes of an account: which data a change affects, and which data it leaves alone.
    static let accountChanges: [Contract<World>] = [
        Contract(
            "account.update.keeps-the-rest",
            "A change of name, photo or metadata replaces only what it contains, and the rest stays: immediately, after a "
                + "reload, and after a relaunch.",
            appliesTo: .claimingAny([.displayName, .photo, .userMetadata]),
            buildsOn: ["account.update.display-name", "account.update.photo", "account.update.metadata"]
        ) { w in
            let parts = [Capability.displayName, .photo, .userMetadata].filter(w.can)
            guard parts.count > 1 else { throw NotApplicable("only one part of the user can be changed") }
            let device = w.device()
            let (client, _) = try await w.signedIn(on: device)
            var expected = OwnProfile()
            for number in Int64(1)...2 {
                for part in parts {
                    let user: User
                    switch part {
                    case .displayName:
                        expected.name = "Grace \(number) Hopper"
                        user = try await client.update(displayName: expected.name, photoURL: nil)
                    case .photo:
                        expected.photo = "https://example.com/grace.png?size=\(number)&round=yes"
                        user = try await client.update(displayName: nil, photoURL: expected.photo)
                    default:
                        expected.number = number
                        let members: JSONObject = ["lockstep_number": .int(number)]
                        user = try await client.update(
                            metadata: number > 1 ? members : ["lockstep_number": 1, "lockstep_note": "kept"])
                    }
                    expected.compare(user, "immediately after a change of the \(part)", in: w)
                    expected.compare(try await client.refreshUser(), "after a change of the \(part) and a reload", in: w)
                }
            }
            let again = device.launch()
            await again.restore()
            if let user = again.state.session?.user {
                expected.compare(user, "after a relaunch", in: w)
            } else {
                w.found("after a relaunch the state is \(again.state.kind)", line: #line)
            }
        },

        Contract(
            "account.update.keeps-other-devices",
            "A change of name, photo or metadata keeps what another device has changed meanwhile.",
            appliesTo: .claimingAny([.displayName, .photo, .userMetadata]),
            buildsOn: entering + ["account.update.keeps-the-rest"]
        ) { w in
            let parts = [Capability.displayName, .photo, .userMetadata].filter(w.can)
            guard w.can(.password), parts.count > 1 || parts == [.userMetadata] else {
                throw NotApplicable("only one part of the user can be changed")
            }
            let person = try await w.member()
            let (here, there) = (w.client(), w.client())
            try await w.enter(here, person)
            try await w.enter(there, person)
            // In the second round, each device has an older value of what the other one changes.
            for round in 1...2 {
                for part in parts {
                    for other in parts where other != part || part == .userMetadata {
                        let (theirs, ours) = ("there \(part) \(other) \(round)", "here \(part) \(other) \(round)")
                        try await there.change(other, to: theirs, "lockstep_there")
                        try await here.change(part, to: ours, "lockstep_here")
                        for (client, device) in [(here, "this device"), (there, "the other device")] {
                            let user = try await client.refreshUser()
                            w.expect(
                                user.has(theirs, as: other, "lockstep_there"),
                                "after a change of the \(part), \(device) has lost the \(other) that another device has set")
                            w.expect(user.has(ours, as: part, "lockstep_here"), "\(device) does not have the new \(part)")
                        }
                    }
                }
            }
        },

        Contract(
            "account.password.begin",
            "A user with a session can set a password immediately, or with a code that is sent (also after a relaunch). Otherwise a new "
                + "sign-in or the current password is required. Until then only the old password works, and afterwards only the new one.",
            appliesTo: .claiming([.password, .passwordChange]), needs: [.mailbox, .clock],
            buildsOn: entering + ["account.password.change", "account.sensitive.asks-again", "sign-in.step.kept"],
            declares: Declaration("currentPassword")
        ) { w in
            for entry in [Entry.fresh, .old, .relaunched] { try await w.setsPassword(entry) }
        },

        Contract(
            "account.photo.upload",
            "An uploaded photo is visible at its own address in every session of the user. After its removal, the user has no photo. A "
                + "file that is not a photo is rejected before a request.",
            appliesTo: .claiming([.photoUpload, .password]), needs: [.trace, .mailbox], buildsOn: entering
        ) { w in
            let person = try await w.member()
            let (client, elsewhere) = (w.client(), w.client())
            try await w.enter(client, person)
            try await w.enter(elsewhere, person)
            w.expect(client.state.session?.user.photoURL == nil, "the user has a photo before the upload")
            try await w.expectRequests(0...0, "a file that is not a photo") {
                for photo in [Photo([], type: "image/png"), Photo([1, 2, 3], type: "text/plain"), Photo([1], type: "image")] {
                    await w.refused(.invalidInput, of: "a file that is not a photo") { () async throws(AuthError) in
                        try await client.setPhoto(photo)
                    }
                }
            }
            let user = try await client.setPhoto(.pixel)
            w.expect(user.photoURL?.isEmpty == false, "after the upload the user has no photo")
            w.expect(client.state.session?.user.photoURL == user.photoURL, "after the upload the photo in the state is different")
            w.expect(try await elsewhere.refreshUser().photoURL == user.photoURL, "another session has a different photo")
            var second = Photo.pixel
            // Another file with the same picture: bytes after the end of a PNG are ignored.
            second.bytes.append(0)
            let changed = try await client.setPhoto(second)
            w.expect(changed.photoURL != user.photoURL, "the second photo has the address of the first photo")
            w.expect(changed.id == user.id, "after the upload the user is different")
            w.expect(try await client.setPhoto(nil).photoURL == nil, "the removed photo is still there")
            w.expect(try await client.refreshUser().photoURL == nil, "after a reload the removed photo is still there")
        },
    ]
}

/// The state of the session with which the user sets a password without the current one.
private enum Entry { case fresh, old, relaunched }

/// The parts of a user that the user may change.
private struct OwnProfile: Sendable {
    var name: String?
    var photo: String?
    var number: Int64?

    func compare(_ user: User, _ when: String, in world: World, line: Int = #line) {
        if let name { world.expect(user.displayName == name, "\(when) the name is different", line: line) }
        if let photo { world.expect(user.photoURL == photo, "\(when) the photo is different", line: line) }
        guard let number else { return }
        world.expect(
            user.metadata?["lockstep_number"]?.int == number && user.metadata?["lockstep_note"] == "kept",
            "\(when) the metadata is different", line: line)
    }
}

extension PortableClient {
    /// Sets one part of the user to a text; in the metadata, a member of the device and a new one.
    fileprivate func change(_ part: Capability, to text: String, _ member: String) async throws(AuthError) {
        switch part {
        case .displayName: _ = try await update(displayName: text, photoURL: nil)
        case .photo: _ = try await update(displayName: nil, photoURL: "https://example.com/\(Percent.encode(text))")
        default: _ = try await update(metadata: [member: .string(text), "\(member) \(text)": .string(text)])
        }
    }
}

extension User {
    /// Whether a part of the user is what ``PortableClient/change(_:to:_:)`` has set.
    fileprivate func has(_ text: String, as part: Capability, _ member: String) -> Bool {
        switch part {
        case .displayName: displayName == text
        case .photo: photoURL == "https://example.com/\(Percent.encode(text))"
        default: metadata?[member]?.string == text && metadata?["\(member) \(text)"]?.string == text
        }
    }
}

extension World {
    /// Names in several scripts, with an emoji of several code points and an accent of its own.
    static let namesInScripts = [
        "Jos\u{E9} M\u{FC}ller \u{141}", "\u{674E}\u{5C0F}\u{9F99} \u{645}\u{631}\u{62D}\u{628}\u{627}", "e\u{301}va 👩‍🔬 🇩🇪",
    ]

    /// Checks that a fresh or old session can set a password, or needs more, as declared.
    fileprivate func setsPassword(_ entry: Entry) async throws {
        let old = try await member()
        var new = old
        new.password = stranger().password
        let device = device()
        var client = device.launch()
        let session = try await enter(client, old)
        if entry != .fresh { try await makeOld(client) }
        let begun = await result(of: { [client, password = new.password] () async throws(AuthError) in
            try await client.beginPasswordChange(to: password)
        })
        if begun.failure?.code == .reauthenticationRequired {
            expect(entry != .fresh, "\(entry): a fresh session is not enough to set a password")
            try await enter(self.client(), old)
            return await refusesPassword(of: new, "\(entry): the password that was not set")
        }
        if behavior.currentPassword == .required {
            // The backend requires the current password too, but this call sends only the new one.
            expect(begun.failure?.code == .invalidInput, "\(entry): without the current password the result is \(named(begun))")
            await refusesPassword(of: new, "\(entry): the password that was not set")
            try await client.changePassword(to: new.password, current: old.password)
            _ = try await enter(self.client(), new)
            return
        }
        var step = try begun.get()
        if let challenge = step.challenge {
            expect(challenge.accepts.contains(.code), "\(entry): the code of the message was not accepted")
            let code = try await code(for: old.email)
            if entry == .relaunched {
                client = device.launch()
                await client.restore()
            }
            step = try await codeSets(new, code, challenge.flow, client, before: old, "\(entry)")
        }
        expect(
            step.session?.user.id == session.user.id,
            "\(entry): the last step is \(step.kind), or the session belongs to another user")
        expect(client.state.session?.user.id == session.user.id, "\(entry): the state is \(client.state.kind)")
        expect(try await client.refreshUser().id == session.user.id, "\(entry): the session belongs to another user")
        try await enter(self.client(), new)
        await refusesPassword(of: old, "\(entry): the old password")
    }

    /// Enters a wrong code and then the right one, and the password again if the app was relaunched.
    private func codeSets(
        _ new: Person, _ code: Secret, _ flow: Flow, _ client: any PortableClient, before old: Person, _ what: String
    ) async throws -> AuthStep {
        func give(_ code: Secret) async -> Result<AuthStep, AuthError> {
            await result(of: { () async throws(AuthError) in
                // If the app was relaunched, the client asks for the password first after a wrong code.
                if case .newPassword(let entry)? = client.pending {
                    _ = try await client.respond(to: entry.flow, with: .newPassword(new.password))
                    return try await client.respond(to: flow, with: .code(code))
                }
                let step = try await client.respond(to: flow, with: .code(code))
                guard case .newPassword(let entry) = step else { return step }
                return try await client.respond(to: entry.flow, with: .newPassword(new.password))
            })
        }
        let wrong = await give(code.wrong)
        expect(wrong.failure?.code == .invalidCode, "\(what): the result of a wrong code is \(named(wrong))")
        try await enter(self.client(), old)
        await refusesPassword(of: new, "\(what): the new password before its code")
        return try await give(code).get()
    }

    private func refusesPassword(of person: Person, _ what: String) async {
        await refused(.invalidCredentials, of: what) { () async throws(AuthError) in
            try await client().signIn(with: person.credential)
        }
    }
}

extension Photo {
    /// A picture of one transparent pixel (PNG).
    static let pixel = Photo(
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
            0, 0,
            0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x64, 0xF8, 0xFF, 0xBF, 0x1E, 0,
            5,
            0x84, 2, 0x7F, 0xC2, 0x4B, 0x8A, 0xA4, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
        ], type: "image/png")
}
