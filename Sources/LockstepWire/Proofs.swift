public import Lockstep
internal import LockstepCrypto
public import LockstepPrimitives

/// Binds a link to the device that requested it (PKCE with `S256`, RFC 7636).
public struct ProofKey: Sendable {
    /// Stays on the device until the link comes back.
    public let verifier: Secret
    /// Goes out with the request for the message.
    public let challenge: String

    /// A new pair: 64 random bytes make a verifier of 86 characters.
    public init(_ randomness: any Randomness) {
        let text = Base64.encode(randomness.bytes(64), .url)
        verifier = Secret(text)
        challenge = Base64.encode(HashFunction.sha256.digest(text), .url)
    }
}

/// The verifiers of mails that are sent or on their way, among the notes of the device.
///
/// A verifier is noted before the request for its mail. So a link can be exchanged even if the process ended before the answer, and
/// if a later flow for the same address gets no mail of its own. The newest six are kept, for as long as a flow lives.
public struct SentVerifiers {
    /// A verifier, and the mail that it belongs to.
    public struct Entry: Sendable, Equatable {
        /// The verifier; the address itself if the backend binds a link to the address alone.
        public let verifier: Secret
        /// The adapter's name of the mail.
        public let message: String
        /// When the request for the mail was made.
        public let sentAt: Instant
        /// Whether the backend has answered the request: then the flow itself has the verifier.
        public fileprivate(set) var isAnswered: Bool
        fileprivate let address: String
    }

    private let flow: FlowMemory
    private let now: Instant
    private static let note = "sentVerifiers"

    /// The verifiers of a device.
    ///
    /// - Parameters:
    ///   - flow: The memory that has the notes of the device.
    ///   - now: The time by the device's clock; older verifiers are left out.
    public init(in flow: FlowMemory, at now: Instant) {
        self.flow = flow
        self.now = now
    }

    /// All that are still of use, newest first.
    public var entries: [Entry] {
        let lines = flow[device: Self.note]?.reveal().unicodeScalars.split(separator: "\n") ?? []
        return lines.compactMap { Entry(Substring($0)) }.filter { now - $0.sentAt <= Flow.longestLife }
    }

    /// Notes a verifier and stores it, before the request for its mail.
    ///
    /// - Parameters:
    ///   - verifier: The verifier.
    ///   - message: The adapter's name of the mail.
    ///   - address: The address that the mail goes to; only a digest of it is stored.
    public func begin(_ verifier: Secret, of message: String, to address: String) async {
        let entry = Entry(
            verifier: verifier, message: message, sentAt: now, isAnswered: false, address: FlowMemory.digest(address.lowercased())
        )
        write([entry] + entries.prefix(5))
        await flow.storeDeviceNotes()
    }

    /// Notes the answer to the request for a mail.
    ///
    /// - Parameters:
    ///   - verifier: The verifier of that mail.
    ///   - error: The refusal; `nil` if the mail was sent. A mail that may have been sent stays noted.
    public func end(_ verifier: Secret, _ error: AuthError? = nil) {
        var list = entries
        guard let place = list.firstIndex(where: { $0.verifier == verifier }) else { return }
        if let error {
            guard !error.mayHaveTakenEffect else { return }
            list.remove(at: place)
        } else {
            list[place].isAnswered = true
        }
        write(list)
    }

    /// Forgets the newest mail with this verifier: its answer has come, and the flow itself has what the link needs.
    ///
    /// - Parameter verifier: The verifier of that mail.
    public func remove(_ verifier: Secret) {
        var list = entries
        guard let place = list.firstIndex(where: { $0.verifier == verifier }) else { return }
        list.remove(at: place)
        write(list)
    }

    /// The verifiers of mails to an address, newest first.
    ///
    /// - Parameter address: The address.
    /// - Returns: the verifiers.
    public func verifiers(for address: String) -> [Secret] {
        let digest = FlowMemory.digest(address.lowercased())
        return entries.filter { $0.address == digest }.map(\.verifier)
    }

    /// Forgets the mails to an address: one of them has been used.
    ///
    /// - Parameter address: The address.
    public func forget(_ address: String) {
        let digest = FlowMemory.digest(address.lowercased())
        write(entries.filter { $0.address != digest })
    }

    /// Forgets the mails to the address that this verifier's mail went to.
    ///
    /// - Parameter verifier: The verifier that has been used.
    public func forget(allLike verifier: Secret) {
        guard let used = entries.first(where: { $0.verifier == verifier }) else { return }
        write(entries.filter { $0.address != used.address })
    }

    private func write(_ list: [Entry]) {
        flow[device: Self.note] = list.isEmpty ? nil : Secret(list.map(\.line).joined(separator: "\n"))
    }
}

extension SentVerifiers.Entry {
    fileprivate init?(_ line: Substring) {
        let parts = line.unicodeScalars.split(separator: " ").map(String.init)
        guard parts.count == 5, let milliseconds = Int64(parts[1]) else { return nil }
        self.init(
            verifier: Secret(parts[4]), message: parts[0], sentAt: Instant(milliseconds: milliseconds),
            isAnswered: parts[2] == "1",
            address: parts[3])
    }

    fileprivate var line: String {
        [message, String(sentAt.milliseconds), isAnswered ? "1" : "0", address, verifier.reveal()].joined(separator: " ")
    }
}

/// The codes and links that this device has used, for providers that give one error for used, old and unknown ones.
///
/// Digests of the newest eight are among the notes of the device.
public struct SpentProofs {
    private let flow: FlowMemory
    private let note: String

    /// The proofs under a note of the device.
    public init(in flow: FlowMemory, note: String) {
        self.flow = flow
        self.note = note
    }

    /// Remembers that a proof was used.
    ///
    /// - Parameter address: whom it was sent to, where the same code may be sent to others.
    public func insert(_ proof: Secret, for address: String = "") {
        flow[device: note] = Secret(([digest(proof, address)] + digests).prefix(8).joined(separator: ","))
    }

    /// Whether this device has used the proof.
    public func contains(_ proof: Secret, for address: String = "") -> Bool { digests.contains(digest(proof, address)) }

    private var digests: [String] { flow[device: note]?.reveal().pieces(at: ",").map(String.init) ?? [] }

    private func digest(_ proof: Secret, _ address: String) -> String {
        FlowMemory.digest(address.isEmpty ? proof.reveal() : address.lowercased() + "\n" + proof.reveal())
    }
}

extension FlowMemory {
    /// A digest that identifies a text without revealing it: 32 hexadecimal digits.
    public static func digest(_ text: String) -> String { String(Hex.encode(HashFunction.sha256.digest(text)).prefix(32)) }
}
