import LockstepHTTP
import LockstepSystem

extension TransportCatalog {
    static let deadline = TransportContract(
        "transport.deadline", "Connecting, sending, waiting and reading all end by the deadline."
    ) { world in
        let transport = try world.transport()
        let full = try FullListener()
        // Longer than every deadline in this check, so that the check ends even if a transport ignores the deadline.
        let longest = Duration.seconds(20)
        let gate = try Gate()
        let deaf = try world.server { _ in
            // The server reads nothing. The sent bytes fill the buffers, and the transport can send no more.
            try gate.wait(within: longest)
        }
        let mute = try world.server { connection in
            _ = try connection.readRequest()
            _ = connection.waitForEnd(within: longest)
            try connection.answer()
        }
        let slow = try world.server { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\nContent-Length: 50\n\n")
            for _ in 0..<50 {
                try connection.socket.write([UInt8(ascii: ".")])
                if connection.waitForEnd(within: longest / 50) { return }
            }
        }
        let large = HTTPBody([UInt8](repeating: 0, count: 16 << 20), type: nil)
        let limit = Duration.milliseconds(200)
        var cases: [(occasion: String, request: HTTPRequest)] = [
            ("connecting", HTTPRequest(.get, full.url, deadline: limit)),
            ("sending", HTTPRequest(.post, deaf.url(), body: large, deadline: limit)),
            ("waiting", HTTPRequest(.get, mute.url(), deadline: limit)),
            ("reading", HTTPRequest(.get, slow.url(), deadline: limit)),
        ]
        if world.harness.cannotPromise["transport.deadline.connect"] == nil {
            cases.append(
                ("connecting, by its own deadline", HTTPRequest(.get, full.url, deadline: longest, connectDeadline: limit)))
        }
        await withTaskGroup(of: Void.self) { group in
            for (occasion, request) in cases {
                group.addTask {
                    let taken = await world.time {
                        await world.expectFailure([.timedOut], of: request, on: transport, occasion)
                    }
                    world.expect(taken >= limit * 0.9, "\(occasion): the call ended after \(taken), before the deadline")
                    world.expect(taken < longest * 0.9, "\(occasion): the call ended after \(taken), long after the deadline")
                }
            }
        }
        try gate.open()
        full.close()
    }
}
