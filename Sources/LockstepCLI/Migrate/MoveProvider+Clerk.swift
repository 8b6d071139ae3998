import LockstepClerk
import LockstepClerkDirectory
import LockstepDirectory
import LockstepMigration
import LockstepPrimitives

extension MoveProvider {
    static let clerk = MoveProvider(
        name: "clerk", title: "Clerk", texts: ["url", "publicKey"], secrets: ["key"], publicKey: "publicKey",
        starterSource: ([:], ""),
        starterTarget: (
            ["key": ["env": "CLERK_SECRET_KEY"]],
            """
            - `to.key`: the secret key of the target's instance, here in an environment variable.
            - `to.publicKey` (not in the file): the publishable key of the instance, for `verify --canaries`.
            - `externalID` (not in the file): `overwrite` writes the ids of the source as external ids although the app uses external
              ids. Default: `stop`.
            - `newDevices` (not in the file): `bypass` lets the temporary users of `verify --canaries` sign in without a code.
            """
        ),
        declare: { _ in },
        openSource: { side in
            throw UsageError("\(side.file.path): users cannot move from Clerk yet, only to Clerk. Choose another source.")
        },
        openTarget: { side in
            let opened = try ClerkSide(side)
            let instance = try await opened.directory.instance()
            let adapter = try side.end.texts["publicKey"].map { key in
                try ClerkAdapter(
                    publishableKey: key, url: opened.isHere ? opened.directory.address : nil, transport: side.transport)
            }
            return Target(
                target: .clerk(
                    opened.directory, api: opened.directory, project: instance, mailsPerHour: side.file.mailsPerHour,
                    trustsNewDevices: side.file.trustsNewDevices),
                place: "instance \(instance)".visible, key: opened.key, name: instance, isHere: opened.isHere, adapter: adapter)
        },
        startDemo: { provider, _ in try DemoClerk(provider) })
}

/// An instance that a side of `move.json` names.
private struct ClerkSide {
    let directory: ClerkDirectory
    let key: String
    let isHere: Bool

    init(_ side: MoveProvider.Side) throws {
        let key = try side.secret("key")
        let url = side.end.texts["url"] ?? ClerkDirectory.clerk
        isHere = Providers.isThisMachine(url)
        // An emulator has no limit of requests unless its settings say so; then it answers 429, and the run waits.
        directory = try ClerkDirectory(
            secretKey: key.secret, url: url, transport: side.transport, limiter: isHere ? RequestLimiter() : nil)
        self.key = key.name
    }
}
