/// The scripts of ``ValkeyLimitStore``. They have the same results as `LimitState`, because all numbers are integers below 2^53,
/// which Lua's floating-point numbers represent exactly.
package enum LimitScript {
    /// Reads the state of KEYS[1] into local variables, on the clock of the server, and moves all times if the clock went back. The
    /// value has the stored form of `LimitState`. It is one string, because reading and writing ten fields of a hash took longer
    /// than the rest of the script.
    private static let begin = """
        local now = redis.call('TIME')
        now = now[1] * 1000000 + now[2]
        local created, full, paused, used, last, early, pauses, remaining, reset, changed = string.match(
          redis.call('GET', KEYS[1]) or '', '^limit1 (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)\\n')
        if created then
          created, full, paused, used = tonumber(created), tonumber(full), tonumber(paused), tonumber(used)
          last, early, pauses = tonumber(last), tonumber(early), tonumber(pauses)
          remaining, reset, changed = tonumber(remaining), tonumber(reset), tonumber(changed)
        end
        -- A damaged value counts as a new limit.
        if not created or math.max(created, full, paused, used, last, early, pauses, remaining, reset, changed) >= 2 ^ 53 then
          created, full, paused, used, last, early, pauses, remaining, reset, changed = now, 0, 0, 0, 0, 0, 0, 0, 0, now
        end
        local moved = changed > now
        if moved then
          local shift = changed - now
          full, paused, reset = math.max(0, full - shift), math.max(0, paused - shift), math.max(0, reset - shift)
          used, last, early = math.max(0, used - shift), math.max(0, last - shift), math.max(0, early - shift)
        end
        local function text(number) return string.format('%.0f', number) end
        local function save()
          local rest = math.max(full, paused, used, reset) - now
          redis.call('SET', KEYS[1], string.format('limit1 %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f\\n',
            created, full, paused, used, last, early, pauses, remaining, reset, now),
            'PX', text(math.ceil(math.max(0, rest) / 1000) + 86400000))
        end

        """

    /// ARGV: the time of a request, the time of the burst, the number of requests, the maximum wait.
    /// Returns whether the time is reserved, the wait, whether the server demanded it, and the mark.
    package static let take =
        begin + """
            local step, burst, requests, maximum = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
            local start = math.max(now, paused, used)
            local counted = reset > start
            local drained = counted and remaining < requests
            if drained then start = reset end
            local after = math.max(full, start) + requests * step
            local slot = math.max(start, after - burst)
            if slot - now > maximum then
              if moved then save() end
              return {0, text(slot - now), start - now > maximum and 1 or 0, ''}
            end
            if drained then
              used, early = start, last
            elseif counted then
              remaining = remaining - requests
            end
            full, last = after, math.max(last, slot)
            save()
            return {1, text(slot - now), 0, text(created) .. ' ' .. text(pauses)}
            """

    /// ARGV: the mark of a reservation. Returns the rest of the wait, and the new mark.
    package static let update =
        begin + """
            if moved then save() end
            local mark = text(created) .. ' ' .. text(pauses)
            local at, sum = string.match(ARGV[1], '^(%d+) (%d+)$')
            if not at or tonumber(at) ~= created then return {'0', mark} end
            return {text(math.min(math.max(0, pauses - tonumber(sum)), 86400000000)), mark}
            """

    /// ARGV: the pause or -1, the remaining requests or -1, the reset.
    package static let observe =
        begin + """
            local function stop(ending)
              local start = math.max(paused, now)
              local added = ending - (early > now and start or math.max(start, used))
              if added <= 0 then return end
              paused, pauses = ending, pauses + added
              full = full + added
              if last > now then last = last + added end
              if early > now then early = early + added end
              if pauses > 864000000000000 then created, pauses = now, 0 end
            end
            local pause, reported, ending = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
            if pause >= 0 then stop(now + pause) end
            if reported >= 0 and ending > 0 then
              if reset > now and math.abs(reset - (now + ending)) <= 2000000 then
                remaining = math.min(remaining, reported)
              else
                remaining, reset = reported, now + ending
              end
              if reported == 0 then stop(reset) end
            end
            save()
            return {}
            """
}
