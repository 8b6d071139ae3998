import LockstepSystem
import Testing

@Suite struct SocketTests {
    @Test func carriesBytesInBothDirections() async throws {
        let listener = try SocketListener()
        let echoed = try await BlockingThread.run {
            let near = try SocketConnection(port: listener.port)
            let far = try listener.accept()
            try near.write("ping")
            try far.write(try far.read())
            far.finishWriting()
            return try [near.read(), near.read()]
        }
        #expect(echoed == [Array("ping".utf8), []])
    }

    @Test func resetIsAnErrorForThePeer() async throws {
        let listener = try SocketListener()
        await #expect(throws: SystemError.self) {
            try await BlockingThread.run {
                let near = try SocketConnection(port: listener.port)
                try listener.accept().reset()
                return try near.read()
            }
        }
    }

    @Test func everyWaitHasATimeout() async throws {
        let listener = try SocketListener()
        let error = await #expect(throws: SystemError.self) {
            try await BlockingThread.run { try listener.accept(within: .milliseconds(10)) }
        }
        #expect(error?.code == SystemError.timedOut)
    }

    @Test func closingEndsAPendingAccept() async throws {
        let listener = try SocketListener()
        let accepted = Task { try await BlockingThread.run { try listener.accept(within: .seconds(60)) } }
        listener.close()
        await #expect(throws: SystemError.self) { try await accepted.value }
    }

    @Test func refusedPortIsKept() throws {
        let listener = try SocketListener.refusingConnections()
        defer { listener.close() }
        #expect(throws: SystemError.self) { try SocketConnection(port: listener.port) }
        #expect(throws: SystemError.self) { try SocketListener(port: listener.port) }
    }

    @Test func aTakenPortIsReportedByItsCode() throws {
        let listener = try SocketListener()
        let error = #expect(throws: SystemError.self) { try SocketListener(port: listener.port) }
        #expect(error?.code == SystemError.addressInUse)
    }
}
