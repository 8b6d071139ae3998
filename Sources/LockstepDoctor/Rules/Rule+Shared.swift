internal import LockstepPrimitives

extension Rule {
    /// Returns the rule about the clocks, which applies to all providers.
    static func clock(_ provider: String, _ link: String) -> Rule {
        Rule(
            id: "\(provider).clock", subject: "Clocks of the project and this machine", source: .date,
            reason: "A server with a wrong clock rejects valid tokens, or accepts expired tokens.",
            remedy: "Synchronize the wrong clock with NTP.", link: link,
            touches: "SessionVerifier (five seconds of leeway)"
        ) { offset, _ in
            guard let seconds = offset.int else { return nil }
            let distance = "\(abs(seconds)) seconds \(seconds < 0 ? "behind" : "ahead of") this machine"
            if abs(seconds) > 60 { return .fail("The clock of the project is \(distance).") }
            if abs(seconds) > 5 { return .warn("The clock of the project is \(distance).") }
            return .info("The clocks differ by \(abs(seconds)) seconds.")
        }
    }

    /// The rule about a setting that the provider's API does not report: its finding is always ``DoctorFinding/Level/unknown``.
    static func unreported(
        _ id: String, _ subject: String, _ reason: String, _ remedy: String, _ link: String, _ touches: String
    ) -> Rule {
        Rule(id: id, subject: subject, source: .nowhere, reason: reason, remedy: remedy, link: link, touches: touches) { _, _ in
            nil
        }
    }

    /// The finding for an administrator's key that was given as a public key.
    static func administratorKey(_ provider: String, _ variable: String, _ link: String) -> Rule {
        Rule(
            id: "\(provider).administrator-key", subject: "The public key is public", source: .date,
            reason: "Anyone can find the key in the app. If it is an administrator's key, they can read and change all users.",
            remedy: "Revoke the key, and set \(variable) to the public key.", link: link, touches: "the key of the adapter"
        ) { _, _ in nil }
    }

    /// The rule about an administrator's key that the project rejects.
    static func rejectedKey(_ provider: String, _ variable: String, _ link: String) -> Rule {
        Rule(
            id: "\(provider).rejected-key", subject: "The project accepts the administrator's key", source: .date,
            reason: "A server with this key cannot read or change users.",
            remedy: "Set \(variable) to a key of this project.", link: link, touches: "the key of the directory"
        ) { _, _ in nil }
    }

    /// Returns the finding about a key, before anything is sent; `nil` for a public key.
    func keyFinding(isAdministrator: Bool) -> DoctorFinding? {
        guard isAdministrator else { return nil }
        return DoctorFinding(
            rule: self, level: .fail,
            sentence: "The public key is set to an administrator's key. No request was sent.")
    }

    /// Returns a count and its noun, such as "one key" or "3 keys".
    static func count(_ values: some Collection, _ noun: String, _ plural: String? = nil) -> String {
        values.count == 1 ? "one \(noun)" : "\(values.count) \(plural ?? noun + "s")"
    }

    /// Returns the judgement of the addresses to which users may be redirected.
    static func redirects(_ addresses: [String], _ facts: Facts) -> Judgement {
        func host(_ address: String) -> String {
            let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
            return String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        }
        func isLocal(_ address: String) -> Bool {
            let name = host(address).prefix { $0 != ":" }
            return ["localhost", "127.0.0.1"].contains(name)
        }
        let isWeb = { (address: String) in
            address.hasPrefix("http://") || address.hasPrefix("https://") || address.firstRange(of: "://") == nil
        }
        // A star for a whole host, or for its end, allows everyone's host.
        let open = addresses.filter { address in
            guard isWeb(address), host(address).contains("*") else { return false }
            let labels = host(address).split(separator: "." as Character)
            return labels.count < 3 || labels.suffix(2).contains { $0.contains("*") }
        }
        if let first = open.first {
            return .fail("Users can be redirected to any host, because \"\(first.visible)\" is allowed.")
        }
        if let plain = addresses.first(where: { $0.hasPrefix("http://") && !isLocal($0) }) {
            return .fail("Users can be redirected to an address without TLS: \"\(plain.visible)\".")
        }
        if let local = addresses.first(where: isLocal), !facts.isOnThisMachine {
            return .warn("Users can be redirected to their own machine, because \"\(local.visible)\" is allowed.")
        }
        if let wild = addresses.first(where: { isWeb($0) && host($0).contains("*") }) {
            return .warn("Users can be redirected to every host that matches \"\(wild.visible)\".")
        }
        return .info(
            "Users are redirected only to \(Rule.count(addresses, "listed address", "listed addresses")).")
    }
}
