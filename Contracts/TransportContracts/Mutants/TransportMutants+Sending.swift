import LockstepHTTP
import Synchronization

extension TransportMutants {
    static let hasNoLimit = around(breaks: "transport.deadline", "ends long after the deadline") {
        request, base throws(HTTPFailure) in
        var request = request
        request.deadline += .seconds(30)
        request.connectDeadline += .seconds(30)
        return try await base.send(request)
    }

    static let letsItRun = around(breaks: "transport.cancel-closes", "continues cancelled requests") {
        request, base throws(HTTPFailure) in
        let outcome = Occurrence<Result<HTTPResponse, HTTPFailure>>()
        Task {
            do throws(HTTPFailure) {
                outcome.happen(.success(try await base.send(request)))
            } catch {
                outcome.happen(.failure(error))
            }
        }
        let result = await withTaskCancellationHandler {
            await outcome.value
        } onCancel: {
            outcome.happen(
                .failure(HTTPFailure(.cancelled, .mayHaveReachedServer, "The task that sent the request was cancelled.")))
        }
        return try result.get()
    }

    static let connectsEachTime = TransportMutant(breaks: "transport.reuse", "opens a new connection for each request") {
        honest in
        FunctionTransport { request throws(HTTPFailure) in
            guard let base = try? honest() else { throw HTTPFailure(.other, .neverSent, "The harness creates no transport.") }
            return try await base.send(request)
        }
    }

    static let saysNeverSent = around(breaks: "transport.phase", "reports every failure as never sent") {
        request, base throws(HTTPFailure) in
        do throws(HTTPFailure) {
            return try await base.send(request)
        } catch {
            throw HTTPFailure(error.code, .neverSent, error.message)
        }
    }

    static let sendsAnyway = around(breaks: "transport.header-injection", "removes control characters and sends the rest") {
        request, base throws(HTTPFailure) in
        var request = request
        request.method = HTTPMethod(rawValue: request.method.rawValue.withoutLineEnds)
        request.url = request.url.withoutLineEnds
        request.headers = HTTPHeaders(
            request.headers.map { HTTPHeaders.Field(name: $0.name.withoutLineEnds, value: $0.value.withoutLineEnds) })
        request.body = HTTPBody(request.body.bytes, type: request.body.type?.withoutLineEnds)
        return try await base.send(request)
    }

    static let cutsTheAddress = around(breaks: "transport.long-address", "cuts off an address that is too long") {
        request, base throws(HTTPFailure) in
        var request = request
        if request.url.utf8.count > 1 << 16 { request.url = String(request.url.prefix(1000)) }
        return try await base.send(request)
    }

    static let writesKeys = TransportMutant(
        breaks: "transport.key-log", "writes the keys of its connections to SSLKEYLOGFILE",
        sender: { honest in
            let command =
                #"[ -z "$SSLKEYLOGFILE" ] && exec "$@"; eval "issuers=\${$#}"; shift $(($# - 2)); "#
                + #"exec openssl s_client -keylogfile "$SSLKEYLOGFILE" -CAfile "$issuers" -connect "$(basename "$1")" < /dev/null"#
            return ["sh", "-c", command, "sh"] + (honest ?? [])
        }
    ) { honest in try honest() }

    static let keepsResponses = TransportMutant(
        breaks: "transport.leaves-nothing", "stores a list of hosts in the user's folder",
        sender: { honest in
            ["sh", "-c", #"[ -z "$XDG_STATE_HOME" ] || echo host > "$XDG_STATE_HOME/hosts"; exec "$@""#, "sh"] + (honest ?? [])
        }
    ) { honest in try honest() }

    static let goesAround = TransportMutant(
        breaks: "transport.proxy", "does not use the proxy",
        settings: { given in
            var settings = given
            settings.proxy = nil
            return settings
        }
    ) { honest in try honest() }

    static let trustsOldFriends = TransportMutant(
        breaks: "transport.changed-certificate", "verifies a server's certificate only at its first request"
    ) { honest in
        let base = try honest()
        let friends = Mutex<Set<String>>([])
        return FunctionTransport { request throws(HTTPFailure) in
            do throws(HTTPFailure) {
                let response = try await base.send(request)
                friends.withLock { _ = $0.insert(request.url) }
                return response
            } catch  where error.code == .tls && friends.withLock({ $0.contains(request.url) }) {
                return HTTPResponse(status: 200)
            }
        }
    }

    static let takesAnyCertificate = around(breaks: "transport.tls", "accepts any certificate") {
        request, base throws(HTTPFailure) in
        do throws(HTTPFailure) {
            return try await base.send(request)
        } catch  where error.code == .tls {
            return HTTPResponse(status: 200)
        }
    }

    static let believesTheName = around(
        breaks: "transport.loopback-only", "accepts an address that starts like an address of this machine"
    ) {
        request, base throws(HTTPFailure) in
        do throws(HTTPFailure) {
            return try await base.send(request)
        } catch  where error.code == .notLoopback && request.host?.hasPrefix("127.0.0.1") == true {
            return HTTPResponse(status: 200)
        }
    }

    static let triesAgain = around(breaks: "transport.no-replay", "repeats a lost request") {
        request, base throws(HTTPFailure) in
        do throws(HTTPFailure) {
            return try await base.send(request)
        } catch  where error.code == .connectionLost {
            return try await base.send(request)
        }
    }
}

extension String {
    fileprivate var withoutLineEnds: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !["\r", "\n", "\0"].contains($0) }))
    }
}
