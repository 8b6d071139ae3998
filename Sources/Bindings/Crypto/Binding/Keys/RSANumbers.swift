/// The numbers of an RSA private key (RFC 8017, appendix A.1.2), big-endian and without leading zeros.
public struct RSANumbers: Sendable {
    /// The number n.
    public var modulus: [UInt8]
    /// The number e.
    public var exponent: [UInt8]
    /// The number d.
    public var privateExponent: [UInt8]
    /// The primes p and q.
    public var primes: (first: [UInt8], second: [UInt8])
    /// d modulo p - 1, and d modulo q - 1.
    public var primeExponents: (first: [UInt8], second: [UInt8])
    /// The inverse of q modulo p.
    public var coefficient: [UInt8]

    /// Creates the numbers of a key.
    ///
    /// - Parameters:
    ///   - modulus: The number n.
    ///   - exponent: The number e.
    ///   - privateExponent: The number d.
    ///   - primes: The primes p and q.
    ///   - primeExponents: d modulo p - 1, and d modulo q - 1.
    ///   - coefficient: The inverse of q modulo p.
    public init(
        modulus: [UInt8], exponent: [UInt8], privateExponent: [UInt8], primes: (first: [UInt8], second: [UInt8]),
        primeExponents: (first: [UInt8], second: [UInt8]), coefficient: [UInt8]
    ) {
        self.modulus = modulus
        self.exponent = exponent
        self.privateExponent = privateExponent
        self.primes = primes
        self.primeExponents = primeExponents
        self.coefficient = coefficient
    }

    /// Reads the numbers from PKCS#8.
    init?(pkcs8: [UInt8]) {
        var outer = DERReader(pkcs8)
        guard var info = outer.sequence(), info.integer() != nil, info.sequence() != nil, let key = info.value(DER.octetString)
        else {
            return nil
        }
        var inner = DERReader(key)
        guard var fields = inner.sequence(), fields.integer() != nil else { return nil }
        var numbers: [[UInt8]] = []
        while let number = fields.integer() { numbers.append(number) }
        guard numbers.count == 8 else { return nil }
        self.init(
            modulus: numbers[0], exponent: numbers[1], privateExponent: numbers[2], primes: (numbers[3], numbers[4]),
            primeExponents: (numbers[5], numbers[6]), coefficient: numbers[7])
    }

    /// The numbers as PKCS#1.
    var der: [UInt8] {
        DER.sequence(
            DER.integer([]), DER.integer(modulus), DER.integer(exponent), DER.integer(privateExponent), DER.integer(primes.first),
            DER.integer(primes.second), DER.integer(primeExponents.first), DER.integer(primeExponents.second),
            DER.integer(coefficient))
    }
}
