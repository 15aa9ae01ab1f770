// ErrandLoopback
