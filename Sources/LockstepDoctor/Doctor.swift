internal import LockstepHTTP
internal import LockstepPrimitives

/// Checks the settings of a project.
///
/// The doctor sends a few GET requests and changes nothing.
package struct Doctor: Sendable {
    /// The requests, with the required keys.
    let readings: [Reading]
    let rules: [Rule]
    let provider: String
    let address: String
    /// The finding about the keys that prevents requests; `nil` if requests may be sent.
    let keyFinding: DoctorFinding?
    /// The request for an access token; `nil` if no reading needs one.
    let grant: AccessGrant?
    /// Why an answer is not asked for, in one sentence.
    let omitted: [Source: String]
    /// The rule about an administrator's key that the project rejects.
    let rejectedKey: Rule
    let adapter: @Sendable (Facts) -> String
    /// Whether the project is an emulator that this user has started.
    private let isEmulator: Bool
    private let transport: any HTTPTransport
    private let clock: any DeviceClock

    init(
        provider: String, address: String, readings: [Reading], rules: [Rule], rejectedKey: Rule,
        keyFinding: DoctorFinding?, grant: AccessGrant? = nil, omitted: [Source: String] = [:], isEmulator: Bool,
        transport: any HTTPTransport,
        clock: any DeviceClock,
        adapter: @escaping @Sendable (Facts) -> String
    ) {
        (self.grant, self.omitted, self.isEmulator) = (grant, omitted, isEmulator)
        (self.provider, self.address, self.readings, self.rules) = (provider, address, readings, rules)
        (self.keyFinding, self.rejectedKey) = (keyFinding, rejectedKey)
        (self.transport, self.clock, self.adapter) = (transport, clock, adapter)
    }

    /// Sends the requests, and applies all rules to the responses.
    ///
    /// - Returns: A finding for each rule. If an administrator's key was given as the public key, the doctor sends nothing and returns
    ///   only this finding.
    /// - Throws: ``DoctorError`` if the first response cannot be used.
    package func report() async throws(DoctorError) -> DoctorReport {
        if let keyFinding {
            return DoctorReport(
                provider: provider, address: address, isEmulator: isEmulator, findings: [keyFinding], requests: [], adapter: nil)
        }
        var facts = Facts(address: address, isEmulator: isEmulator, failures: omitted)
        var rejections: [String] = []
        if let first = readings.first {
            let response = try await answer(to: first)
            facts.documents[first.source] = response.document
            if let date = response.date {
                facts.documents[.date] = .int((date.milliseconds - clock.now.milliseconds) / 1000)
            }
        }
        let bearer = await grant?.result()
        await withTaskGroup(of: (Source, Result<JSON, DoctorError>).self) { group in
            for reading in readings.dropFirst() {
                group.addTask {
                    do throws(DoctorError) {
                        let granted = reading.needsGrant ? try bearer?.get() : nil
                        return (reading.source, .success(try await answer(to: reading, bearer: granted).document))
                    } catch {
                        return (reading.source, .failure(error))
                    }
                }
            }
            for await (source, result) in group {
                switch result {
                case .success(let document): facts.documents[source] = document
                case .failure(let error):
                    facts.failures[source] = error.description
                    if error.isRejectedKey { rejections.append(error.description) }
                }
            }
        }
        // One wrong key can cause several errors: one finding names the first of them.
        let rejected = rejections.min().map { DoctorFinding(rule: rejectedKey, level: .fail, sentence: $0) }
        // Without a token, nothing that needs it was sent.
        let hasToken = bearer.map { (try? $0.get()) != nil } ?? true
        let sent = readings.filter { hasToken || !$0.needsGrant }.map(\.title)
        return DoctorReport(
            provider: provider, address: address, isEmulator: isEmulator,
            findings: [rejected].compactMap(\.self) + rules.map { $0.finding(facts) },
            requests: sent + (grant.map { ["POST \($0.address)"] } ?? []), adapter: adapter(facts))
    }

    private func answer(to reading: Reading, bearer: Secret? = nil) async throws(DoctorError) -> (document: JSON, date: Instant?)
    {
        let url = reading.shownAddress
        var request = reading.request
        if let bearer { request.headers.set("Authorization", secret: Secret("Bearer " + bearer.reveal())) }
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await transport.send(request)
        } catch {
            throw Self.error(error, url)
        }
        let date = response.headers["Date"].flatMap { Instant(httpDate: $0) }
        let document = try? JSON.parse(response.body)
        if reading.takesRefusal, let document, (400...499).contains(response.status), response.status != 429 {
            return (document, date)
        }
        switch response.status {
        case 200:
            guard let document = document.map(reading.content), document.object != nil || document.array != nil else {
                throw DoctorError(
                    "\"\(url)\" did not return JSON. Correct the address of the project.", isUsage: true)
            }
            return (document, date)
        case 300...399:
            let place = response.headers["Location"].map { " to \"\($0.prefix(200).description.visible)\"" } ?? ""
            throw DoctorError(
                "\"\(url)\" redirects\(place), and the key is not sent there. Use the final address.",
                isUsage: true)
        case 400 where document?["error"]?["message"]?.string?.contains("API key") ?? false, 401, 403:
            throw DoctorError(
                "\"\(url)\" rejects the key (status \(response.status)). Check the key and its rights.", isUsage: true,
                isRejectedKey: reading.source.need?.hasPrefix("-") == false)
        case 429:
            throw DoctorError("\"\(url)\" limits requests (status 429). Wait a minute, and try again.", isUsage: false)
        case 501 where isEmulator: throw DoctorError(Facts.noSuchSetting, isUsage: false)
        case 501:
            throw DoctorError("\"\(url)\" does not exist on this server (status 501).", isUsage: true)
        case 500...:
            throw DoctorError("\"\(url)\" failed with status \(response.status). Try again later.", isUsage: false)
        default:
            throw DoctorError("\"\(url)\" returned status \(response.status). Correct the address of the project.", isUsage: true)
        }
    }

    private static func error(_ failure: HTTPFailure, _ url: String) -> DoctorError {
        switch failure.code {
        case .nameNotResolved: DoctorError("the host of \"\(url)\" does not exist. Correct the address.", isUsage: true)
        case .cannotConnect:
            DoctorError("no server is listening at \"\(url)\". Correct the address, or start the server.", isUsage: true)
        case .timedOut: DoctorError("\"\(url)\" did not respond in time. Try again later.", isUsage: false)
        default:
            DoctorError(
                "\"\(url)\" cannot be read: \(failure.message.endedSentence) Check the address and its certificate.",
                isUsage: false)
        }
    }
}

/// A request that doctor sends.
struct Reading: Sendable {
    let source: Source
    let request: HTTPRequest
    /// Whether the document of an error is used, too.
    var takesRefusal = false
    /// Whether the access token of the doctor's ``AccessGrant`` is sent.
    var needsGrant = false
    /// The part of the document that the rules read.
    var content: @Sendable (JSON) -> JSON = { $0 }

    init(
        _ source: Source, _ url: String, key: (name: String, value: Secret)? = nil, bearer: Secret? = nil, body: JSON? = nil,
        takesRefusal: Bool = false, within patience: Duration
    ) {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        if let key { headers.set(key.name, secret: key.value) }
        if let bearer { headers.set("Authorization", secret: Secret("Bearer " + bearer.reveal())) }
        self.source = source
        self.takesRefusal = takesRefusal
        request = HTTPRequest(
            body == nil ? .get : .post, url, headers: headers, body: body.map { .json($0) } ?? .none, deadline: patience,
            connectDeadline: patience, responseLimit: 4 << 20)
    }

    /// The address without its query.
    var shownAddress: String { String(request.url.prefix { $0 != "?" }) }
    /// The method and the address without its query.
    var title: String { "\(request.method.rawValue) \(shownAddress)" }
}

/// The control routes of an emulator that this user has started.
package struct DoctorEmulator: Sendable {
    let base: String
    let token: Secret

    /// Creates the routes' address and their token.
    package init(base: String, token: Secret) { (self.base, self.token) = (base, token) }
}

/// A request for an access token.
///
/// The doctor sends this request once, before the requests that need the token.
package struct AccessGrant: Sendable {
    /// The URL that issues the token.
    package let address: String
    private let request: @Sendable () async throws(DoctorError) -> Secret

    /// Creates a grant.
    ///
    /// - Parameters:
    ///   - address: The URL that issues the token.
    ///   - request: Requests the token.
    package init(address: String, request: @escaping @Sendable () async throws(DoctorError) -> Secret) {
        self.address = address
        self.request = request
    }

    func result() async -> Result<Secret, DoctorError> {
        do throws(DoctorError) {
            return .success(try await request())
        } catch {
            return .failure(error)
        }
    }
}

extension String {
    /// The text with a period at its end, because a transport's sentence may lack the period.
    fileprivate var endedSentence: String { hasSuffix(".") ? self : self + "." }
}
