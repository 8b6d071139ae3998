import LockstepPrimitives

/// The files of `lockstep init --compose`: the emulators in a container, with keys that stay after a restart.
///
/// Other machines reach a container's ports if Docker publishes them, so they are published on 127.0.0.1 only, and the well-known keys
/// are never used.
enum ComposeFile {
    /// The file `.env`, which Compose reads, with new keys.
    static func variables(_ randomness: some Randomness) -> String {
        let bytes = Base64.encode(randomness.bytes(24), .standard)
        return """
            # Keys of the emulators in compose.yaml. They are random, and for tests only.
            GOTRUE_JWT_SECRET=\(randomness.text(48))
            SECRET_KEY=sk_test_\(randomness.text(40))
            WEBHOOK_SECRET=whsec_\(bytes)

            """
    }

    /// The file `compose.yaml`; the same file is in the package.
    static let text = """
        # The emulators in a container: lockstep init --compose writes this file, and .env with the keys. Then: docker compose up
        # The content of a config needs Docker Compose 2.23.1 or later.
        services:
          lockstep:
            image: ${LOCKSTEP_IMAGE:-lockstep}
            init: true
            command: [serve, --host, 0.0.0.0, --format, json, --env, gotrue=/gotrue.env, --env, clerk=/clerk.env]
            ports:
              - 127.0.0.1:4600-4603:4600-4603
            configs:
              - {source: gotrue, target: /gotrue.env}
              - {source: clerk, target: /clerk.env}
        configs:
          gotrue:
            content: |
              GOTRUE_JWT_SECRET=${GOTRUE_JWT_SECRET:?run lockstep init --compose}
          clerk:
            content: |
              SECRET_KEY=${SECRET_KEY:?run lockstep init --compose}
              WEBHOOK_SECRET=${WEBHOOK_SECRET:?run lockstep init --compose}

        """
}
