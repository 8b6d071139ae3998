internal import Lockstep
internal import LockstepPrimitives

extension FlowMemory {
    private static let spentNote = "spentLinks"

    /// Remembers on this device that a link was used: Firebase gives the same error for used and unknown links.
    func spend(_ code: String) {
        self[device: Self.spentNote] = Secret(([Self.digest(code)] + spent).prefix(8).joined(separator: ","))
    }

    /// The error for a refused link: `linkUsed` where this device used it.
    func refined(_ error: AuthError, _ code: String) -> AuthError {
        guard error.provider?.code == "INVALID_OOB_CODE", spent.contains(Self.digest(code)) else { return error }
        var error = error
        error.code = .linkUsed
        error.message = "The link was used before. Ask for a new one."
        return error
    }

    private var spent: [String] { self[device: Self.spentNote]?.reveal().split(separator: ",").map(String.init) ?? [] }
}
