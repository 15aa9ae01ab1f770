/// Which pictures of a run are downloaded under which names: each picture once, and no two names that differ in case only.
package struct DownloadPlan: Sendable {
    package struct Entry: Sendable, Hashable {
        package let picture: Picture
        package let name: FileName
    }

    private struct Identity: Hashable {
        let id: ExactText
        let variant: ExactText
    }

    private var seen: Set<Identity> = []
    private var taken: Set<String> = []

    package init() {}

    /// What is to be downloaded of some more pictures.
    package mutating func entries(for pictures: [Picture]) -> [Entry] {
        pictures.compactMap { picture in
            guard seen.insert(Identity(id: ExactText(picture.id), variant: ExactText(picture.variant))).inserted
            else { return nil }
            var name = FileName(words: picture.words, id: picture.id, variant: picture.variant)
            if !taken.insert(name.description.lowercased()).inserted {
                name = name.distinguished(by: picture.id)
                taken.insert(name.description.lowercased())
            }
            return Entry(picture: picture, name: name)
        }
    }
}
