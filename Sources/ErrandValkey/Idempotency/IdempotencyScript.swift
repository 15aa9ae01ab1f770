/// The scripts of ``ValkeyIdempotencyLedger``. A key is one hash: its request, its owner and the end of the reservation, or the sealed
/// response. All times are microseconds of the server's clock.
package enum IdempotencyScript {
    /// The time for which an unused reservation is kept, in milliseconds: one minute after its end.
    private static let memory = "60000"

    /// ARGV: the request, the owner, the time of the lease. Returns 1 if the key is reserved, 0 and the remaining time of another reservation, 2
    /// and the response, or 3 if the key was used for another request.
    package static let begin = """
        local now = redis.call('TIME')
        now = now[1] * 1000000 + now[2]
        local function text(number) return string.format('%.0f', number) end
        local old = redis.call('HMGET', KEYS[1], 'request', 'owner', 'until', 'response')
        local lease = tonumber(ARGV[3])
        if old[4] then
          if old[1] ~= ARGV[1] then return {3, ''} end
          return {2, old[4]}
        end
        local left = math.min((tonumber(old[3]) or 0) - now, lease)
        if old[2] and old[2] ~= ARGV[2] and left > 0 then
          if old[1] ~= ARGV[1] then return {3, ''} end
          return {0, text(left)}
        end
        redis.call('HSET', KEYS[1], 'request', ARGV[1], 'owner', ARGV[2], 'until', text(now + lease))
        redis.call('PEXPIRE', KEYS[1], text(math.ceil(lease / 1000) + \(memory)))
        return {1, ''}
        """

    /// ARGV: the owner, the sealed response, the lifetime in milliseconds.
    package static let finish = """
        if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
        redis.call('HDEL', KEYS[1], 'owner', 'until')
        redis.call('HSET', KEYS[1], 'response', ARGV[2])
        redis.call('PEXPIRE', KEYS[1], ARGV[3])
        return 1
        """

    /// ARGV: the owner.
    package static let abandon = """
        if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
        redis.call('DEL', KEYS[1])
        return 1
        """
}
