import Errand

#if canImport(SwiftUI)
    import SwiftUI
#endif

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
