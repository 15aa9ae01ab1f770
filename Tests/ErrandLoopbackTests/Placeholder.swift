// ErrandLoopbackTests
