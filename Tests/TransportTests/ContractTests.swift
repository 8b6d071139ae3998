import Foundation
import LockstepContractsTesting
import LockstepCurl
import LockstepHTTP
import LockstepTestConcurrency
import LockstepTransportContracts
import LockstepURLSession
import Testing

@Suite(.limitedConcurrency) struct TransportContractTests {
    static let curl = TransportHarness("curl", sender: Self.worker) { settings in
        let transport = CurlTransport(try CurlConfiguration(issuers: settings.issuers, proxy: settings.proxy))
        if settings.isLoopbackOnly { return transport.loopbackOnly }
        return transport
    }
    static let urlSession = TransportHarness(
        "URLSession", cannotPromise: URLSessionTransport.unkeptPromises, sender: Self.worker + ["--url-session"]
    ) { settings in
        let transport = URLSessionTransport()
        if settings.isLoopbackOnly { return transport.loopbackOnly }
        return transport
    }

    /// It is next to the running program.
    static let worker = [
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("lockstep-worker").path,
        "transport",
    ]

    @Test(arguments: TransportContractCase.all(on: curl)) func curlKeepsItsContracts(contract: TransportContractCase) async {
        await contract.verify()
    }

    @Test(arguments: TransportContractCase.all(on: urlSession))
    func urlSessionKeepsItsContracts(contract: TransportContractCase) async {
        await contract.verify()
    }

    @Test func everyDeclaredGapNamesAContract() {
        for id in URLSessionTransport.unkeptPromises.keys {
            #expect(TransportCatalog.all.contains { id == $0.id || id.hasPrefix($0.id + ".") })
        }
    }
}
