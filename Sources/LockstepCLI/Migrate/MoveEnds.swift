import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepHTTP
import LockstepMigration
import LockstepPrimitives

/// The source and the target of a move, with the details of each provider that the engine does not know.
struct MoveEnds: Sendable {
    let source: MoveSource
    /// The adapter that signs in on the target like an app; `nil` without the required public key.
    var adapter: (any AuthAdapter)? { opened.adapter }
    /// The name that `--confirm` must repeat for a target on another machine.
    var targetName: String { opened.name }
    var isTargetHere: Bool { opened.isHere }
    private let origin: MoveProvider.Source
    private let opened: MoveProvider.Target
    /// The provider of the target.
    let provider: MoveProvider
    /// The source's word in the file.
    private let from: String

    /// The name of a source that is a file in the neutral format.
    static let file = "file"

    /// Creates the source and the target that a file names.
    ///
    /// - Parameters:
    ///   - transport: The transport for requests to both sides.
    /// - Throws: ``UsageError`` if a side is invalid; `AuthError` if the source does not respond.
    init(_ file: MoveFile, transport: any HTTPTransport = CurlTransport()) async throws {
        guard let provider = MoveProvider.named(file.to.provider), file.from.provider != provider.name else {
            throw UsageError("\(file.path): both sides are \(file.to.provider). Users move from one provider to another.")
        }
        func side(_ end: MoveFile.End, _ name: String) -> MoveProvider.Side {
            MoveProvider.Side(end: end, name: name, file: file, transport: transport)
        }
        let origin =
            if let source = MoveProvider.named(file.from.provider) {
                try await source.openSource(side(file.from, "from"))
            } else {
                try await Self.users(side(file.from, "from"))
            }
        var source = origin.source
        MoveProvider.named(source.directory.name)?.declare(&source)
        source.profile = file.from.profile
        var opened = try await provider.openTarget(side(file.to, "to"))
        opened.target.profile = file.to.profile
        guard file.choices.unverifiedAddresses != .unclaimed || opened.target.reservesAddresses else {
            throw UsageError(
                "\(file.path): \(opened.target.title) reserves no unverified addresses, so \"unverifiedAddresses\" cannot be \"unclaimed\". Use \"keep\" or \"withoutPassword\"."
            )
        }
        self.init(file.from.provider, source, origin, opened, provider)
    }

    /// Creates the ends of a rehearsal: the real source, and an emulator with the settings of the real target.
    ///
    /// - Parameter side: The emulator, as a side of `move.json`.
    init(rehearsing real: MoveEnds, on side: MoveProvider.Side) async throws {
        var emulator = try await real.provider.openTarget(side)
        (emulator.target.settings, emulator.target.profile) = (real.target.settings, real.target.profile)
        self.init(real.from, real.source, real.origin, emulator, real.provider)
    }

    private init(
        _ from: String, _ source: MoveSource, _ origin: MoveProvider.Source, _ opened: MoveProvider.Target,
        _ provider: MoveProvider
    ) {
        (self.from, self.source, self.origin, self.opened, self.provider) = (from, source, origin, opened, provider)
    }

    var target: MoveTarget { opened.target }
    /// The member of the file with the public key for sign-ins on the target.
    var publicKey: String { provider.publicKey }
    /// The source, for people: the project or the address.
    var sourcePlace: String { origin.place }

    /// The first printed lines: provider, address, and the origin of each key.
    var header: [String] {
        let (from, to) = (origin.place, opened.place)
        let width = max(from.count, to.count) + 4
        func line(_ side: String, _ name: String, _ place: String, _ key: String) -> String {
            (side + name + String(repeating: " ", count: 10 - name.count) + place
                + String(repeating: " ", count: width - place.count) + "key: \(key)").visible
        }
        return [line("from  ", self.from, from, origin.key), line("to    ", provider.name, to, opened.key)]
    }

    /// Requires a confirmation of a target on another machine, if it has users.
    ///
    /// - Parameter confirmed: The name that the operator has repeated; `nil` for none.
    /// - Throws: ``UsageError`` with the name; `AuthError` if the target does not respond.
    func requireConfirmation(_ confirmed: String?) async throws {
        guard !opened.isHere, confirmed != targetName else { return }
        guard try await target.directory.page(after: nil, size: 1).users.isEmpty else {
            throw UsageError(
                "the target is another machine and has users. If this is the right target, add --confirm \(targetName).")
        }
    }

    /// Checks that all members of each side belong to the same project.
    ///
    /// - Throws: ``UsageError`` if a side names two projects; `AuthError` if one of them does not respond.
    func requireOneProject() async throws {
        try await origin.requireOneProject()
        try await opened.requireOneProject()
    }

    private static func users(_ side: MoveProvider.Side) async throws -> MoveProvider.Source {
        let form: UserFileForm
        do { form = try await UserFileForm(side) } catch {
            throw UserFilePlace.usage(error, side.end.texts["file"] ?? "")
        }
        let directory = try FileDirectory(form)
        let project = directory.header.project
        var source = MoveSource(directory, project: project)
        source.form = { directory.sourceForm }
        source.tenants = { () async throws(AuthError) in
            do { return try await form.countTenants() } catch { throw AuthError(.invalidConfiguration, "\(error)") }
        }
        return MoveProvider.Source(
            source: source, place: (["project \(project)"] + [form.title].compactMap(\.self)).joined(separator: ", ").visible,
            key: "\(form.hashes ?? "none") (\(directory.backend))")
    }
}
