import Foundation
import LockstepHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPFailure {
    /// Converts an error of Foundation to the failure of a transport.
    init(_ error: any Error, hasResponse: Bool) {
        let phase: Phase = hasResponse ? .answered : .mayHaveReachedServer
        guard let error = error as? URLError else {
            self.init(.other, phase, "The request failed for a reason that URLSession does not report.")
            return
        }
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed:
            self.init(.nameNotResolved, .neverSent, "The name has no address. Check the name and the network.")
        case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed:
            self.init(.cannotConnect, .neverSent, "No connection to the host. Check the address and the network.")
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired:
            self.init(.tls, .neverSent, "No secure connection to the host: its certificate was rejected, or TLS failed.")
        case .timedOut: self.init(.timedOut, phase, "The request took longer than the deadline allows.")
        case .cancelled: self.init(.cancelled, phase, "The task that sent the request was cancelled.")
        case .networkConnectionLost: self.init(hasResponse ? .truncated : .connectionLost, phase, "The connection broke.")
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
            self.init(
                hasResponse ? .truncated : .malformedResponse, phase,
                "The server does not respond in HTTP, or the response was interrupted.")
        case .badURL, .unsupportedURL: self.init(.invalidRequest, .neverSent, "Nothing was sent: the address is not a URL.")
        default: self.init(.other, phase, "The request failed with URLSession's error \(error.code.rawValue).")
        }
    }
}
