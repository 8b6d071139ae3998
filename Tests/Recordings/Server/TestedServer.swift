public import LockstepPrimitives

/// A server for recordings: its address and its controls.
///
/// `lockstep serve` prints this document as one line when it is ready.
public struct TestedServer: Sendable {
    /// Its base address, which can have a path.
    public var base: String
    /// Other servers of the conversation, by name: `issuer`.
    public var bases: [String: String] = [:]
    /// An inbox with Mailpit's API.
    public var inbox: String?
    /// The text messages: a JSON list of `{to, text, code}`, the newest first.
    public var messages: String?
    /// Moves its clock.
    ///
    /// `{s}` is replaced by the seconds.
    public var advance: String?
    /// Whether `advance` makes stored values older, and the clock stands still.
    public var movesRows = false
    /// Deletes all of its data.
    public var reset: String?
    /// Headers for `advance` and `reset`.
    public var control: [(name: String, value: String)] = []
    /// The values of `${env.NAME}` in recordings.
    public var variables: JSONObject = [:]
    /// The server's clock before any move.
    public var clock: any DeviceClock = SystemClock()
    /// The longest time that a message can take.
    public var mailTimeout: Duration = .seconds(5)

    /// A server of which only the address is known.
    ///
    /// Recordings that read mail or move time fail there.
    public init(base: String) { self.base = base }

    /// Reads the document.
    ///
    /// - Throws: ``RecordingError`` if it names no address.
    public init(_ document: JSON, from place: String) throws(RecordingError) {
        guard let base = document["base"]?.string, base.contains("://") else {
            throw RecordingError(place, "\"base\" must be the address of the server")
        }
        self.init(base: base)
        inbox = document["inbox"]?.string
        messages = document["sms"]?.string
        advance = document["advance"]?.string
        movesRows = document["advance_moves"]?.string == "rows"
        reset = document["reset"]?.string
        control = (document["control"]?.object ?? [:]).map { (name: $0.name, value: $0.value.string ?? "") }
        variables = document["vars"]?.object ?? [:]
        for (name, value) in document["bases"]?.object ?? [:] { bases[name] = value.string }
    }

    /// The initial values of conversations.
    func bindings(_ randomness: any Randomness) -> Bindings {
        var values = ["env.base": JSON.string(base)]
        for (name, base) in bases { values["env.\(name)"] = .string(base) }
        for (name, value) in variables { values["env.\(name)"] = value }
        return Bindings(values, randomness: randomness)
    }
}
