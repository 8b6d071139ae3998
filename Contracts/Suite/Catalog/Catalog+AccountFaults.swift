internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about account changes whose request fails or whose response is lost.
    static let accountFaults: [Contract] = AccountCall.allCases.map { call in
        /// Cases: F02, F05.
        Contract(
            "account.fault.\(call.rawValue)",
            "If a request fails during \(call.words), before or after the backend has handled it, the app can make the call "
                + "again. The second call completes the work, or is rejected because the work is done. The account is then the "
                + "same as after one call, and nothing left over from the first call blocks the user.",
            appliesTo: .claiming(call.claims), needs: call.needs.union([.faults, .clock]), buildsOn: entering + call.buildsOn,
            unwatched: [
                .sentOnce:
                    "a repeated call renews an old token, and gets another token for the changed user; an enrollment is sent again when "
                    + "the unfinished one is removed"
            ]
        ) { w in
            let refusal = Fault.status(503, retryAfter: nil)
            var refused = 0
            while refused < 10, try await RepeatedCall(world: w, fault: refusal, skipped: refused).fails(call) { refused += 1 }
            w.expect(refused > 0, "no request of \(call.words) fails if the backend responds to the first request with 503")
            // If the response is lost, the call may discover that its work is done and succeed.
            for skipped in 0...refused {
                _ = try await RepeatedCall(world: w, fault: .answerLost, skipped: skipped).fails(call)
            }
        }
    }
}

/// A call that changes the account of the signed-in user.
enum AccountCall: String, CaseIterable, Sendable {
    case name, photo, password, email, link, unlink, organization
    case passwordBegin = "password-begin"
    case addFactor = "add-factor"
    case removeFactor = "remove-factor"
    case addPhone = "add-phone"
    case backupCodes = "backup-codes"
    case renamePasskey = "rename-passkey"
    case removePasskey = "remove-passkey"

    var words: String {
        switch self {
        case .name: "a change of the name"
        case .photo: "the upload of a photo"
        case .password: "a change of the password"
        case .passwordBegin: "the setting of a password without the current one"
        case .email: "a change of the address"
        case .link: "the addition of an identity"
        case .unlink: "the removal of an identity"
        case .addFactor: "the addition of a second factor"
        case .organization: "a switch of the organization"
        case .removeFactor: "the removal of a second factor"
        case .addPhone: "the addition of a phone as a second factor"
        case .backupCodes: "the creation of new backup codes"
        case .renamePasskey: "the renaming of a passkey"
        case .removePasskey: "the removal of a passkey"
        }
    }

    var claims: Set<Capability> {
        switch self {
        case .name: [.password, .displayName]
        case .password, .passwordBegin: [.password, .passwordChange]
        case .email: [.password, .emailChange]
        case .link, .unlink: [.password, .linking, .idToken]
        case .photo: [.password, .photoUpload]
        case .organization: [.password, .organizations]
        case .addFactor, .removeFactor, .addPhone: [.password, .secondFactor, .factorEnrolment]
        case .backupCodes: [.password, .backupCode, .factorEnrolment, .backupCodeRenewal]
        case .removePasskey: [.password, .passkey, .passkeyManagement]
        case .renamePasskey: [.password, .passkey, .passkeyManagement, .passkeyRenaming]
        }
    }

    var needs: Set<Need> {
        switch self {
        case .name, .photo, .password: []
        case .email, .passwordBegin: [.mailbox]
        case .link, .unlink: [.issuer, .administrator]
        case .organization: [.administrator]
        case .addFactor, .removeFactor, .backupCodes: [.authenticators, .administrator, .mailbox]
        case .addPhone: [.administrator, .mailbox]
        case .renamePasskey, .removePasskey: [.passkeys]
        }
    }

    var buildsOn: [String] {
        switch self {
        case .name: ["account.update.display-name"]
        case .password: ["account.password.change", "account.password.others"]
        case .passwordBegin: ["account.password.begin"]
        case .email: ["account.email.needs-proof", "account.email.taken"]
        case .link, .unlink: ["linking.add-and-remove", "linking.last-one-kept"]
        case .photo: ["account.photo.upload"]
        case .organization: ["account.organizations.active"]
        case .addFactor, .removeFactor: ["account.factor.enrol-and-remove"]
        case .addPhone: ["account.factor.phone"]
        case .backupCodes: ["account.factor.backup-codes"]
        case .removePasskey: ["account.passkeys.managed"]
        case .renamePasskey: ["account.passkeys.renamed"]
        }
    }
}
