// GalleryCoreTests
