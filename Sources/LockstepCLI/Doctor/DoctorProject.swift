import LockstepCurl
import LockstepDoctor
import LockstepFirebaseDirectory
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepWire

/// The project on the command line, with the keys from the environment.
struct DoctorProject {
    private let provider: String
    private let invocation: Invocation
    private let terminal: Terminal
    /// The ready line of the project, if it is an emulator of this user: what a server says about itself proves nothing.
    private let emulator: JSON?

    init(_ provider: String, _ invocation: Invocation, _ terminal: Terminal) throws(UsageError) {
        (self.provider, self.invocation, self.terminal) = (provider, invocation, terminal)
        emulator = try Self.emulator(provider, invocation)
    }

    /// Returns the ready line of the emulator at the project's address, or of the running emulator if no project is named.
    private static func emulator(_ provider: String, _ invocation: Invocation) throws(UsageError) -> JSON? {
        let documents = (try ReadyLines.found(by: invocation) ?? []).flatMap(\.documents).filter {
            $0["provider"]?.string == provider
        }
        let (address, key) = Self.names[provider] ?? ("", "")
        guard let named = invocation["url"] ?? variable(address) else {
            return variable(key) == nil && !invocation.has("project") ? documents.first : nil
        }
        return documents.first { place($0["base"]?.string ?? "")?.exact == place(named)?.exact }
    }

    /// The variables with the address and with the public key of a project.
    private static let names = [
        "gotrue": ("SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY"), "firebase": ("FIREBASE_AUTH_EMULATOR_HOST", "FIREBASE_API_KEY"),
        "clerk": ("CLERK_PROXY_URL", "CLERK_PUBLISHABLE_KEY"),
    ]

    /// Returns the port of an address of this machine; `nil` for any other address.
    private static func place(_ address: String) -> String? {
        let rest = address.hasPrefix("http://") ? address.dropFirst("http://".count) : address[...]
        let (host, port) = rest.cut(at: "/").head.cut(atLast: ":")
        return ["127.0.0.1", "localhost", "[::1]"].contains(host) ? String(port) : nil
    }

    /// Returns the doctor for the project.
    ///
    /// - Throws: ``UsageError`` if an address or a key is missing.
    func doctor() async throws -> Doctor {
        guard provider == "firebase" || !invocation.has("probe") else {
            throw UsageError("--probe works only with firebase. Remove it.")
        }
        let transport = CurlTransport()
        let clock = SystemClock()
        switch provider {
        case "gotrue":
            let url = try goTrueAddress()
            let key = try await key(["SUPABASE_PUBLISHABLE_KEY", "SUPABASE_ANON_KEY"], "The project's publishable key")
            return .goTrue(
                url: url, key: key, managementToken: secret("SUPABASE_ACCESS_TOKEN"),
                project: invocation["project"] ?? text("SUPABASE_PROJECT_REF"),
                serviceKey: secret("SUPABASE_SERVICE_ROLE_KEY") ?? secret("SUPABASE_SECRET_KEY"),
                emulator: emulator.map {
                    let header = $0["control"]?["Authorization"]?.string ?? ""
                    return DoctorEmulator(
                        base: $0["base"]?.string ?? "", token: Secret(String(header.dropFirst("Bearer ".count))))
                }, transport: transport, clock: clock)
        case "firebase":
            let host = text("FIREBASE_AUTH_EMULATOR_HOST").map { "http://" + $0 }
            let url = try (invocation["url"] ?? host).map { try address($0, "emulator's address") }
            let key: Secret =
                if let url, !url.isEmpty { secret("FIREBASE_API_KEY") ?? "fake-api-key" } else {
                    try await key(["FIREBASE_API_KEY"], "The project's web API key")
                }
            let token = url == nil ? secret("FIREBASE_ACCESS_TOKEN") : "owner"
            let account = token == nil ? try serviceAccount() : nil
            let named = invocation["project"] ?? text("GOOGLE_CLOUD_PROJECT") ?? text("GCLOUD_PROJECT")
            return .firebase(
                apiKey: key, project: named ?? account?.project, accessToken: token,
                grant: account.map { AccessGrant(of: $0, transport: transport, clock: clock) }, url: url,
                probes: invocation.has("probe"), isEmulator: emulator != nil, transport: transport, clock: clock)
        default:
            let proxy = try (invocation["url"] ?? text("CLERK_PROXY_URL")).map { try address($0, "front-end API's address") }
            let key = try await key(["CLERK_PUBLISHABLE_KEY"], "The instance's publishable key")
            let api = try text("CLERK_API_URL").map { try address($0, "back-end API's address") } ?? "https://api.clerk.com"
            return try .clerk(
                publishableKey: key, url: proxy, secretKey: secret("CLERK_SECRET_KEY"), backendURL: api,
                isEmulator: emulator != nil, transport: transport, clock: clock)
        }
    }

    private func goTrueAddress() throws -> String {
        if let url = invocation["url"] {
            let url = try address(url, "API address")
            return url.hasSuffix(".supabase.co") ? url + "/auth/v1" : url
        }
        guard let url = text("SUPABASE_URL") else {
            throw UsageError("\"lockstep doctor gotrue\" needs an address. Add --url, or set SUPABASE_URL.")
        }
        let project = try address(url, "API address")
        return project.hasSuffix("/auth/v1") ? project : project + "/auth/v1"
    }

    private func address(_ text: String, _ name: String) throws -> String {
        do {
            return try BackendAddress(text, called: name).url
        } catch {
            throw UsageError(error.message)
        }
    }

    private func key(_ names: [String], _ label: String) async throws -> Secret {
        for name in names {
            if let key = secret(name) { return key }
        }
        guard StandardStream.input.isTerminal else {
            throw UsageError("\"lockstep doctor\" needs a key. Set \(names.listedAsChoice).")
        }
        let typed = try? await Dialogue(terminal, InputLines()).askUnseen(label)
        guard let typed, !typed.isEmpty else {
            throw UsageError("\"lockstep doctor\" needs a key. Type it, or set \(names.listedAsChoice).")
        }
        return Secret(typed)
    }

    /// The service account that GOOGLE_APPLICATION_CREDENTIALS names, as Google's own libraries read it.
    private func serviceAccount() throws(UsageError) -> FirebaseServiceAccount? {
        guard let path = text("GOOGLE_APPLICATION_CREDENTIALS") else { return nil }
        let contents = try NamedFile(path, as: NamedFile.Use("service account", limit: 1)).text()
        do throws(AuthError) {
            return try FirebaseServiceAccount(contents: Secret(contents))
        } catch {
            throw UsageError(
                "the file that GOOGLE_APPLICATION_CREDENTIALS names cannot be used. \(error.message) You can also set FIREBASE_ACCESS_TOKEN."
            )
        }
    }

    private func text(_ name: String) -> String? {
        Self.variable(name) ?? emulator?["environment"]?[name]?.string
    }
    private static func variable(_ name: String) -> String? { Environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    private func secret(_ name: String) -> Secret? { text(name).map { Secret($0) } }
}

extension AccessGrant {
    /// Creates a grant for a service account.
    ///
    /// - Parameters:
    ///   - transport: Sends the request.
    ///   - clock: The clock of this machine.
    init(of account: FirebaseServiceAccount, transport: some HTTPTransport, clock: any DeviceClock) {
        self.init(address: account.tokenAddress) { () async throws(DoctorError) in
            do throws(AuthError) {
                return try await account.accessToken(transport: transport, clock: clock, deadline: .seconds(10))
            } catch {
                throw DoctorError(
                    "\"\(account.tokenAddress)\" issued no access token. \(error.message)", isUsage: false,
                    isRejectedKey: error.code == .invalidKey)
            }
        }
    }
}

extension LocalMachine {
    /// Returns the state of this machine.
    static func current() async throws -> LocalMachine {
        let transport = CurlTransport()
        var busy: [(port: Int, emulator: String?)] = []
        let lines = ReadyLines.running().flatMap(\.documents)
        func owner(of port: Int) -> String? {
            let address = "http://127.0.0.1:\(port)"
            if let line = lines.first(where: { $0["base"]?.string == address }) { return line["provider"]?.string }
            return lines.contains { $0["dashboard"]?.string?.hasPrefix(address + "/") ?? false } ? "dashboard" : nil
        }
        for port in 4600...4603 {
            let request = HTTPRequest(
                .get, "http://127.0.0.1:\(port)/__lockstep/ready", deadline: .seconds(2), connectDeadline: .seconds(1))
            do throws(HTTPFailure) {
                _ = try await transport.send(request)
                busy.append((port, owner(of: port)))
            } catch {
                if error.code != .cannotConnect { busy.append((port, owner(of: port))) }
            }
        }
        let names = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        let proxies = names.compactMap { name in Environment[name].map { (name: name, value: $0) } }
        let release = Release.version + (Release.commit.map { " (commit \($0.prefix(12)))" } ?? "")
        return LocalMachine(release: release, busyPorts: busy, openFiles: OpenFiles.limit, proxies: proxies)
    }
}
