public import Lockstep

extension AuthStrings {
    /// Returns the sentence for an error.
    ///
    /// The sentence depends on the error's code. If the error contains a waiting time or reasons for a rejected
    /// password, the sentence includes them.
    ///
    /// - Parameter error: The error.
    /// - Returns: The sentence.
    public func sentence(for error: AuthError) -> String {
        if error.code == .tooManyRequests, case .after(let time) = error.retry {
            let seconds = Int(clamping: (time.milliseconds + 999) / 1000)
            if seconds > 0 { return self("error.tooManyRequests.wait", ["time": duration(seconds: seconds)]) }
        }
        if error.code == .credentialChanged, error.remedies.contains(.choosePassword) {
            return self("error.credentialChanged.reset")
        }
        let sentence = text(Key("error.\(error.code.rawValue)")) ?? self("error.unknown")
        guard error.code == .weakPassword else { return sentence }
        // A password that is too long is not easy to guess, so a special sentence replaces the general one.
        let tooLong = error.reasons.contains("tooLong") ? text("error.weakPassword.tooLong") : nil
        // A reason that this version does not know is the provider's own text, so it is left out.
        let reasons = error.reasons.filter { $0 != "tooLong" }.compactMap { text(Key("error.weakPassword.\($0)")) }
        return ([tooLong ?? sentence] + reasons).joined(separator: " ")
    }

    /// Returns the title of a screen.
    ///
    /// - Parameter screen: The name of the screen.
    /// - Returns: The title.
    public func title(of screen: ScreenName) -> String { self(Key("screen.\(screen.rawValue).title")) }

    /// Returns the sentence for a screen.
    ///
    /// If the screen is a step, the sentence says what the user must do.
    ///
    /// - Parameter screen: The screen.
    /// - Returns: The sentence.
    @MainActor
    public func sentence(for screen: Screen) -> String {
        switch screen {
        case .signedOut(let reason): sentence(for: reason)
        case .unavailable(let failure): self(failure.code == .busy ? "screen.unavailable.busy" : "screen.unavailable")
        case .step(let step): sentence(for: step)
        case .restoring, .anonymous, .signedIn: self(Key("screen.\(screen.name.rawValue)"))
        }
    }

    /// Returns the sentence that says what the user must do in a step.
    ///
    /// - Parameter step: The step.
    /// - Returns: The sentence.
    @MainActor
    public func sentence(for step: Step) -> String {
        switch step {
        case .verify(let model): sentence(for: model.challenge)
        case .secondFactor(let model):
            model.step.challenge.map { self(Key("step.secondFactor.\($0.channel.rawValue)"), ["destination": $0.destination]) }
                ?? self("step.secondFactor.choose")
        case .newPassword(let model): self(Key("step.newPassword.\(model.step.reason.rawValue)"))
        case .missingFields: self("step.missingFields")
        case .browser: self("step.browser")
        case .unknown: self("step.unknown")
        }
    }

    /// Returns the sentence that says how the user completes a verification.
    ///
    /// - Parameter challenge: The challenge.
    /// - Returns: The sentence.
    public func sentence(for challenge: Challenge) -> String {
        let kind =
            if challenge.ending == .webPage {
                "webPage"
            } else if challenge.channel == .passkey || challenge.accepts.contains(.passkey) {
                "passkey"
            } else if challenge.channel != .email {
                challenge.channel.rawValue
            } else {
                switch (challenge.accepts.contains(.code), challenge.accepts.contains(.link) || challenge.accepts.contains(.poll))
                {
                case (true, true): "codeOrLink"
                case (true, false): "code"
                default: "link"
                }
            }
        return self(Key("step.verify.\(kind)"), ["destination": challenge.destination])
    }

    /// Returns the sentence for an unmet requirement of a feature.
    ///
    /// - Parameter obstacle: The unmet requirement.
    /// - Returns: The sentence.
    @MainActor
    public func sentence(for obstacle: FeatureGate.Obstacle) -> String {
        switch obstacle {
        case .signIn: self("gate.signIn")
        case .linkAnonymousUser: self("gate.linkAnonymousUser")
        case .step: self("gate.step")
        case .secondFactor: self("gate.secondFactor")
        case .noSecondFactor: self("gate.noSecondFactor")
        case .reauthenticate: self("gate.reauthenticate")
        case .problem(let problem): problem.text(in: self)
        }
    }

    /// Returns the sentence for the reason why no user is signed in.
    ///
    /// - Parameter reason: The reason.
    /// - Returns: The sentence.
    public func sentence(for reason: SignOutReason) -> String { self(Key("signedOut.\(reason.rawValue)")) }

    /// Returns the label of a way to sign in.
    ///
    /// - Parameter way: The way to sign in.
    /// - Returns: The label.
    public func label(ofWay way: Capability) -> String { text(Key("way.\(way.rawValue)")) ?? self("way.other") }

    /// Returns the label of a button for an identity provider.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: The label.
    public func label(ofProvider provider: IdentityProvider) -> String {
        let name =
            text(Key("provider.\(provider.rawValue)")) ?? provider.rawValue.prefix(1).uppercased() + provider.rawValue.dropFirst()
        return self("way.provider", ["provider": name])
    }

    /// Returns the label of a kind of second factor.
    ///
    /// - Parameter kind: The kind of factor.
    /// - Returns: The label.
    public func label(ofFactor kind: FactorChoice.Kind) -> String { self(Key("factor.\(kind.rawValue)")) }

    /// Returns the label of a field.
    ///
    /// - Parameter field: The field.
    /// - Returns: The label. If this version does not know the field, the label is the field's name, split into words.
    public func label(of field: FormField) -> String {
        text(Key("field.\(field.rawValue)")) ?? field.rawValue.replacing("_", with: " ")
    }

    /// Returns the sentence that a form shows while it works, such as "Signing in…".
    ///
    /// - Parameter activity: The activity.
    /// - Returns: The sentence.
    public func sentence(for activity: Activity) -> String { self(Key("activity.\(activity.rawValue)")) }

    /// Returns the sentence that confirms a change.
    ///
    /// - Parameter change: The change.
    /// - Returns: The sentence.
    public func sentence(for change: AccountModel.Change) -> String { self(Key("changed.\(change.rawValue)")) }

    /// Returns the word for the strength of a password.
    ///
    /// - Parameter score: The score.
    /// - Returns: The word.
    public func label(of score: PasswordStrength.Score) -> String { self(Key("strength.\(score.rawValue)")) }

    /// Returns the sentence for the app's minimum strength.
    ///
    /// - Parameter score: The minimum strength.
    /// - Returns: The sentence.
    public func sentence(forMinimum score: PasswordStrength.Score) -> String {
        self("strength.minimum", ["score": String(score.rawValue), "label": label(of: score)])
    }

    /// Returns the sentence that says why a password is weak and how to make it stronger.
    ///
    /// - Parameter strength: The estimate.
    /// - Returns: The sentence; empty if there is nothing to say.
    public func sentence(for strength: PasswordStrength) -> String {
        let reason = strength.reason.flatMap { text(Key("strength.reason.\($0.rawValue)")) }
        let suggestion = strength.suggestion.flatMap { text(Key("strength.suggestion.\($0.rawValue)")) }
        return [reason, suggestion].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns the sentence with the time until a message can be sent again.
    ///
    /// - Parameter countdown: The countdown.
    /// - Returns: The sentence.
    @MainActor
    public func sentence(forResend countdown: Countdown) -> String {
        countdown.isOver ? self("resend.now") : self("resend.wait", ["time": duration(seconds: countdown.secondsLeft)])
    }

    /// Returns a waiting time in words.
    ///
    /// A time of at most two minutes includes the seconds. A longer time is in minutes, then in hours.
    ///
    /// - Parameter seconds: The number of seconds.
    /// - Returns: The words.
    public func duration(seconds: Int) -> String {
        let (count, unit) =
            switch seconds {
            case ...120: (seconds, "second")
            case ...7200: ((seconds + 59) / 60, "minute")
            default: ((seconds + 3599) / 3600, "hour")
            }
        return self(Key("duration.\(unit)\(count == 1 ? "" : "s")"), ["count": String(count)])
    }
}
