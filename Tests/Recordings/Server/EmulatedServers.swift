internal import LockstepEmulation
internal import LockstepFirebaseEmulator
internal import LockstepGoTrueEmulator
internal import LockstepPrimitives
internal import LockstepSystem
internal import LockstepTestSupport
internal import LockstepTokens

/// The emulators for a conversation: new ones for each, with a manual clock.
struct EmulatedServers {
    let tested: TestedServer
    private let running: [any RunningEmulator]

    /// Starts the servers that the recording needs.
    ///
    /// - Throws: ``RecordingError`` for an unknown provider or configuration, and the errors of a start.
    init(for recording: Recording, settings folder: String, issuerKey: SigningKey) throws {
        var options = EmulatorOptions()
        let still = FixedClock()
        options.clock = ManualClock(base: still)
        switch recording.provider {
        case "firebase":
            var settings = FirebaseSettings(mode: .emulator)
            settings.hashing.memoryCost = 1
            settings.project = "demo-recorded"
            running = [try FirebaseEmulator.start(settings, options)]
        case "gotrue":
            let pairs = try Self.settings(of: recording, in: folder)
            let side = try SideServers(issuerPort: 0, hookPort: 0, issuerKey: issuerKey)
            let own = pairs.map { pair in
                switch pair.name {
                case "GOTRUE_EXTERNAL_KEYCLOAK_URL": (name: pair.name, value: side.issuer)
                case "GOTRUE_HOOK_SEND_SMS_URI": (name: pair.name, value: side.hook + "/sms-faults")
                default: pair
                }
            }
            do {
                let settings = try GoTrueSettings(environment: own + [("LOCKSTEP_PASSWORD_COST", "least")])
                running = [try GoTrueEmulator.start(settings, options: options)] + side.running
            } catch {
                side.stop()
                throw error
            }
        default:
            throw RecordingError(recording.id, "no emulator is held to recordings of \"\(recording.provider)\"")
        }
        var tested = try TestedServer(running[0].ready.json, from: "the ready line")
        tested.clock = still
        // Its messages are there before its responses.
        tested.mailTimeout = .zero
        tested.reset = nil
        self.tested = tested
    }

    func stop() {
        for server in running { server.stop() }
    }

    private static func settings(of recording: Recording, in folder: String) throws -> [(name: String, value: String)] {
        let path = "\(folder)/\(recording.variant).env"
        guard let bytes = try AtomicFile.read(path) else {
            throw RecordingError(
                recording.id, "there are no settings for the variant \"\(recording.variant)\": \(path) is missing")
        }
        return try EnvironmentFile.parse(String(decoding: bytes, as: UTF8.self))
    }
}
