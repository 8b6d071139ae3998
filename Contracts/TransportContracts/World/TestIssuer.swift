import LockstepContracts
import LockstepSystem

/// A certificate issuer for one check.
///
/// The `openssl` command creates it.
struct TestIssuer: Sendable {
    /// The files of a certificate and its key.
    struct Identity: Sendable {
        let certificate: String
        let key: String
    }

    private let folder: String
    /// The path of the issuer's own certificate.
    var certificate: String { "\(folder)/issuer.pem" }

    init() async throws {
        folder = try Folder.makeTemporary()
        try await Self.openssl(
            ["req", "-x509"] + Self.newKey + [
                "-keyout", "\(folder)/issuer.key", "-out", "\(folder)/issuer.pem", "-days", "2", "-subj", "/CN=Test issuer",
            ])
    }

    /// Removes all files of the issuer.
    func remove() {
        try? Folder.remove(folder)
    }

    /// Issues a certificate for a name or an address (`DNS:…`, `IP:…`), or only for a common name.
    ///
    /// It is valid now, or expired in 2020.
    func issue(
        _ name: String, to subject: String?, commonName: String = "server", isExpired: Bool = false
    ) async throws -> Identity {
        let base = "\(folder)/\(name)"
        let settings = """
            [ca]
            default_ca = this
            [this]
            database = \(base).index
            new_certs_dir = \(folder)
            serial = \(base).serial
            default_md = sha256
            policy = any
            copy_extensions = copy
            [any]
            commonName = supplied
            """
        try AtomicFile.replace("\(base).cnf", with: Array(settings.utf8))
        try AtomicFile.replace("\(base).index", with: [])
        try AtomicFile.replace("\(base).serial", with: Array("01".utf8))
        try await Self.openssl(
            ["req"] + Self.newKey
                + [
                    "-keyout", "\(base).key", "-out", "\(base).csr", "-subj", "/CN=\(commonName)",
                ] + (subject.map { ["-addext", "subjectAltName=\($0)"] } ?? []))
        let dates = isExpired ? ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"] : ["-days", "1"]
        try await Self.openssl(
            ["ca", "-batch", "-notext", "-config", "\(base).cnf", "-cert", certificate, "-keyfile", "\(folder)/issuer.key"]
                + ["-in", "\(base).csr", "-out", "\(base).pem"] + dates)
        return Identity(certificate: "\(base).pem", key: "\(base).key")
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    private static func openssl(_ arguments: [String]) async throws {
        let outcome: ChildProcess.Outcome
        do {
            outcome = try await ChildProcess.run("openssl", arguments)
        } catch let error as SystemError where error.code == SystemError.noSuchFile {
            throw EnvironmentError("the openssl command, which creates the certificates, is not installed")
        }
        guard outcome.status == 0 else {
            throw EnvironmentError(
                "openssl \(arguments[0]) failed: \(String(decoding: outcome.errors.suffix(300), as: UTF8.self))")
        }
    }
}
