internal import LockstepEmulation
import LockstepPrimitives

extension ClerkError {
    /// The refusal as both APIs send it.
    func response(trace: String) -> EmulatorResponse {
        var response = EmulatorResponse.json(
            ["errors": .array(entries.map(\.json)), "clerk_trace_id": .string(trace)], status: status)
        if let retryAfter { response.headers.add("Retry-After", String(retryAfter)) }
        return response
    }
}
