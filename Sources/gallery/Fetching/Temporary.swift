import Errand
extension APIRequest { func cURLCommand() -> String { "curl" } }
