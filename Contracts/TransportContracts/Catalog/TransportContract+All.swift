extension TransportContract {
    /// All contracts of transports.
    public static let all: [TransportContract] = [
        .exactBytes, .noRedirects, .deadline, .cancelCloses, .reuse, .sizeLimit, .truncated, .phase, .headerInjection,
        .longAddress, .tls, .changedCertificate, .keyLog, .leavesNothing, .proxy,
        .concurrent,
        .noReplay, .loopbackOnly,
    ]
}
