internal import CLockstepCurl

extension CurlLoop {
    /// Starts the thread.
    ///
    /// The loop lives as long as the thread runs.
    ///
    /// It returns `false` if the system provides no thread or no pipe, or if libcurl cannot be set up.
    func start() -> Bool {
        guard isSetUp, sockets != nil else { return false }
        // The new thread owns the reference that is retained here; if no thread was started, it is released here.
        let reference = unsafe Unmanaged.passRetained(self)
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                #if canImport(Darwin)
                unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
                #else
                if let context = unsafe context { unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
                #endif
                return nil
            }, reference.toOpaque())
        guard code == 0 else {
            unsafe reference.release()
            return false
        }
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        return true
    }
}
