internal import CLockstepCurl

/// The header fields and the body of one request in the form that libcurl reads, in memory that is used again for the next
/// request.
///
/// libcurl's own list would need three allocations for each field. It is `@safe` because it owns the memory: the memory is
/// allocated here, written within its bounds, and freed in ``free()``. libcurl reads it only between ``seal()`` and the next
/// ``clear()``.
@safe
struct CurlMessage {
    private var bytes: UnsafeMutableBufferPointer<UInt8>
    private var nodes: UnsafeMutableBufferPointer<curl_slist>
    /// Where each field begins.
    ///
    /// The texts can move until all fields are added.
    private var starts: [Int] = []
    private var used = 0

    init() {
        unsafe bytes = .allocate(capacity: 2048)
        unsafe nodes = .allocate(capacity: 16)
        starts.reserveCapacity(16)
    }

    /// Frees the memory.
    ///
    /// libcurl must not use it any more.
    func free() {
        unsafe bytes.deallocate()
        unsafe nodes.deallocate()
    }

    /// Removes the content and overwrites it, because it may contain secrets.
    mutating func clear() {
        unsafe bytes[..<used].update(repeating: 0)
        used = 0
        starts.removeAll(keepingCapacity: true)
    }

    /// Adds a field.
    mutating func add(_ name: String, _ value: String) {
        starts.append(used)
        append(name.utf8)
        // A name with only a colon would remove the field; with a semicolon, the field is empty.
        append(CollectionOfOne(value.isEmpty ? UInt8(ascii: ";") : UInt8(ascii: ":")))
        append(value.utf8)
        append(CollectionOfOne(0))
    }

    /// Makes libcurl leave out a field that it would add itself.
    mutating func leaveOut(_ name: String) {
        starts.append(used)
        append(name.utf8)
        append([UInt8(ascii: ":"), 0])
    }

    /// Adds the body after the last field, and returns its position for ``body(_:)``.
    mutating func add(body: [UInt8]) -> Int {
        let start = used
        append(body)
        // One more byte gives even an empty body an address.
        append(CollectionOfOne(0))
        return start
    }

    /// Returns the address of the data at a position.
    ///
    /// It is valid until the next change.
    func body(_ start: Int) -> UnsafeMutablePointer<UInt8>? {
        unsafe bytes.baseAddress.map { unsafe $0 + start }
    }

    /// Returns the fields as a list, when the texts no longer move; `nil` if there are none.
    mutating func seal() -> UnsafeMutablePointer<curl_slist>? {
        guard !starts.isEmpty, let text = unsafe bytes.baseAddress else { return nil }
        if unsafe starts.count > nodes.count {
            unsafe nodes.deallocate()
            unsafe nodes = .allocate(capacity: starts.count * 2)
        }
        guard let list = unsafe nodes.baseAddress else { return nil }
        for (place, start) in starts.enumerated() {
            let next = unsafe place + 1 < starts.count ? list + place + 1 : nil
            unsafe (list + place).initialize(
                to: curl_slist(data: UnsafeMutableRawPointer(text + start).assumingMemoryBound(to: CChar.self), next: next))
        }
        return unsafe list
    }

    private mutating func append(_ piece: some Collection<UInt8>) {
        let count = piece.count
        if unsafe used + count > bytes.count { grow(to: used + count) }
        // The slice has room for the piece, because the lines above have made room.
        _ = unsafe UnsafeMutableBufferPointer(rebasing: bytes[used..<(used + count)]).update(fromContentsOf: piece)
        used += count
    }

    private mutating func grow(to count: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count * 2)
        _ = unsafe larger.update(fromContentsOf: bytes[..<used])
        unsafe bytes[..<used].update(repeating: 0)
        unsafe bytes.deallocate()
        unsafe bytes = larger
    }
}
