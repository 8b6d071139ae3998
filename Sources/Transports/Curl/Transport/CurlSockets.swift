internal import CLockstepCurl

/// The sockets that libcurl waits for, the time at which it wants to be called, and a pipe with which other threads wake the
/// loop.
///
/// Only the thread of the loop uses it, except the descriptor of the pipe.
struct CurlSockets {
    /// A socket with an event, and the kind of the event, as libcurl reports it.
    struct Event {
        let socket: Int32
        let kinds: Int32
    }

    /// The wake pipe first, then each socket once.
    private var entries: [pollfd]
    private var due: Int64?
    /// The descriptor for ``lockstep_curl_wake``, with which any thread ends the wait of the loop.
    let wakePipe: Int32

    /// Creates an empty list; `nil` if the system provides no pipe.
    init?() {
        var reading: Int32 = -1
        var writing: Int32 = -1
        // Both pointers are valid for the call.
        guard unsafe lockstep_curl_pipe(&reading, &writing) == 0 else { return nil }
        wakePipe = writing
        entries = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
    }

    /// Closes the wake pipe.
    ///
    /// No thread may write to it afterwards.
    func close() {
        _ = CLockstepCurl.close(entries[0].fd)
        _ = CLockstepCurl.close(wakePipe)
    }

    /// Begins, changes or ends waiting for a socket.
    mutating func watch(_ socket: Int32, for what: Int32) {
        let place = entries.dropFirst().firstIndex { $0.fd == socket }
        if what == CURL_POLL_REMOVE {
            guard let place else { return }
            entries.swapAt(place, entries.count - 1)
            entries.removeLast()
            return
        }
        let reads = what != CURL_POLL_OUT ? POLLIN : 0
        let writes = what != CURL_POLL_IN ? POLLOUT : 0
        if let place {
            entries[place].events = Int16(reads | writes)
        } else {
            entries.append(pollfd(fd: socket, events: Int16(reads | writes), revents: 0))
        }
    }

    /// Sets when libcurl wants to be called without an event; a negative time means never.
    mutating func setTimer(_ milliseconds: Int) {
        due = milliseconds < 0 ? nil : milliseconds == 0 ? 0 : lockstep_curl_now() + Int64(milliseconds)
    }

    /// Returns whether the time of libcurl has come.
    ///
    /// It returns `true` once.
    mutating func takeDue() -> Bool {
        guard let due, due == 0 || due <= lockstep_curl_now() else { return false }
        self.due = nil
        return true
    }

    /// Waits for an event, for the wake pipe, or for the time of libcurl, and puts the events into `events`.
    mutating func wait(isBusy: Bool, into events: inout [Event]) {
        var limit: Int32 = -1
        if isBusy || due == 0 {
            limit = 0
        } else if let due {
            limit = Int32(clamping: max(due - lockstep_curl_now(), 0))
        }
        // The buffer is valid during the call, which uses as many entries as its count says.
        var count = unsafe entries.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, nfds_t($0.count), limit) }
        events.removeAll(keepingCapacity: true)
        if count > 0, entries[0].revents != 0 {
            lockstep_curl_silence(entries[0].fd)
            count -= 1
        }
        guard count > 0 else { return }
        for entry in entries.dropFirst() where entry.revents != 0 {
            events.append(Event(socket: entry.fd, kinds: Self.kinds(Int32(entry.revents))))
        }
    }

    private static func kinds(_ found: Int32) -> Int32 {
        var kinds: Int32 = 0
        if found & (POLLIN | POLLHUP | POLLERR) != 0 { kinds |= CURL_CSELECT_IN }
        if found & POLLOUT != 0 { kinds |= CURL_CSELECT_OUT }
        if found & (POLLERR | POLLNVAL) != 0 { kinds |= CURL_CSELECT_ERR }
        return kinds
    }
}
