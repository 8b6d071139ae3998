internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Mutants {
    static let addresses: [Mutant<World>] = [
        .client("sign-up.address-list-refused", "splits an address at the comma") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                guard let password = credential as? PasswordCredential, let comma = password.email.firstIndex(of: ",") else {
                    return try await base.signUp(with: credential, displayName: name)
                }
                let first = PasswordCredential.password(email: String(password.email[..<comma]), password: password.password)
                return try await base.signUp(with: first, displayName: name)
            }
        },
        .password("sign-up.look-alike-address", "folds characters by compatibility") {
            _, base, credential async throws(AuthError) in
            let folded = credential.email.replacing("\u{212A}", with: "k").replacing("\u{FF20}", with: "@")
            return try await base.signIn(with: .password(email: folded, password: credential.password))
        },
        .password("sign-up.password.address-spaces", "sends the spaces") { _, base, credential async throws(AuthError) in
            guard credential.email.first?.isWhitespace != true else {
                throw AuthError(.invalidCredentials, "Incorrect e-mail address or password.")
            }
            return try await base.signIn(with: credential)
        },
        .password("sign-up.address-left-to-backend", "rejects addresses that the backend accepts") {
            _, base, credential async throws(AuthError) in
            let isStrange = credential.email.unicodeScalars.contains {
                !$0.isASCII && $0.properties.isAlphabetic && $0.value == 0xFC
            }
            guard !isStrange else { throw AuthError(.invalidEmail, "This is not an address.") }
            return try await base.signIn(with: credential)
        },
        .password("sign-up.international-domain", "sends a domain in capital letters as another domain") {
            _, base, credential async throws(AuthError) in
            guard !credential.email.contains("\u{DC}") else {
                throw AuthError(.invalidCredentials, "Incorrect e-mail address or password.")
            }
            return try await base.signIn(with: credential)
        },
        .client("sign-up.stays-usable", "leaves an account that cannot sign in") { faulty, context in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                do throws(AuthError) {
                    return try await base.signUp(with: credential, displayName: name)
                } catch {
                    if !error.completed.isEmpty { context.notebook["left " + (credential.identifier ?? "")] = "yes" }
                    throw error
                }
            }
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard context.notebook["left " + (credential.identifier ?? "")] == nil else {
                    throw AuthError(.invalidCredentials, "Incorrect e-mail address or password.")
                }
                return try await base.signIn(with: credential)
            }
        },
    ]
}

extension Mutants {
    static let exactAddresses: [Mutant<World>] = [
        .alone("sign-up.address-exact", "drops a tag and letters outside ASCII at a sign-up") { faulty, _ in
            faulty.onSignUp = { base, credential, name async throws(AuthError) in
                guard let typed = credential as? PasswordCredential else {
                    return try await base.signUp(with: credential, displayName: name)
                }
                return try await base.signUp(
                    with: .password(email: typed.email.shortened, password: typed.password), displayName: name)
            }
        },
        .alone("sign-up.address-exact", "drops a tag and letters outside ASCII at a sign-in by code", claims: [.emailCodeSignIn])
        {
            faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let typed = credential as? EmailCodeCredential else { return try await base.signIn(with: credential) }
                return try await base.signIn(with: .emailCode(typed.email.shortened))
            }
        },
        .alone("sign-up.address-exact", "drops a tag and letters outside ASCII at a sign-in by link", claims: [.emailLinkSignIn])
        {
            faulty, _ in
            faulty.onSignIn = { base, credential async throws(AuthError) in
                guard let typed = credential as? EmailLinkCredential else { return try await base.signIn(with: credential) }
                return try await base.signIn(with: .emailLink(typed.email.shortened))
            }
        },
        .alone("sign-up.address-exact", "drops a tag and letters outside ASCII at a reset", claims: [.passwordReset]) {
            faulty, _ in
            faulty.onReset = { base, email async throws(AuthError) in
                try await base.requestPasswordReset(email: email.shortened)
            }
        },
        .alone("sign-up.address-exact", "drops a tag and letters outside ASCII at a change of address", claims: [.emailChange]) {
            faulty, _ in
            faulty.onChangeEmail = { base, email async throws(AuthError) in
                try await base.changeEmail(to: email.shortened)
            }
        },
    ]
}

extension String {
    /// The text without letters outside ASCII, and without the sign of a tag.
    fileprivate var shortened: String { filter { $0.isASCII && $0 != "+" } }
}
