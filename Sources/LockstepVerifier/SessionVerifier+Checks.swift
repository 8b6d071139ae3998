internal import LockstepTokens

extension SessionVerifier {
    /// Runs all checks of a token, and returns the verdict of each check.
    ///
    /// Use it to find out why a token is rejected. A server calls ``verify(_:)``, which stops at the first check that
    /// fails.
    ///
    /// ```swift
    /// for check in await verifier.checks(of: token) where check.verdict != .passed { print(check.subject, check.reason) }
    /// ```
    ///
    /// - Parameter token: The token.
    /// - Returns: The checks, in the order of ``TokenCheck/Subject``. If all checks passed, the token is valid, and
    ///   ``verify(_:)`` would return a session.
    public func checks(of token: Secret) async -> [TokenCheck] {
        let read: UnverifiedToken
        do throws(TokenError) {
            read = try UnverifiedToken(token.reveal())
        } catch {
            return [TokenCheck(.format, error)]
        }
        guard let project = projects.first(where: { $0.rules.accepts(issuer: read.claims["iss"]) }) ?? projects.first else {
            return []
        }
        var checks = [TokenCheck(.format, .passed, "The token has three parts, and its header and claims are JSON objects.")]
        var verified: VerifiedToken?
        do throws(TokenError) {
            verified = try await project.verifySignature(of: token.reveal())
            checks.append(
                TokenCheck(
                    .signature, .passed,
                    "A key of the issuer has signed it with \(read.algorithmName ?? "its algorithm")."))
        } catch {
            checks.append(TokenCheck(.signature, error))
        }
        for (part, subject) in parts { checks.append(project.check(part, subject, of: read.claims)) }
        guard let verified else {
            return checks + [TokenCheck(.backend, .unknown, "Not checked, because the signature is not verified.")]
        }
        let session: VerifiedSession
        do throws(TokenError) {
            session = try project.read(verified)
            checks.append(TokenCheck(.backend, .passed, "The token is the access token of a user's session."))
        } catch {
            return checks + [TokenCheck(.backend, error)]
        }
        guard let question = project.question else { return checks }
        guard checks.allSatisfy({ $0.verdict == .passed }), project.clock.now < session.expiresAt else {
            return checks + [TokenCheck(.session, .unknown, "Not checked, because the token is not valid.")]
        }
        do throws(TokenError) {
            try await question(token, session)
            return checks + [TokenCheck(.session, .passed, "The backend still has the session.")]
        } catch {
            return checks + [TokenCheck(.session, error)]
        }
    }

    private var parts: [(TokenRules.Part, TokenCheck.Subject)] {
        [(.issuer, .issuer), (.audience, .audience), (.times, .times), (.requiredClaims, .claims)]
    }
}

extension SessionVerifier.Project {
    fileprivate func verifySignature(of text: String) async throws(TokenError) -> VerifiedToken {
        switch keys {
        case .published(let keys): try await keys.verifySignature(of: text)
        case .known(let keys): try TokenVerifier.verifySignature(of: text, keys: keys)
        }
    }

    /// Checks one part of the rules.
    ///
    /// The reason names the expected values.
    fileprivate func check(_ part: TokenRules.Part, _ subject: TokenCheck.Subject, of claims: JSONObject) -> TokenCheck {
        do throws(TokenError) {
            try rules.check(part, of: claims, at: clock.now)
            return TokenCheck(subject, .passed, success(part))
        } catch {
            let expected =
                switch part {
                case .issuer where error.code == .wrongIssuer: ""  // The error already names the expected issuers.
                case .issuer: " Expected: \(rules.issuers.sorted().map(\.debugDescription).joined(separator: " or "))."
                case .audience: expectedAudience
                case .times, .requiredClaims: ""
                }
            return TokenCheck(subject, .failed, error.message + expected)
        }
    }

    private func success(_ part: TokenRules.Part) -> String {
        switch part {
        case .issuer: "The token is from the expected issuer."
        case .audience: "The token is meant for the expected audience."
        case .times: "The token is valid now."
        case .requiredClaims: "The token has all claims that this backend's tokens must have."
        }
    }

    private var expectedAudience: String {
        switch rules.audiences {
        case .oneOf(let names), .authorizedParties(let names):
            " Expected: \(names.sorted().map(\.debugDescription).joined(separator: " or "))."
        case .notInTokens: " Expected: a token without aud."
        }
    }
}
