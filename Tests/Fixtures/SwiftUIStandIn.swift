// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Examples/SwiftUI uses of SwiftUI, as declarations: the tests compile the example against them on systems that have no SwiftUI.
// Nothing of it is run. The forms are those of Apple's documentation.

public import Foundation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { preconditionFailure("It is not run.") }
}

@MainActor @resultBuilder
public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> EmptyView { EmptyView() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> { Either() }
    public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> { Either() }
}

public protocol Primitive: View where Body == Never {}

extension Primitive {
    public var body: Never { preconditionFailure("It is not run.") }
}

extension Optional: View, Primitive where Wrapped: View {}

public struct Either<First: View, Second: View>: Primitive {
    init() {}
}

public struct EmptyView: Primitive {
    public init() {}
}

public struct Text: Primitive {
    public init(_ text: String) {}
}

public struct ProgressView: Primitive {
    public init() {}
    public init(_ title: String) {}
}

public struct Form<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct VStack<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct TextField: Primitive {
    public init(_ title: String, text: Binding<String>) {}
}

public struct SecureField: Primitive {
    public init(_ title: String, text: Binding<String>) {}
}

public struct Toggle: Primitive {
    public init(_ title: String, isOn: Binding<Bool>) {}
}

public struct Button: Primitive {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct Picker<Selection: Hashable, Content: View>: Primitive {
    public init(_ title: String, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

// MARK: The app

@MainActor @preconcurrency
public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

// MARK: Modifiers

public enum Font { case title }
public enum Color { case red }
public enum ScenePhase: Sendable { case background, inactive, active }

extension View {
    public func font(_ font: Font) -> some View { self }
    public func foregroundStyle(_ color: Color) -> some View { self }
    public func disabled(_ disabled: Bool) -> some View { self }
    public func tag<Value: Hashable>(_ tag: Value) -> some View { self }
    public func task(_ action: @escaping @MainActor () async -> Void) -> some View { self }
    public func task<ID: Equatable>(id: ID, _ action: @escaping @MainActor () async -> Void) -> some View { self }
    public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View { self }
    public func onOpenURL(perform action: @escaping @MainActor (URL) -> Void) -> some View { self }
    public func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> some View { self }
    public func onChange<Value: Equatable>(of value: Value, _ action: @escaping @MainActor (Value, Value) -> Void) -> some View {
        self
    }
}

// MARK: Data

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    public init() {}
    public var wrappedValue: Value {
        get { preconditionFailure("It is not run.") }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        preconditionFailure("It is not run.")
    }
}

@propertyWrapper
public struct State<Value> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { preconditionFailure("It is not run.") }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { preconditionFailure("It is not run.") }
}

@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public subscript<Subject>(dynamicMember path: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        preconditionFailure("It is not run.")
    }
}

@propertyWrapper
public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { preconditionFailure("It is not run.") }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { Key.defaultValue }
        set {}
    }
    public var scenePhase: ScenePhase { preconditionFailure("It is not run.") }
    public var openURL: OpenURLAction { preconditionFailure("It is not run.") }
}

public struct OpenURLAction {
    public func callAsFunction(_ url: URL) {}
}
