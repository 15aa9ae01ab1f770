import Errand

func keep(_ name: String, at file: URL, with loader: APILoader<FilmAPI>) async throws(ServiceError) -> Int64 {
    let film = try await loader.download(name, to: file).value  // continues the partial file of an earlier call
    return film.size
}

func keep(
    _ name: String, in folder: URL, with loader: APILoader<FilmAPI>, progress: (Double?) -> Void
) async throws(ServiceError) -> URL? {
    for try await event in loader.download(name, into: folder) {  // the server suggests the name of the file
        switch event {
        case .progress(let bytes): progress(bytes.fraction)
        case .finished(let film): return film.url
        }
    }
    return nil
}

func install(_ release: String, checksum: String, to file: URL, with loader: APILoader<FilmAPI>) async throws {
    var options = DownloadOptions()
    options.digest = try .sha256(checksum)  // 64 hexadecimal digits
    options.overwrites = true
    options.ranges = 4  // concurrent ranges, if the server supports them
    _ = try await loader.download(release, to: file, options: options).value
}
