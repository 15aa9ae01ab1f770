import Errand

#if canImport(SwiftUI)
    import SwiftUI
#endif

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct GalleryView: View {
    @State var model = APIModel(APILoader(GalleryAPI(environment: .production)), more: .numbered(\.page))

    var body: some View {
        List(model.state.value ?? [], id: \.id) { photo in
            Text(photo.description ?? photo.id)
                .onAppear { if photo == model.state.value?.last { model.loadMore() } }
        }
        .overlay {
            if model.state.isLoading { ProgressView() }
            if let error = model.state.error { Text(error.localizedDescription) }
        }
        .task { if model.state.value == nil { model.load(GalleryQuery()) } }
        .refreshable {
            await model.reload()
            await model.settled()
        }
    }
}
