public import Lockstep
internal import LockstepCrypto
public import LockstepPrimitives

/// A pair of random values that binds a link to the device that requested it.
///
/// This is PKCE with `S256` (RFC 7636).
public struct ProofKey: Sendable {
    /// The secret value, which stays on the device until the link is opened.
    public let verifier: Secret
    /// The digest of the verifier, which the request for the message contains.
    public let challenge: String

    /// Creates a new pair.
    ///
    /// The verifier has 86 characters, which encode 64 random bytes.
    ///
    /// - Parameter randomness: The source of the random bytes.
    public init(_ randomness: any Randomness) {
        let text = Base64.encode(randomness.bytes(64), .url)
        verifier = Secret(text)
        challenge = Self.challenge(of: verifier)
    }

    /// Returns the challenge of a verifier, as a server computes it.
    public static func challenge(of verifier: Secret) -> String {
        Base64.encode(HashFunction.sha256.digest(verifier.reveal()), .url)
    }
}

/// The verifiers of the emails that this device has requested.
///
/// The device stores the newest six verifiers in its notes, for the lifetime of a flow. The device stores a verifier
/// before it requests the email. So the link in the email works even if the process ends before the response arrives.
/// The link also works if a later flow for the same address got no email.
public struct SentVerifiers {
    /// A verifier and the email that it belongs to.
    public struct Entry: Sendable, Equatable {
        /// The verifier of the email.
        ///
        /// If the backend binds the link only to the email address, this value is the email address.
        public let verifier: Secret
        /// The adapter's own name for this kind of email.
        public let message: String
        /// The time when the email was requested.
        public let sentAt: Instant
        /// Whether the backend has responded to the request for the email.
        ///
        /// If so, the flow has also stored the verifier.
        public fileprivate(set) var isAnswered: Bool
        fileprivate let address: String
    }

    private let flow: FlowMemory
    private let now: Instant
    private static let note = "sentVerifiers"

    /// Opens the verifiers that a device has stored.
    ///
    /// - Parameters:
    ///   - flow: The memory of a flow, which contains the notes of the device.
    ///   - now: The current time. Expired verifiers are left out.
    public init(in flow: FlowMemory, at now: Instant) {
        self.flow = flow
        self.now = now
    }

    /// All verifiers that have not expired, newest first.
    public var entries: [Entry] {
        let lines = flow[device: Self.note]?.reveal().unicodeScalars.split(separator: "\n") ?? []
        return lines.compactMap { Entry(Substring($0)) }.filter { now - $0.sentAt <= Flow.longestLife }
    }

    /// Stores a verifier.
    ///
    /// Call this method before you request the email.
    ///
    /// - Parameters:
    ///   - message: The adapter's own name for this kind of email.
    ///   - address: The recipient of the email. Only a digest of the address is stored.
    public func begin(_ verifier: Secret, of message: String, to address: String) async {
        let entry = Entry(
            verifier: verifier, message: message, sentAt: now, isAnswered: false, address: FlowMemory.digest(address.lowercased())
        )
        write([entry] + entries.prefix(5))
        await flow.storeDeviceNotes()
    }

    /// Records the response to the request for an email.
    ///
    /// If the request failed and no email was sent, the verifier is removed. If the email may have been sent, the
    /// device keeps the verifier.
    ///
    /// - Parameters:
    ///   - error: The error of the request; `nil` if the email was sent.
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

    /// Removes a verifier that the flow itself has stored.
    ///
    /// Call this method when the response has arrived and the flow has stored the values that the link needs.
    ///
    /// - Parameter verifier: The verifier of the email.
    public func remove(_ verifier: Secret) {
        var list = entries
        guard let place = list.firstIndex(where: { $0.verifier == verifier }) else { return }
        list.remove(at: place)
        write(list)
    }

    /// Returns the verifiers of all emails to an address, newest first.
    ///
    /// - Parameter address: The recipient of the emails.
    public func verifiers(for address: String) -> [Secret] {
        let digest = FlowMemory.digest(address.lowercased())
        return entries.filter { $0.address == digest }.map(\.verifier)
    }

    /// Removes the verifiers of all emails to an address.
    ///
    /// Call this method after the user has used a link in one of these emails.
    ///
    /// - Parameter address: The recipient of the emails.
    public func forget(_ address: String) {
        let digest = FlowMemory.digest(address.lowercased())
        write(entries.filter { $0.address != digest })
    }

    /// Removes the verifiers of all emails that were sent to the same address as this verifier's email.
    ///
    /// - Parameter verifier: The verifier of the email with the used link.
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

/// The codes and links that this device has already used.
///
/// Some providers return the same error for a used, an old and an unknown code. This list distinguishes them. So the
/// device stores digests of the newest eight codes and links in its notes.
public struct SpentProofs {
    private let flow: FlowMemory
    private let note: String

    /// Opens the list of a device.
    ///
    /// - Parameters:
    ///   - flow: The memory of a flow, which contains the notes of the device.
    ///   - note: The name of the note that contains the list.
    public init(in flow: FlowMemory, note: String) {
        self.flow = flow
        self.note = note
    }

    /// Adds a code or link to the list.
    ///
    /// - Parameters:
    ///   - proof: The code or link that was used. The device stores only a digest of this value.
    ///   - address: The recipient, if several recipients can get the same code.
    public func insert(_ proof: Secret, for address: String = "") {
        flow[device: note] = Secret(([digest(proof, address)] + digests).prefix(8).joined(separator: ","))
    }

    /// Returns whether this device has used a code or link before.
    ///
    /// - Parameters:
    ///   - address: The recipient, if several recipients can get the same code.
    /// - Returns: Whether the code or link was used.
    public func contains(_ proof: Secret, for address: String = "") -> Bool { digests.contains(digest(proof, address)) }

    private var digests: [String] { flow[device: note]?.reveal().pieces(at: ",").map(String.init) ?? [] }

    private func digest(_ proof: Secret, _ address: String) -> String {
        FlowMemory.digest(address.isEmpty ? proof.reveal() : address.lowercased() + "\n" + proof.reveal())
    }
}

extension FlowMemory {
    /// Returns a digest of a text, which identifies the text without revealing it.
    ///
    /// - Returns: The digest: 32 hexadecimal digits.
    public static func digest(_ text: String) -> String { String(Hex.encode(HashFunction.sha256.digest(text)).prefix(32)) }
}
