#if os(Linux)
    extension Nginx {
        static func configuration(_ ports: [Port: Int], root: String) -> String {
            let servers = Port.allCases.map { server($0, listens: "127.0.0.1:\(ports[$0] ?? 0)", root: root) }
            return """
                daemon off;
                master_process off;
                pid nginx.pid;
                events { worker_connections 1024; }
                http {
                    log_format short '$connection $server_protocol $request_uri';
                    access_log access.log short;
                    client_body_temp_path bodies;
                    proxy_temp_path proxied;
                    fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi;
                    scgi_temp_path scgi;
                    default_type text/plain;
                    gzip_types text/plain;
                    client_max_body_size 0;
                    add_header X-Connection $connection always;
                    add_header X-Target $request_uri always;
                    add_header X-Moment $msec always;
                    add_header X-Client $ssl_client_s_dn always;
                    add_header X-Resumed $ssl_session_reused always;
                    root "\(root)";
                    \(servers.joined(separator: "\n    "))
                    \(server(.plain, listens: "unix:\(root)/socket", root: root))
                }

                """
        }

        private static func server(_ port: Port, listens address: String, root: String) -> String {
            let certificate: String
            switch port {
            case .elsewhere, .expired, .future, .unknown: certificate = port.rawValue
            case .good, .old, .asking, .brief, .narrow, .plain: certificate = "good"
            }
            var lines = [
                "listen \(address)\(port == .plain ? "" : " ssl http2");",
                "location / { return 200 \"$server_protocol $host $connection\"; }",
                "location /upload { proxy_pass http://unix:\(root)/socket:/count; proxy_request_buffering off; }",
                "location /count { return 200 \"counted\"; }",
                "location /moved { return 302 /arrived; }",
                "location /files/ { alias \"\(root)/\"; }",
                "location /packed/ { gzip on; alias \"\(root)/\"; }",
            ]
            if port != .plain {
                lines += ["ssl_certificate \(certificate).pem;", "ssl_certificate_key \(certificate).key;"]
            }
            if port != .plain { lines.append("ssl_protocols \(port == .old ? "" : "TLSv1.3 ")TLSv1.2;") }
            // libcurl uses no session tickets with TLS 1.2.
            if port == .old { lines.append("ssl_session_cache shared:sessions:1m;") }
            if port == .narrow { lines.append("http2_max_concurrent_streams 8;") }
            if port == .asking { lines += ["ssl_verify_client on;", "ssl_client_certificate authority.pem;"] }
            if port == .brief { lines.append("keepalive_requests 30;") }
            return "server { \(lines.joined(separator: " ")) }"
        }
    }
#endif
