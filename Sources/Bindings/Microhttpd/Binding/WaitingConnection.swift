internal import CLockstepMicrohttpd

/// A suspended connection, which must be resumed once.
// Sendable is unchecked for the pointer. Proof: libmicrohttpd does not free a suspended connection before it is resumed. Any
// thread may resume it. The exchange that has this value passes it on only once.
@safe struct WaitingConnection: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Suspends the connection.
    ///
    /// Call it in the handler of libmicrohttpd for that connection.
    @unsafe init(suspending pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        // libmicrohttpd has passed the connection to its handler for this call.
        unsafe MHD_suspend_connection(pointer)
    }

    /// Lets the thread of the server continue with the connection.
    func resume() {
        // See the proof above.
        unsafe MHD_resume_connection(pointer)
    }
}
