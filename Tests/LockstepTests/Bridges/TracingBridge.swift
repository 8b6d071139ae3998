import Lockstep
import Synchronization

func spans() -> AuthEventSink {
    let open = Mutex<[String: any Tracing.Span]>([:])
    return AuthEventSink { event in
        guard let call = event[.callID] else { return }
        let (id, parent) = (event[.request] ?? call, open.withLock { $0[call] })
        switch event.name {
        case .callBegan: open.withLock { $0[id] = startSpan(event[.call] ?? "") }
        case .requestBegan:
            open.withLock { $0[id] = startSpan(event[.route] ?? "", context: parent?.context ?? .topLevel, ofKind: .client) }
        case .callEnded, .requestEnded:
            let span = open.withLock { $0.removeValue(forKey: id) }
            for (name, value) in event.fields { span?.attributes["lockstep." + name] = .string(value) }
            if event.isTrouble { span?.setStatus(SpanStatus(code: .error, message: event[.status] ?? event[.outcome])) }
            span?.end()
        default: parent?.addEvent(SpanEvent(name: "\(event)"))
        }
    }
}
