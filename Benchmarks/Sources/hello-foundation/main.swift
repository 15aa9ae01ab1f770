import Foundation

// Does nothing but load Foundation, for Benchmarks/start.py.
print(URL(filePath: "/").path())
