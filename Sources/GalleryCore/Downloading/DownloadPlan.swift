/// The pictures of a run and their file names. Each picture occurs once, and no two names differ only in case.
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

    /// Adds pictures to the plan and returns entries for the new ones.
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
