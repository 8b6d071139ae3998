/// The facts about this machine that the doctor checks.
package struct LocalMachine: Sendable {
    /// The release of the command.
    package var release: String
    /// The ports of emulators that are in use, each with the provider's name if an emulator uses it.
    package var busyPorts: [(port: Int, emulator: String?)]
    /// The maximum number of files that a process may open.
    package var openFiles: Int
    /// The environment variables that set a proxy, or that exclude hosts from it.
    package var proxies: [(name: String, value: String)]

    /// Creates the facts about a machine.
    ///
    /// - Parameters:
    ///   - release: The release of the command.
    ///   - busyPorts: The ports of emulators that are in use.
    ///   - openFiles: The maximum number of files that a process may open.
    ///   - proxies: The environment variables that set a proxy, or that exclude hosts from it.
    package init(
        release: String, busyPorts: [(port: Int, emulator: String?)], openFiles: Int, proxies: [(name: String, value: String)]
    ) {
        (self.release, self.busyPorts, self.openFiles, self.proxies) = (release, busyPorts, openFiles, proxies)
    }

    /// The findings about this machine.
    package var report: DoctorReport {
        let others = busyPorts.filter { $0.emulator == nil }.map { "\($0.port)" }
        let own = busyPorts.compactMap { port in port.emulator.map { "\($0) on \(port.port)" } }
        let ports: Judgement =
            !others.isEmpty
            ? .warn("Another program listens on \(others.joined(separator: ", ")).")
            : .info(
                own.isEmpty ? "The ports of the emulators are free." : "Emulators are running: \(own.joined(separator: ", ")).")
        let proxy = proxies.first { ["http_proxy", "all_proxy"].contains($0.name.lowercased()) && !$0.value.isEmpty }
        let exempt = proxies.filter { $0.name.lowercased() == "no_proxy" }.flatMap { $0.value.split(separator: "," as Character) }
        let isExempt = exempt.contains { ["127.0.0.1", "localhost", "*", "127.0.0.0/8"].contains($0.trimmed) }
        let way: Judgement =
            proxy == nil || isExempt
            ? .info("Requests for 127.0.0.1 do not go through a proxy.")
            : .warn("\(proxy?.name ?? "") sends requests for 127.0.0.1 to a proxy.")
        let findings = [
            finding("version", .info("This is lockstep \(release)."), "", "", "README.md"),
            finding(
                "ports", ports, "An emulator cannot start on a busy port. The dashboard uses a free port.",
                "Stop that program, or use lockstep serve --port 0.", "docs/emulators.md"),
            finding(
                "open-files",
                openFiles < 1024
                    ? .warn("A process can open up to \(openFiles) files.")
                    : .info("A process can open up to \(openFiles) files."),
                "The emulators and the dashboard turn clients away if they have too few open files.",
                "Raise the limit: ulimit -n 4096.",
                "docs/emulators.md"),
            finding(
                "proxy", way, "Emulators seem to be unreachable, or the proxy sees test data.",
                "Add 127.0.0.1 and localhost to NO_PROXY.",
                "docs/emulators.md"),
        ]
        return DoctorReport(provider: "machine", address: "this machine", findings: findings, requests: [], adapter: nil)
    }

    private func finding(_ name: String, _ judgement: Judgement, _ reason: String, _ remedy: String, _ page: String)
        -> DoctorFinding
    {
        let rule = Rule(
            id: "machine.\(name)", subject: name, source: .date, reason: reason, remedy: remedy, link: page,
            touches: "lockstep serve"
        ) { _, _ in nil }
        return DoctorFinding(rule: rule, level: judgement.level, sentence: judgement.sentence)
    }
}
