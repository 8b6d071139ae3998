import LockstepCurl
import LockstepHTTP
import LockstepTransportContracts
import LockstepURLSession
import Testing

@Suite struct TransportContractTests {
    static let curl = TransportBench("curl") { settings in
        .curl(CurlConfiguration(issuers: settings.issuers))
    }
    static let urlSession = TransportBench("URLSession", cannotPromise: URLSessionTransport.unkeptPromises) { _ in .urlSession }

    @Test(arguments: TransportContract.all) func curlKeepsWhatItPromises(contract: TransportContract) async {
        await expectKept(contract, Self.curl)
    }

    @Test(arguments: TransportContract.all) func urlSessionKeepsWhatItPromises(contract: TransportContract) async {
        await expectKept(contract, Self.urlSession)
    }

    private func expectKept(_ contract: TransportContract, _ bench: TransportBench) async {
        switch await contract.check(bench) {
        case .kept: break
        case .notChecked(let reason):
            #expect(bench.cannotPromise[contract.id] != nil, "\(contract.id) was not checked: \(reason)")
        case .broken(let findings):
            for finding in findings { Issue.record("\(contract.id): \(finding.message)", sourceLocation: finding.location.here) }
        }
    }
}

extension TransportFinding.Location {
    var here: SourceLocation { SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column) }
}
