import Errand
import TestSupport

extension ErrorRow {
    static let templates: [ErrorRow] =
        syntax + [
            ErrorRow(.configuration, "The template has no such variable.", "Correct the name of the variable.") {
                try ErrorScene.expand("photos/{id}", ["id": 1, "idd": 2])
            },
            ErrorRow(.configuration, "A variable of the path is missing or empty.", "Pass a value.") {
                try ErrorScene.expand("photos/{id}")
            },
            ErrorRow(.configuration, "A prefix length has no meaning for a list.", "Remove the prefix length.") {
                try ErrorScene.expand("photos/{id:3}", ["id": ["a", "b"]])
            },
            ErrorRow(.configuration, "A query follows a fragment.", "Move the fragment to the end.") {
                try ErrorScene.expand("photos#top{?page}", ["page": 2])
            },
            ErrorRow(
                .configuration, "A value with reserved characters contains a `?` or a `#`.",
                "Use `{path}`, which encodes it."
            ) {
                try ErrorScene.expand("{+path}", ["path": "photos?page=2"])
            },
            ErrorRow(.configuration, "A value would change the path.", "Reject such values.") {
                try ErrorScene.expand("photos/{id}", ["id": ".."])
            },
            ErrorRow(.configuration, "An interpolated value is empty.", "Pass a value.") {
                try APIPath("photos/\("")/likes").expand()
            },
        ]

    private static let syntax: [ErrorRow] = [
        ErrorRow(.configuration, "A `}` has no `{`.", "Add the `{`, or encode the `}` as `%7D`.") {
            try ErrorScene.expand("photos/id}")
        },
        ErrorRow(.configuration, "The template contains a line break or a tab.", "Remove the character.") {
            try ErrorScene.expand("photos/\tid")
        },
        ErrorRow(.configuration, "A `{` has no `}`.", "Add the `}`.") {
            try ErrorScene.expand("photos/{id")
        },
        ErrorRow(.configuration, "An expression contains an invalid character.", "Correct the expression.") {
            try ErrorScene.expand("photos/{id!}")
        },
        ErrorRow(.configuration, "RFC 6570 reserves the operator.", "Use another operator.") {
            try ErrorScene.expand("photos/{=id}")
        },
        ErrorRow(.configuration, "The template ends within an expression.", "Complete the expression.") {
            try ErrorScene.expand("photos/{")
        },
        ErrorRow(.configuration, "An expression has no variable.", "Add the name of a variable.") {
            try ErrorScene.expand("photos/{id,}")
        },
        ErrorRow(.configuration, "A name contains an incomplete percent-encoding.", "Correct the name.") {
            try ErrorScene.expand("photos/{a%2}")
        },
        ErrorRow(.configuration, "The prefix length of a variable is invalid.", "Correct the length.") {
            try ErrorScene.expand("photos/{id:0}")
        },
    ]
}
