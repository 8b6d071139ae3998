import LockstepHTTP

extension TransportMutants {
    static let joinsHeaders = around(breaks: "transport.exact-bytes", "joins repeated headers") {
        request, base throws(HTTPFailure) in
        let response = try await base.send(request)
        var headers = HTTPHeaders()
        for field in response.headers where !headers.contains(field.name) {
            headers.append(field.name, response.headers.values(of: field.name).joined(separator: ", "))
        }
        return HTTPResponse(status: response.status, headers: headers, body: response.body)
    }

    static let followsRedirects = around(breaks: "transport.no-redirects", "follows redirects") {
        request, base throws(HTTPFailure) in
        let response = try await base.send(request)
        guard (300..<400).contains(response.status), let place = response.headers["Location"], place.hasPrefix("/") else {
            return response
        }
        let origin = request.url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        return try await base.send(HTTPRequest(.get, origin + place))
    }

    static let returnsTheRest = around(breaks: "transport.truncated", "returns the received part of a cut-off response") {
        request, base throws(HTTPFailure) in
        do throws(HTTPFailure) {
            return try await base.send(request)
        } catch  where error.code == .truncated {
            return HTTPResponse(status: 200)
        }
    }

    static let readsOn = around(breaks: "transport.size-limit", "continues to read after the limit") {
        request, base throws(HTTPFailure) in
        var request = request
        request.responseLimit = .max
        return try await base.send(request)
    }

    static let mixesUp = TransportMutant(breaks: "transport.concurrent", "mixes up the responses of simultaneous requests") {
        honest in
        let base = try honest()
        let swapper = ResponseSwapper()
        return FunctionTransport { request throws(HTTPFailure) in
            swapper.begin()
            do throws(HTTPFailure) {
                return swapper.end(with: try await base.send(request))
            } catch {
                swapper.giveUp()
                throw error
            }
        }
    }
}
