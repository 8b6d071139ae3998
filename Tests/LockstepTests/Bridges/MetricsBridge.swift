import Lockstep

func metrics() -> EventSink {
    let dimensions: [Event.Field] = [.call, .provider, .method, .route, .status, .outcome, .reason, .state]
    return EventSink { event in
        let label = "lockstep." + event.name.rawValue
        let values = dimensions.compactMap { field in event[field].map { (field.rawValue, $0) } }
        Counter(label: label, dimensions: values).increment()
        guard let milliseconds = event[.milliseconds].flatMap({ Int64($0) }) else { return }
        Timer(label: label + ".duration", dimensions: values).recordMilliseconds(milliseconds)
    }
}
