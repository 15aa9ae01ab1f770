extension DownloadFiles {
    /// Removes the partial files, and their records, of downloads that were not continued.
    ///
    /// - Parameters:
    ///   - names: The names of the files in the folder. Only those of partial files and records are considered.
    ///   - folder: The folder.
    ///   - date: Files that changed after this date are kept. A partial file is also kept during its download.
    package static func removeLeftovers(among names: [String], in folder: URL, before date: Date) {
        for name in names where name.hasPrefix(".errand-") {
            let path = folder.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
            guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
                facts[.type] as? FileAttributeType == .typeRegular,
                let changed = facts[.modificationDate] as? Date, changed < date
            else { continue }
            let parts = name.split(separator: ".")
            switch parts.dropFirst() {
            case ["download"]: removePartial(path, record: path.dropLast("download".count) + "json")
            case ["json"], ["json", "new"]:
                // The record of a partial file is removed with it.
                guard !names.contains(".\(parts[0]).download") else { continue }
                unlink(path)
            default: continue
            }
        }
    }

    private static func removePartial(_ path: String, record: String) {
        guard let file = try? OpenFile(path, O_RDWR | O_NONBLOCK), file.failureToLock() == nil else { return }
        unlink(path)
        unlink(record)
        unlink(record + ".new")
    }
}
