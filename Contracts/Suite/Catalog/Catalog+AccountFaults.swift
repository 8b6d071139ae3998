internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Changes of an account whose request fails, or whose answer is lost.
    static let accountFaults: [Contract] = AccountCall.allCases.map { call in
        /// Cases: F02, F05.
        Contract(
            "account.fault.\(call.rawValue)",
            "Where a request of \(call.words) fails before or after the backend has done it, the call can be repeated: it goes on, or is "
                + "refused because it is done; the account is then as one call leaves it, and the user is not in the way of themselves.",
            appliesTo: .claiming(call.claims), needs: call.needs.union([.faults, .clock]), buildsOn: entering + call.buildsOn,
            unwatched: [
                .sentOnce:
                    "a call renews an old token, and gets another for the changed user; an enrolment is sent again when what was "
                    + "in its way is removed"
            ]
        ) { w in
            for fault in [Fault.status(503, retryAfter: nil), .answerLost] {
                for skipped in 0..<10 {
                    guard try await RepeatedCall(world: w, fault: fault, skipped: skipped).fails(call) else { break }
                }
            }
        }
    }
}

/// A call that changes the account of the user who is signed in.
enum AccountCall: String, CaseIterable, Sendable {
    case name, password, email, link, unlink
    case passwordBegin = "password-begin"
    case addFactor = "add-factor"
    case removeFactor = "remove-factor"

    var words: String {
        switch self {
        case .name: "a change of the name"
        case .password: "a change of the password"
        case .passwordBegin: "the setting of a password by the session alone"
        case .email: "a change of the address"
        case .link: "the adding of an identity"
        case .unlink: "the removal of an identity"
        case .addFactor: "the adding of a second factor"
        case .removeFactor: "the removal of a second factor"
        }
    }

    var claims: Set<Capability> {
        switch self {
        case .name: [.password, .displayName]
        case .password, .passwordBegin: [.password, .passwordChange]
        case .email: [.password, .emailChange]
        case .link, .unlink: [.password, .linking, .idToken]
        case .addFactor, .removeFactor: [.password, .secondFactor, .factorEnrolment]
        }
    }

    var needs: Set<Need> {
        switch self {
        case .name, .password: []
        case .email, .passwordBegin: [.mailbox]
        case .link, .unlink: [.issuer, .adminAPI]
        case .addFactor, .removeFactor: [.authenticators, .adminAPI, .mailbox]
        }
    }

    var buildsOn: [String] {
        switch self {
        case .name: ["account.update.display-name"]
        case .password: ["account.password.change", "account.password.others"]
        case .passwordBegin: ["account.password.begin"]
        case .email: ["account.email.needs-proof", "account.email.taken"]
        case .link, .unlink: ["linking.add-and-remove", "linking.last-one-kept"]
        case .addFactor, .removeFactor: ["account.factor.enrol-and-remove"]
        }
    }
}
