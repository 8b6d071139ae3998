internal import Lockstep
internal import LockstepCrypto
internal import LockstepPrimitives

extension FlowMemory {
    private static let spentNote = "spentCodes"

    /// Remembers on this device that a code was used: GoTrue gives the same error for wrong, old and used codes.
    func spend(_ code: Secret, for address: String) {
        let digests = [digest(code, address)] + spent
        self[device: Self.spentNote] = Secret(digests.prefix(8).joined(separator: ","))
    }

    /// Whether this device has used the code.
    func hasSpent(_ code: Secret, for address: String) -> Bool { spent.contains(digest(code, address)) }

    private var spent: [String] { self[device: Self.spentNote]?.reveal().split(separator: ",").map(String.init) ?? [] }

    private func digest(_ code: Secret, _ address: String) -> String {
        String(Hex.encode(HashFunction.sha256.digest(address.lowercased() + "\n" + code.reveal())).prefix(32))
    }
}
