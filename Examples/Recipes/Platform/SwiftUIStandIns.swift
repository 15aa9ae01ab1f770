// Stand-ins for the SwiftUI types that the sample uses, with the same isolation, for platforms without SwiftUI.
#if !canImport(SwiftUI)
    /// Records the texts and the actions of a view for the tests.
    @MainActor final class Canvas {
        typealias Work = @concurrent @Sendable () async -> Void
        var texts: [String] = []
        var appearances: [() -> Void] = []
        var tasks: [Work] = []
        var refreshes: [Work] = []
    }

    @MainActor @preconcurrency protocol View {
        associatedtype Body: View
        @ViewBuilder var body: Body { get }
        func draw(on canvas: Canvas)
    }

    extension View {
        func draw(on canvas: Canvas) { body.draw(on: canvas) }

        func onAppear(perform action: @escaping () -> Void) -> some View {
            Drawing { canvas in
                draw(on: canvas)
                canvas.appearances.append(action)
            }
        }

        func overlay<Top: View>(@ViewBuilder content: () -> Top) -> some View {
            let top = content()
            return Drawing { canvas in
                draw(on: canvas)
                top.draw(on: canvas)
            }
        }

        func task(@_inheritActorContext _ action: @escaping Canvas.Work) -> some View {
            Drawing { canvas in
                draw(on: canvas)
                canvas.tasks.append(action)
            }
        }

        func refreshable(action: @escaping Canvas.Work) -> some View {
            Drawing { canvas in
                draw(on: canvas)
                canvas.refreshes.append(action)
            }
        }
    }

    /// A view that draws with a closure.
    struct Drawing: View {
        private let drawn: (Canvas) -> Void

        init(_ draw: @escaping (Canvas) -> Void) { drawn = draw }

        var body: Drawing { self }
        func draw(on canvas: Canvas) { drawn(canvas) }
    }

    @MainActor @resultBuilder enum ViewBuilder {
        static func buildBlock(_ parts: any View...) -> Drawing {
            Drawing { canvas in for part in parts { part.draw(on: canvas) } }
        }

        static func buildOptional(_ part: Drawing?) -> Drawing {
            Drawing { canvas in part?.draw(on: canvas) }
        }
    }

    @propertyWrapper struct State<Value> {
        var wrappedValue: Value
    }

    struct Text: View {
        private let text: String

        init(_ text: String) { self.text = text }

        var body: Drawing { self }
        func draw(on canvas: Canvas) { canvas.texts.append(text) }
    }

    struct ProgressView: View {
        var body: Drawing { Text("…") }
    }

    struct List<Row: View>: View {
        private let rows: [Row]

        init<Elements: RandomAccessCollection, ID: Hashable>(
            _ elements: Elements, id: KeyPath<Elements.Element, ID>,
            @ViewBuilder rowContent: @escaping (Elements.Element) -> Row
        ) {
            rows = elements.map(rowContent)
        }

        var body: Drawing {
            Drawing { canvas in for row in rows { row.draw(on: canvas) } }
        }
    }
#endif
