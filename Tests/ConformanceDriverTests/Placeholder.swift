// ConformanceDriverTests
