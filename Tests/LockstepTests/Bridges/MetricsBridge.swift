import Lockstep

func metrics() -> AuthEventSink {
    let dimensions: [AuthEvent.Field] = [.call, .provider, .method, .route, .status, .outcome, .reason, .state]
    return AuthEventSink { event in
        let label = "lockstep." + event.name.rawValue
        let values = dimensions.compactMap { field in event[field].map { (field.rawValue, $0) } }
        Counter(label: label, dimensions: values).increment()
        guard let milliseconds = event[.milliseconds].flatMap({ Int64($0) }) else { return }
        Timer(label: label + ".duration", dimensions: values).recordMilliseconds(milliseconds)
    }
}
