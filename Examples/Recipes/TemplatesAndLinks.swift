import Errand

func issuesPath(of owner: String, labels: [String]) throws -> String {
    let template = try URITemplate("/repos/{owner}/issues{?labels*}")
    return try template.expand(["owner": owner, "labels": URITemplate.Value.list(labels)])
}

func lastPage(of head: ResponseHead) -> URL? {
    LinkHeader(head.headers).first("last")?.url(relativeTo: head.url)
}
