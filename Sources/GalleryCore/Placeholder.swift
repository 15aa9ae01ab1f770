// GalleryCore
