// The stand-ins can test that the views load, draw and reload. They cannot test the appearance on Apple's platforms.
#if !canImport(SwiftUI) && !canImport(UIKit)
    import Errand
    import ErrandTesting
    import Testing

    @Suite(.timeLimit(.minutes(1))) @MainActor struct ViewTests {
        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
        private func model(_ session: ScriptedSession) -> APIModel<GalleryAPI> {
            APIModel(APILoader(GalleryAPI(environment: .production), session: session), more: .numbered(\.page))
        }

        private var pages: [CannedReply] {
            [
                .json(#"[{"id":"a"}]"#).header("Link", "</v1/photos?page=2>; rel=next"),
                .json(#"[{"id":"b","description":"Bo"}]"#).header("Link", "</v1/photos?page=1>; rel=prev"),
                .status(503),
            ]
        }

        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
        private func texts(_ view: GalleryView) -> [String] {
            let canvas = Canvas()
            view.draw(on: canvas)
            return canvas.texts
        }

        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
        @Test func `a SwiftUI view loads two pages, reloads and shows an error`() async throws {
            let session = ScriptedSession(pages)
            let model = model(session)
            let view = GalleryView(model: model)
            let canvas = Canvas()
            view.draw(on: canvas)
            #expect(canvas.texts.isEmpty)
            for task in canvas.tasks { await task() }
            #expect(texts(view) == ["…"])
            await model.settled()
            let loaded = Canvas()
            view.draw(on: loaded)
            #expect(loaded.texts == ["a"])
            for appear in loaded.appearances { appear() }
            await model.settled()
            #expect(texts(view) == ["a", "Bo"])
            for refresh in loaded.refreshes { await refresh() }
            #expect(texts(view).count == 3)
            try session.verify()
        }

        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
        @Test func `a UIKit table loads two pages, reloads and shows an error`() async throws {
            let session = ScriptedSession(pages)
            let model = model(session)
            let table = GalleryTable(model)
            table.viewDidLoad()
            await model.settled()
            #expect(table.tableView(table.tableView, numberOfRowsInSection: 0) == 1)
            _ = table.tableView(table.tableView, cellForRowAt: IndexPath(row: 0, section: 0))
            await model.settled()
            let cell = table.tableView(table.tableView, cellForRowAt: IndexPath(row: 1, section: 0))
            #expect((cell.contentConfiguration as? UIListContentConfiguration)?.text == "Bo")
            for action in table.refreshControl?.actions ?? [] { action.handler(action) }
            await model.settled()
            while table.title == "Gallery" { await Task.yield() }
            #expect(table.title == model.state.error?.localizedDescription)
            #expect(table.tableView.reloads > 1 && (table.refreshControl?.endings ?? 0) > 0)
            try session.verify()
        }
    }
#endif
