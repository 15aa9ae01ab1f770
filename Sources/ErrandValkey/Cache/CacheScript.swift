/// The scripts of ``ValkeyCacheStore``.
///
/// KEYS[1] is one hash for each cache key. ARGV[1] is the prefix, and ARGV[2] the digest of the cache key. Its fields are:
///
/// | field | content |
/// |---|---|
/// | `u` | the sealed URL |
/// | `h:V`, `b:V` | the sealed header and body of variant V |
/// | `m:V`, `r:V`, `q:V` | its mark, the time of the response, and that of the request |
/// | `at`, `removed`, `free` | the times of the last change and of the last removal, and the end of the time without leases |
/// | `owner`, `until` | the lease |
///
/// All times are microseconds of the server's clock. The sorted set `index` has the time of the last use of each digest, and the
/// hash `sizes` has their sizes and the `total`.
package enum CacheScript {
    /// The time after which an entry is removed that no process uses, in milliseconds: 30 days.
    private static let lifetime = "2592000000"
    /// The time for which a removal is remembered, in milliseconds: 10 minutes.
    private static let memory = "600000"
    /// The estimated size of a variant without its header and body, in bytes.
    package static let overhead: Int64 = 400
    /// The maximum number of variants of a key. The oldest is replaced.
    package static let variants: Int64 = 4
    /// The maximum number of entries that are removed for a new one.
    private static let evictions = "1000"

    private static let begin = """
        local key, prefix, digest = KEYS[1], ARGV[1], ARGV[2]
        local index, sizes = prefix .. 'index', prefix .. 'sizes'
        local now = redis.call('TIME')
        now = now[1] * 1000000 + now[2]
        local function text(number) return string.format('%.0f', number) end
        local function get(field) return redis.call('HGET', key, field) end
        local function resize(digest, bytes)
          if bytes ~= 0 then
            redis.call('HINCRBY', sizes, digest, text(bytes))
            redis.call('HINCRBY', sizes, 'total', text(bytes))
          end
        end
        local function forget(digest)
          local bytes = tonumber(redis.call('HGET', sizes, digest)) or 0
          redis.call('HDEL', sizes, digest)
          if bytes ~= 0 then redis.call('HINCRBY', sizes, 'total', text(-bytes)) end
          redis.call('ZREM', index, digest)
        end
        local function keep()
          for _, name in ipairs({key, index, sizes}) do redis.call('PEXPIRE', name, \(lifetime)) end
        end

        """

    /// Returns, for each variant, its name, its mark, the ages of the response and of the request, the header and the body.
    package static let entries =
        begin + """
            local fields, found = redis.call('HGETALL', key), {}
            local values = {}
            for i = 1, #fields, 2 do values[fields[i]] = fields[i + 1] end
            for name, mark in pairs(values) do
              if string.sub(name, 1, 2) == 'm:' then
                local variant = string.sub(name, 3)
                table.insert(found, {variant, mark, text(now - values['r:' .. variant]), text(now - values['q:' .. variant]),
                  values['h:' .. variant], values['b:' .. variant]})
              end
            end
            if #found > 0 and not redis.call('ZSCORE', index, digest) then
              -- The server has removed the lists, so the entry would never be removed.
              redis.call('DEL', key)
              return {}
            end
            if #found > 0 then
              -- A server without memory can still be read.
              redis.pcall('ZADD', index, text(now), digest)
              keep()
            end
            return found
            """

    /// The time by which a command can be later than its arguments, in microseconds: 1 second.
    private static let tolerance = "1000000"

    /// ARGV: the variant, the mark, the ages of the response and of the request, the header, the body, the sealed URL, the capacity,
    /// the time of the last removal by the same process. Returns 1 if the entry is stored, 0 if it is outdated, or 2 without space.
    package static let store =
        begin + """
            local variant, mark, header, body, capacity = ARGV[3], ARGV[4], ARGV[7], ARGV[8], tonumber(ARGV[10])
            local received, sent = now - tonumber(ARGV[5]), now - tonumber(ARGV[6])
            local removed = get('removed') or '0'
            if removed ~= ARGV[11] and tonumber(removed) >= sent - \(tolerance) then return 0 end
            if (tonumber(get('q:' .. variant)) or 0) > sent then return 0 end
            -- The server may have removed one of the lists.
            local count = redis.call('ZCARD', index)
            if count > 0 and redis.call('HLEN', sizes) ~= count + 1 then redis.call('DEL', index, sizes) end
            if count == 0 then redis.call('DEL', sizes) end
            if not get('u') then forget(digest) end
            local function size(variant)
              if not get('m:' .. variant) then return 0 end
              return #get('h:' .. variant) + #get('b:' .. variant) + \(overhead)
            end
            local function drop(variant)
              for _, kind in ipairs({'m:', 'r:', 'q:', 'h:', 'b:'}) do redis.call('HDEL', key, kind .. variant) end
            end
            local growth = #header + #body + \(overhead) - size(variant)
            local total = (tonumber(redis.call('HGET', sizes, 'total')) or 0) + growth
            redis.call('ZADD', index, text(now), digest)
            for _ = 1, \(evictions) do
              if total <= capacity then break end
              local members = redis.call('ZRANGE', index, 0, 1)
              local oldest = members[1] ~= digest and members[1] or members[2]
              if not oldest then break end
              total = total - (tonumber(redis.call('HGET', sizes, oldest)) or 0)
              redis.call('DEL', prefix .. oldest)
              forget(oldest)
            end
            if total > capacity then
              if not get('u') then redis.call('ZREM', index, digest) end
              return 2
            end
            if not get('m:' .. variant) then
              local count, oldest, least = 0, nil, nil
              for _, name in ipairs(redis.call('HKEYS', key)) do
                if string.sub(name, 1, 2) == 'r:' then
                  local time = tonumber(get(name))
                  count = count + 1
                  if not least or time < least then oldest, least = string.sub(name, 3), time end
                end
              end
              if count >= \(variants) then
                growth = growth - size(oldest)
                drop(oldest)
              end
            end
            redis.call('HSET', key, 'u', ARGV[9], 'at', text(now), 'm:' .. variant, mark, 'r:' .. variant, text(received),
              'q:' .. variant, text(sent), 'h:' .. variant, header, 'b:' .. variant, body)
            resize(digest, growth)
            keep()
            return 1
            """

    /// ARGV: the variant, the old and the new mark, the ages of the response and of the request, the header. Returns whether the
    /// entry was still stored.
    package static let update =
        begin + """
            local variant, header = ARGV[3], ARGV[8]
            if get('m:' .. variant) ~= ARGV[4] then return 0 end
            local growth = #header - #get('h:' .. variant)
            redis.call('HSET', key, 'at', text(now), 'm:' .. variant, ARGV[5], 'r:' .. variant, text(now - tonumber(ARGV[6])),
              'q:' .. variant, text(now - tonumber(ARGV[7])), 'h:' .. variant, header)
            resize(digest, growth)
            return 1
            """

    /// Removes all variants, but no lease. The response to a request that was sent before is not stored later. Returns the time.
    package static let remove =
        begin + """
            local kept = redis.call('HMGET', key, 'owner', 'until', 'free')
            redis.call('DEL', key)
            forget(digest)
            redis.call('HSET', key, 'removed', text(now))
            if kept[1] and kept[2] then redis.call('HSET', key, 'owner', kept[1], 'until', kept[2]) end
            if kept[3] then redis.call('HSET', key, 'free', kept[3]) end
            redis.call('PEXPIRE', key, \(memory))
            return text(now)
            """

    /// ARGV: the owner, the time of the lease, the time at which the wait began or an empty string. Returns a number and two details:
    ///
    /// - 0: another process has the lease. The remaining time of that lease, and the time of the server
    /// - 1: the lease was granted. Whether there may be new entries
    /// - 2: the response may not be stored
    /// - 3: the response was stored during the wait
    package static let lease =
        begin + """
            local owner, ending = get('owner'), tonumber(get('until')) or 0
            local changed = tonumber(get('at')) or 0
            local since = tonumber(ARGV[5])
            if since and changed >= since then return {3, 0, '0'} end
            if (tonumber(get('free')) or 0) > now then return {2, 0, '0'} end
            if owner and owner ~= ARGV[3] and ending > now then
              return {0, math.min(ending - now, tonumber(ARGV[4])), text(now)}
            end
            redis.call('HSET', key, 'owner', ARGV[3], 'until', text(now + tonumber(ARGV[4])))
            if not get('u') then redis.call('PEXPIRE', key, \(memory)) end
            local isNew = changed > now - tonumber(ARGV[4])
            return {1, isNew and 1 or 0, '0'}
            """

    /// ARGV: the owner, the time without leases. Ends a lease.
    package static let release =
        begin + """
            if get('owner') ~= ARGV[3] then return 0 end
            redis.call('HDEL', key, 'owner', 'until')
            if tonumber(ARGV[4]) > 0 then redis.call('HSET', key, 'free', text(now + tonumber(ARGV[4]))) end
            return 1
            """

    /// ARGV[2] and all following ones: digests. Returns the sealed URL of each, or an empty string.
    package static let urls = """
        local found = {}
        for i = 2, #ARGV do table.insert(found, redis.call('HGET', ARGV[1] .. ARGV[i], 'u') or '') end
        return found
        """
}
