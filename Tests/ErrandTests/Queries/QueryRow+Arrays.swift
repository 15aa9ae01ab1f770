import Errand

extension QueryRow {
    private static let tags = One(a: ["x", "y"])
    private static let commas = One(a: ["x,y", "", "z"])
    private static let points = One(a: [Point(x: 1, y: 2), Point(x: 3, y: nil)])
    private static let grid = One(a: [[1, 2], [3]])
    private static let mixed: [String: any Sendable] = ["a": ["x", ["b": 1]] as [any Sendable]]

    static let arrays: [QueryRow] = [
        QueryRow("a repeated array", tags, is: "a=x&a=y"),
        QueryRow("a bracketed array", tags, .init(arrays: .brackets), is: "a%5B%5D=x&a%5B%5D=y"),
        QueryRow("an indexed array", tags, .init(arrays: .indices), is: "a%5B0%5D=x&a%5B1%5D=y"),
        QueryRow("an array with commas", tags, .init(arrays: .commaSeparated), is: "a=x,y"),
        QueryRow("commas in elements, repeated", commas, is: "a=x%2Cy&a=&a=z"),
        QueryRow("commas in elements, separated", commas, .init(arrays: .commaSeparated), is: "a=x%2Cy,,z"),
        QueryRow("a comma in a single value", One(a: "x,y"), .init(arrays: .commaSeparated), is: "a=x%2Cy"),
        QueryRow("structs, repeated", points, is: "a%5B0%5D%5Bx%5D=1&a%5B0%5D%5By%5D=2&a%5B1%5D%5Bx%5D=3"),
        QueryRow(
            "structs, bracketed", points, .init(arrays: .brackets),
            is: "a%5B0%5D%5Bx%5D=1&a%5B0%5D%5By%5D=2&a%5B1%5D%5Bx%5D=3"),
        QueryRow(
            "structs, indexed", points, .init(arrays: .indices),
            is: "a%5B0%5D%5Bx%5D=1&a%5B0%5D%5By%5D=2&a%5B1%5D%5Bx%5D=3"),
        QueryRow(
            "structs, with commas", points, .init(arrays: .commaSeparated),
            is: "a%5B0%5D%5Bx%5D=1&a%5B0%5D%5By%5D=2&a%5B1%5D%5Bx%5D=3"),
        QueryRow("structs, dotted", points, .init(nesting: .dots), is: "a%5B0%5D.x=1&a%5B0%5D.y=2&a%5B1%5D.x=3"),
        QueryRow("arrays in an array, repeated", grid, is: "a%5B0%5D=1&a%5B0%5D=2&a%5B1%5D=3"),
        QueryRow(
            "arrays in an array, bracketed", grid, .init(arrays: .brackets),
            is: "a%5B0%5D%5B%5D=1&a%5B0%5D%5B%5D=2&a%5B1%5D%5B%5D=3"),
        QueryRow(
            "arrays in an array, with commas", grid, .init(arrays: .commaSeparated), is: "a%5B0%5D=1,2&a%5B1%5D=3"),
        QueryRow("single values and members", values: mixed, is: "a%5B0%5D=x&a%5B1%5D%5Bb%5D=1"),
        QueryRow("an array in a nested struct", One(a: tags), is: "a%5Ba%5D=x&a%5Ba%5D=y"),
        QueryRow(
            "an array in a nested struct, bracketed", One(a: tags), .init(arrays: .brackets),
            is: "a%5Ba%5D%5B%5D=x&a%5Ba%5D%5B%5D=y"),
        QueryRow("an empty array", Search(tags: []), is: "query=cats&page=2"),
        QueryRow(
            "an empty array with commas", Search(tags: []), .init(arrays: .commaSeparated), is: "query=cats&page=2"),
        QueryRow("nil in an array", One(a: [1, nil, 2]), is: "a=1&a=2"),
        QueryRow(
            "nil in an indexed array", One(a: [nil, 1, nil, 2]), .init(arrays: .indices),
            is: "a%5B0%5D=1&a%5B1%5D=2"),
        QueryRow("nil in an array with commas", One(a: [1, nil, 2]), .init(arrays: .commaSeparated), is: "a=1,2"),
        QueryRow("only nil in an array", One(a: [Int?.none, nil]), is: ""),
    ]
}
