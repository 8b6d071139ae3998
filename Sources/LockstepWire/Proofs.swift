public import Lockstep
internal import LockstepCrypto
public import LockstepPrimitives

/// Binds a link to the device that requested it (PKCE with `S256`, RFC 7636).
public struct ProofKey: Sendable {
    /// The verifier.
    ///
    /// It stays on the device until the link is opened.
    public let verifier: Secret
    /// The challenge.
    ///
    /// It is sent with the request for the message.
    public let challenge: String

    /// Creates a new pair.
    ///
    /// The verifier has 86 characters, from 64 random bytes.
    ///
    /// - Parameter randomness: The source of the verifier.
    public init(_ randomness: any Randomness) {
        let text = Base64.encode(randomness.bytes(64), .url)
        verifier = Secret(text)
        challenge = Base64.encode(HashFunction.sha256.digest(text), .url)
    }
}

/// The verifiers of emails that have been sent or requested, stored in the device's notes.
///
/// A verifier is stored before the request for its email. So a link can be exchanged even if the process ended before the
/// response, or if a later flow for the same address gets no email of its own. The newest six are kept, for the lifetime
/// of a flow.
public struct SentVerifiers {
    /// A verifier and the email that it belongs to.
    public struct Entry: Sendable, Equatable {
        /// The verifier.
        ///
        /// If the backend binds a link only to the email address, it is the address.
        public let verifier: Secret
        /// The adapter's name for the kind of email.
        public let message: String
        /// The time of the request for the email.
        public let sentAt: Instant
        /// Whether the backend has responded to the request.
        ///
        /// Then the flow itself has the verifier.
        public fileprivate(set) var isAnswered: Bool
        fileprivate let address: String
    }

    private let flow: FlowMemory
    private let now: Instant
    private static let note = "sentVerifiers"

    /// Reads the verifiers of a device.
    ///
    /// - Parameters:
    ///   - flow: The flow memory that has the device's notes.
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

    /// Stores a verifier before the request for its email.
    ///
    /// - Parameters:
    ///   - verifier: The verifier.
    ///   - message: The adapter's name for the kind of email.
    ///   - address: The email address. Only a digest of it is stored.
    public func begin(_ verifier: Secret, of message: String, to address: String) async {
        let entry = Entry(
            verifier: verifier, message: message, sentAt: now, isAnswered: false, address: FlowMemory.digest(address.lowercased())
        )
        write([entry] + entries.prefix(5))
        await flow.storeDeviceNotes()
    }

    /// Records the response to the request for an email.
    ///
    /// - Parameters:
    ///   - verifier: The verifier of that email.
    ///   - error: The error; `nil` if the email was sent. An email that may have been sent stays stored.
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

    /// Removes the newest email with this verifier, after its response has arrived and the flow itself has what the link
    /// needs.
    ///
    /// - Parameter verifier: The verifier of that email.
    public func remove(_ verifier: Secret) {
        var list = entries
        guard let place = list.firstIndex(where: { $0.verifier == verifier }) else { return }
        list.remove(at: place)
        write(list)
    }

    /// Returns the verifiers of emails to an address, newest first.
    ///
    /// - Parameter address: The email address.
    /// - Returns: The verifiers.
    public func verifiers(for address: String) -> [Secret] {
        let digest = FlowMemory.digest(address.lowercased())
        return entries.filter { $0.address == digest }.map(\.verifier)
    }

    /// Removes the emails to an address, after one of them has been used.
    ///
    /// - Parameter address: The email address.
    public func forget(_ address: String) {
        let digest = FlowMemory.digest(address.lowercased())
        write(entries.filter { $0.address != digest })
    }

    /// Removes the emails to the address of this verifier's email.
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

/// The codes and links that this device has used.
///
/// Some providers return the same error for used, old and unknown ones.
///
/// Digests of the newest eight are stored in the device's notes.
public struct SpentProofs {
    private let flow: FlowMemory
    private let note: String

    /// Reads the used codes and links of a device.
    ///
    /// - Parameters:
    ///   - flow: The flow memory that has the device's notes.
    ///   - note: The name of the note.
    public init(in flow: FlowMemory, note: String) {
        self.flow = flow
        self.note = note
    }

    /// Stores a digest of a used code or link.
    ///
    /// - Parameters:
    ///   - proof: The code or link.
    ///   - address: The recipient, if several recipients can get the same code.
    public func insert(_ proof: Secret, for address: String = "") {
        flow[device: note] = Secret(([digest(proof, address)] + digests).prefix(8).joined(separator: ","))
    }

    /// Returns whether this device has used a code or link.
    ///
    /// - Parameters:
    ///   - proof: The code or link.
    ///   - address: The recipient, if several recipients can get the same code.
    /// - Returns: Whether it was used.
    public func contains(_ proof: Secret, for address: String = "") -> Bool { digests.contains(digest(proof, address)) }

    private var digests: [String] { flow[device: note]?.reveal().pieces(at: ",").map(String.init) ?? [] }

    private func digest(_ proof: Secret, _ address: String) -> String {
        FlowMemory.digest(address.isEmpty ? proof.reveal() : address.lowercased() + "\n" + proof.reveal())
    }
}

extension FlowMemory {
    /// Returns a digest that identifies a text without revealing it: 32 hexadecimal digits.
    ///
    /// - Parameter text: The text.
    /// - Returns: The digest.
    public static func digest(_ text: String) -> String { String(Hex.encode(HashFunction.sha256.digest(text)).prefix(32)) }
}
