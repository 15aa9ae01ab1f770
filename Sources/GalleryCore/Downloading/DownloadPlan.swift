/// Which pictures are downloaded under which names: each picture once, and no two names that differ in case only.
package struct DownloadPlan: Sendable {
    package struct Entry: Sendable, Hashable {
        package let picture: Picture
        package let name: FileName
    }

    package let entries: [Entry]

    package init(_ pictures: [Picture]) {
        var seen: Set<[ExactText]> = []
        var taken: Set<String> = []
        entries = pictures.compactMap { picture in
            guard seen.insert([ExactText(picture.id), ExactText(picture.variant)]).inserted else { return nil }
            var name = FileName(words: picture.words, id: picture.id, variant: picture.variant)
            if !taken.insert(name.description.lowercased()).inserted {
                name = name.distinguished(by: picture.id)
                taken.insert(name.description.lowercased())
            }
            return Entry(picture: picture, name: name)
        }
    }
}
