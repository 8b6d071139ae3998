import Lockstep

func logging(to logger: Logger) -> AuthEventSink {
    AuthEventSink { event in
        let level: Logger.Level = event.name == .sessionEnded ? .error : event.isTrouble ? .warning : .debug
        logger.log(level: level, "\(event)", metadata: event.fields.mapValues { .string($0) })
    }
}
