import FoundationEssentials
import Lockstep
import Testing

@testable import LockstepModels

/// The catalog of texts: complete, overridable, and without a provider's text.
@Suite("AuthStrings")
@MainActor
struct AuthStringsTests {
    private static let words = AuthStrings.english

    @Test("every error code has its own text")
    func everyErrorCodeHasAText() throws {
        let codes = try SourceNames.codes()
        #expect(codes.count > 50)
        for code in codes {
            let sentence = Self.words(AuthStrings.Key(rawValue: "error.\(code)"))
            #expect(!sentence.isEmpty, "\(code) has no sentence")
            #expect(Self.words.sentence(for: AuthError(.init(rawValue: code), "")) == sentence)
        }
    }

    @Test("every screen, step, state, method, field and activity has a text")
    func everyCaseHasAText() {
        for screen in ScreenName.allCases { #expect(!Self.words.title(of: screen).isEmpty, "\(screen)") }
        for reason in SignOutReason.allCases { #expect(!Self.words.sentence(for: reason).isEmpty, "\(reason)") }
        for activity in Activity.allCases { #expect(!Self.words.sentence(for: activity).isEmpty, "\(activity)") }
        for change in AccountModel.Change.allCases { #expect(!Self.words.sentence(for: change).isEmpty, "\(change)") }
        for kind in FactorChoice.Kind.allCases { #expect(!Self.words.label(ofFactor: kind).isEmpty, "\(kind)") }
        for score in PasswordStrength.Score.allCases { #expect(!Self.words.label(of: score).isEmpty, "\(score)") }
        for reason in PasswordStrength.Reason.all {
            #expect(!Self.words.sentence(for: PasswordStrength(.weak, reason: reason)).isEmpty, "\(reason.rawValue)")
        }
        for suggestion in PasswordStrength.Suggestion.all {
            #expect(!Self.words.sentence(for: PasswordStrength(.weak, suggestion: suggestion)).isEmpty, "\(suggestion.rawValue)")
        }
        for field in FormField.all {
            #expect(AuthStrings.catalog[AuthStrings.Key(rawValue: "field.\(field)")] != nil, "\(field)")
        }
        for way in Capability.all.prefix(while: { $0 != .confirmationCode }) {
            #expect(AuthStrings.catalog[AuthStrings.Key(rawValue: "way.\(way)")] != nil, "\(way)")
        }
        for channel in Challenge.Channel.allCases {
            for accepts in [Set<ChallengeResponse.Kind>([.code]), [.link], [.code, .link], [.poll], [.passkey], []] {
                let challenge = Self.challenge(channel, accepts)
                let sentence = Self.words.sentence(for: challenge)
                #expect(!sentence.isEmpty && !sentence.contains("{"), "\(channel) \(accepts)")
            }
            #expect(AuthStrings.catalog[AuthStrings.Key(rawValue: "step.secondFactor.\(channel.rawValue)")] != nil, "\(channel)")
        }
        var ending = Self.challenge(.email, [])
        ending.ending = .webPage
        #expect(
            Self.words.sentence(for: ending) == Self.words("step.verify.webPage", ["destination": ending.destination]))
        for key in [
            "screen.restoring", "screen.unavailable", "screen.anonymous", "screen.signedIn", "step.newPassword.reset",
            "step.newPassword.required", "step.missingFields", "step.browser", "step.unknown", "step.secondFactor.choose",
        ] {
            #expect(!Self.words(AuthStrings.Key(rawValue: key)).isEmpty, "\(key)")
        }
    }

    private static func challenge(_ channel: Challenge.Channel, _ accepts: Set<ChallengeResponse.Kind>) -> Challenge {
        Challenge(
            flow: Flow(id: "1", kind: .confirmation, capability: .password, startedAt: .distantPast), channel: channel,
            destination: "a•••@example.com", accepts: accepts)
    }

    @Test("an error about a provider's field is shown next to it")
    func mapsProvidersFields() {
        let (email, phone) = (FormField(.emailAddress), FormField(MissingFieldsStep.Field.phone))
        for (code, field) in [
            (AuthError.Code.invalidEmail, email), (.emailAlreadyInUse, email), (.invalidPhone, phone),
            (.phoneAlreadyInUse, phone),
        ] {
            #expect(
                FormProblem(AuthError(code, ""), in: [FormField(.lastName), email, phone], blank: []).field == field, "\(code)")
        }
        // The error of an unknown number is shown next to the number, and does not call it an address.
        let unknown = FormProblem(AuthError(.userNotFound, ""), in: [.phone], blank: [])
        #expect(unknown.field == .phone && unknown.text() == AuthStrings.english("error.userNotFound.phone"))
        let address = FormProblem(AuthError(.userNotFound, ""), in: [.email, .password], blank: [])
        #expect(address.field == .email && address.text() == Self.words("error.userNotFound"))
        #expect(FormProblem(AuthError(.phoneAlreadyInUse, ""), in: [.email], blank: []).field == nil)
    }

    @Test("every placeholder of a text is filled in")
    func everyPlaceholderIsFilledIn() {
        let known: Set<Substring> = ["destination", "time", "count", "provider", "score", "label"]
        for (key, sentence) in AuthStrings.catalog {
            #expect(!sentence.isEmpty && sentence.allSatisfy { !$0.isNewline }, "\(key)")
            for part in sentence.split(separator: "{").dropFirst() {
                #expect(known.contains(part.prefix { $0 != "}" }), "\(key)")
            }
        }
        #expect(Self.words.duration(seconds: 1) == "1 second")
        #expect(Self.words.duration(seconds: 59) == "59 seconds")
        #expect(Self.words.duration(seconds: 121) == "3 minutes")
        #expect(Self.words.duration(seconds: 7201) == "3 hours")
        #expect(
            Self.words.label(ofProvider: IdentityProvider.apple) == AuthStrings.english("way.provider", ["provider": "Apple"]))
        #expect(
            Self.words.label(ofProvider: IdentityProvider(rawValue: "gitlab"))
                == AuthStrings.english("way.provider", ["provider": "Gitlab"]))
        #expect(Self.words.label(of: FormField(rawValue: "shoe_size")) == "shoe size")
    }

    @Test("an app overrides single texts, and the others stay English")
    func appOverridesSingleTexts() {
        let german = AuthStrings([
            "error.invalidCode": "Das ist nicht der Code.", "error.network": "", "duration.seconds": "{count} s",
        ])
        #expect(german.sentence(for: AuthError(.invalidCode, "")) == "Das ist nicht der Code.")
        #expect(german.sentence(for: AuthError(.network, "")) == Self.words("error.network"))
        #expect(german.sentence(for: AuthError(.tooManyRequests, "", retry: .after(.seconds(9)))).hasSuffix("9 s."))
        // For a missing entry Foundation returns the key itself.
        let echoing = AuthStrings { $0.rawValue }
        #expect(echoing.sentence(for: AuthError(.network, "")) == Self.words("error.network"))
        #expect(echoing("no.such.key").isEmpty)
    }

    @Test("no text for an error contains the provider's text, the developer's message or a secret")
    func errorTextsContainNoProviderText() throws {
        let marks = ["CANARY-code", "CANARY-text", "CANARY-reason", "CANARY-message", "CANARY-part"]
        for code in try SourceNames.codes() + ["a_new_code"] {
            let error = AuthError(
                .init(rawValue: code), "CANARY-message", retry: .after(.seconds(3)), reasons: ["CANARY-reason", "length"],
                completed: ["CANARY-part"],
                provider: ProviderDetail(code: "CANARY-code", status: 418, message: "CANARY-text", body: ["m": "CANARY-text"]))
            let sentence = Self.words.sentence(for: error)
            #expect(!sentence.isEmpty && !marks.contains { sentence.contains($0) }, "\(code)")
        }
        let weak = AuthError(.weakPassword, "", reasons: ["length", "CANARY-reason", "pwned"])
        #expect(
            Self.words.sentence(for: weak)
                == [
                    Self.words("error.weakPassword"), Self.words("error.weakPassword.length"),
                    Self.words("error.weakPassword.pwned"),
                ]
                .joined(separator: " "))
    }

    @Test("a long password is called long, not easy to guess")
    func longPasswordHasItsOwnText() {
        let long = AuthError(.weakPassword, "", reasons: ["tooLong"])
        #expect(Self.words.sentence(for: long) == Self.words("error.weakPassword.tooLong"))
        let both = AuthError(.weakPassword, "", reasons: ["tooLong", "characters"])
        #expect(
            Self.words.sentence(for: both)
                == Self.words("error.weakPassword.tooLong") + " " + Self.words("error.weakPassword.characters"))
        for reason in AuthError.passwordReasons {
            #expect(!Self.words(AuthStrings.Key("error.weakPassword.\(reason)")).isEmpty, "\(reason)")
        }
    }

    @Test("the error for a wrong current password does not mention the address")
    func wrongCurrentPasswordHasItsOwnText() {
        let error = AuthError(.invalidCredentials, "")
        func text(_ fields: [FormField]) -> String {
            FormProblem(error, in: fields, blank: []).text(in: Self.words)
        }
        let own = Self.words("error.invalidCredentials.currentPassword")
        #expect(text([.currentPassword, .newPassword]) == own)
        #expect(text([.password]) == own)
        #expect(text([.email, .password]) == Self.words("error.invalidCredentials"))
        #expect(text([]) == Self.words("error.invalidCredentials"))
    }

    @Test("a dump of a model shows no password or code")
    func dumpsShowNoSecrets() async throws {
        try await Place.code.run { backend in
            let app = await backend.launch()
            let (signIn, signUp, account) = (SignInModel(app.auth), SignUpModel(app.auth), AccountModel(app.auth))
            signIn.password = "CANARY-1"
            signUp.password = "CANARY-2"
            account.newPassword = "CANARY-3"
            account.currentPassword = "CANARY-4"
            try await EntryJourneyTests.begin(app)
            let verification = try app.verification()
            verification.code = "CANARY-5"
            for model in [signIn, signUp, account, verification] as [AnyObject] {
                var text = ""
                dump(model, to: &text)
                #expect(!text.contains("CANARY"), "\(type(of: model))")
            }
            #expect(signIn.password == "CANARY-1" && verification.code == "CANARY-5")
        }
    }
}

/// The declared names of the core, read from the mirrors of its own lists.
enum SourceNames {
    /// Every error code, read from its declaration.
    static func codes() throws -> [String] {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let source = try String(
            contentsOf: URL(filePath: root + "/Sources/Lockstep/Errors/AuthErrorCode.swift"), encoding: .utf8)
        return source.split(separator: "\n").compactMap { line in
            line.contains("= Code(\"") ? line.split(separator: "\"").dropFirst().first.map(String.init) : nil
        }
    }
}
