/// The scripts of ``ValkeyTokenStore``. A token is one hash: the sealed value, the lease of a refresh, and the fencing numbers.
package enum TokenScript {
    /// The time after which a token is removed that no process uses: 400 days.
    private static let lifetime = "34560000000"

    private static let begin = """
        local now = redis.call('TIME')
        now = now[1] * 1000000 + now[2]
        local function text(number) return string.format('%.0f', number) end

        """

    /// ARGV: the owner, the time of the lease in microseconds. Returns 1 and the fencing number, 2 and the fencing number if the lease
    /// of another owner has expired, or 0 and the rest of the lease of another owner.
    package static let lock =
        begin + """
            local old = redis.call('HMGET', KEYS[1], 'owner', 'until')
            local lease, ending = tonumber(ARGV[2]), tonumber(old[2]) or 0
            if old[1] and old[1] ~= ARGV[1] and ending > now then
              if ending - now > lease then
                ending = now + lease
                redis.call('HSET', KEYS[1], 'until', text(ending))
              end
              return {0, text(ending - now)}
            end
            local fence = redis.call('HINCRBY', KEYS[1], 'fences', 1)
            redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'until', text(now + lease))
            redis.call('PEXPIRE', KEYS[1], \(lifetime))
            return {old[1] and old[1] ~= ARGV[1] and 2 or 1, text(fence)}
            """

    /// ARGV: the owner, the time of the lease in microseconds. Returns whether the lease was extended.
    package static let renew =
        begin + """
            if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[1], 'until', text(now + tonumber(ARGV[2])))
            return 1
            """

    /// ARGV: the owner. Ends its lease.
    package static let unlock = """
        if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
        redis.call('HDEL', KEYS[1], 'owner', 'until')
        return 1
        """

    /// Returns the sealed token, and whether it was removed.
    package static let load = """
        local old = redis.call('HMGET', KEYS[1], 'value', 'removed')
        return {old[1] or '', old[2] and 1 or 0}
        """

    /// ARGV: the fencing number or an empty text, the sealed token or an empty text. Returns 0 if a later owner has stored a token.
    package static let save = """
        local last = tonumber(redis.call('HGET', KEYS[1], 'fence')) or 0
        local fence = tonumber(ARGV[1]) or redis.call('HINCRBY', KEYS[1], 'fences', 1)
        if fence < last then return 0 end
        if ARGV[2] == '' then
          redis.call('HDEL', KEYS[1], 'value')
          redis.call('HSET', KEYS[1], 'removed', 1, 'fence', fence)
        else
          redis.call('HDEL', KEYS[1], 'removed')
          redis.call('HSET', KEYS[1], 'value', ARGV[2], 'fence', fence)
        end
        redis.call('PEXPIRE', KEYS[1], \(lifetime))
        return 1
        """
}
