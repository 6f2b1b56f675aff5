// Reshape JSON objects: put the JSON that a text has in the text's place, and objects' fields in the place of objects.
//
// reshape.ll is made from this file (CONTRIBUTING.md, "Change the C sources"), and reshape.py explains the arguments. No library is
// needed and no memory is allocated: what finds no room is reported.

#include "json_text.h"

enum { NO_TEXT = 4, NO_JSON = 5, NO_ROOM = 6 };

struct name {
    integer start;
    integer end;
};

struct reshape {
    integer records;
    const byte *text;
    const integer *bounds;
    // A record with a fault takes no byte but its line break.
    byte *faults;
    byte *out;
    integer capacity;
    // `records + 1` of them, in `out`.
    integer *out_bounds;
    // Scratch: a byte a level of a value, and the name of each member around.
    byte *open;
    struct name *names;
    integer most_levels;
    // To splice: [slot * records + record] as the scan found texts; the slot at fault by record.
    const integer *starts;
    const integer *ends;
    integer slots;
    integer *at_fault;
    // To flatten: what stands between two names, as JSON writes it, and the number of levels that are dissolved.
    const byte *separator;
    integer separator_length;
    integer depth;
    // Bytes of a record.
    integer most;
};

// Behind the value at *at*, with all that it holds; below zero: -1 - fault.
static integer end_of_value(const struct reshape *r, const byte *text, integer at, integer end) {
    byte *open = r->open;
    integer depth = 0;
    int escaped = 0;
    for (;;) {
        if (at >= end) return -1 - INVALID;
        byte c = text[at];
        if (c == '{' || c == '[') {
            if (depth >= r->most_levels) return -1 - TOO_DEEP;
            open[depth++] = c;
            at = skip_white(text, at + 1, end);
            if (at >= end) return -1 - INVALID;
            // In ASCII the closing sign is two behind the opening one.
            if (text[at] != c + 2) {
                if (c == '{') goto name;
                continue;
            }
            at++;
            depth--;
        } else if ((at = end_of_scalar(text, at, end)) < 0) {
            return -1 - INVALID;
        }
        for (;;) {
            if (!depth) return at;
            at = skip_white(text, at, end);
            if (at >= end) return -1 - INVALID;
            if (text[at] == ',') break;
            if (text[at] != open[depth - 1] + 2) return -1 - INVALID;
            at++;
            depth--;
        }
        at = skip_white(text, at + 1, end);
        if (open[depth - 1] == '[') continue;
    name:
        if (at >= end || text[at] != '"' || (at = end_of_string(text, at + 1, end, &escaped)) < 0) return -1 - INVALID;
        at = skip_white(text, at, end);
        if (at >= end || text[at] != ':') return -1 - INVALID;
        at = skip_white(text, at + 1, end);
    }
}

static integer copied(byte *to, integer into, const byte *from, integer start, integer end) {
    for (; end - start >= EIGHT; start += EIGHT, into += EIGHT) __builtin_memcpy(to + into, from + start, EIGHT);
    for (; start < end; start++) to[into++] = from[start];
    return into;
}

// What a valid string with its quotes stands for, to *to*; -1 for half a surrogate pair, which no text has.
static integer unescaped(const byte *text, integer start, integer end, byte *to, integer into) {
    for (integer at = start + 1; at < end - 1;) {
        for (; end - 1 - at >= EIGHT && !has(eight_at(text + at), '\\'); at += EIGHT, into += EIGHT)
            __builtin_memcpy(to + into, text + at, EIGHT);
        byte piece[4];
        while (at < end - 1 && text[at] != '\\') to[into++] = text[at++];
        if (at >= end - 1) break;
        if (text[at + 1] != 'u') {
            spelled(text, &at, piece);
            to[into++] = piece[0];
            continue;
        }
        int count = spelled(text, &at, piece);
        if (count == 3 && piece[0] == 0xed && piece[1] >= 0xa0) return -1;
        for (int i = 0; i < count; i++) to[into++] = piece[i];
    }
    return into;
}

// One record; what follows it in `out`, or -1 - fault.
static integer spliced(struct reshape *r, integer record, integer to) {
    const byte *text = r->text;
    integer at = r->bounds[record], end = r->bounds[record + 1] - 1;
    for (;;) {
        // Fields are in any order, and few.
        integer next = -1;
        for (integer slot = 0; slot < r->slots; slot++) {
            integer start = r->starts[slot * r->records + record];
            if (start >= at && (next < 0 || start < r->starts[next * r->records + record])) next = slot;
        }
        if (next < 0) return copied(r->out, to, text, at, end);
        integer start = r->starts[next * r->records + record], behind = r->ends[next * r->records + record];
        to = copied(r->out, to, text, at, start);
        at = behind;
        if (text[start] == 'n') {
            to = copied(r->out, to, text, start, behind);
            continue;
        }
        r->at_fault[record] = next;
        if (text[start] != '"') return -1 - NO_TEXT;
        integer after = unescaped(text, start, behind, r->out, to);
        if (after < 0) return -1 - NO_JSON;
        integer of = end_of_value(r, r->out, skip_white(r->out, to, after), after);
        if (of < 0 || skip_white(r->out, of, after) != after) return -1 - NO_JSON;
        r->at_fault[record] = -1;
        to = after;
    }
}

void splice_texts(struct reshape *r) {
    r->out_bounds[0] = 0;
    for (integer i = 0; i < r->records; i++) {
        integer to = r->out_bounds[i], after = r->faults[i] ? to : spliced(r, i, to);
        if (after < 0) {
            r->faults[i] = (byte)(-1 - after);
            after = to;
        }
        r->out[after++] = '\n';
        r->out_bounds[i + 1] = after;
    }
}

// A member: the names around it and its own, and its value.
static integer put_member(const struct reshape *r, integer depth, integer start, integer end, integer to, integer limit, int is_first) {
    const byte *text = r->text;
    integer needed = 4 + end - start;
    for (integer d = 0; d <= depth; d++) needed += r->names[d].end - r->names[d].start + (d ? r->separator_length : 0);
    if (limit - to < needed) return -1 - NO_ROOM;
    if (!is_first) r->out[to++] = ',';
    r->out[to++] = '"';
    for (integer d = 0; d <= depth; d++) {
        if (d) to = copied(r->out, to, r->separator, 0, r->separator_length);
        to = copied(r->out, to, text, r->names[d].start, r->names[d].end);
    }
    r->out[to++] = '"';
    r->out[to++] = ':';
    return copied(r->out, to, text, start, end);
}

// One record, which is text[at:end]; what follows it in `out`, or -1 - fault.
static integer flattened(struct reshape *r, integer at, integer end, integer to, integer limit) {
    const byte *text = r->text;
    integer depth = 0;
    int is_first = 1, escaped = 0;
    at = skip_white(text, at, end);
    if (at >= end || text[at] != '{') return -1 - INVALID;
    at = skip_white(text, at + 1, end);
    if (at >= end) return -1 - INVALID;
    // The last brace has its room from here on.
    if (limit - to < 2) return -1 - NO_ROOM;
    limit--;
    r->out[to++] = '{';
    if (text[at] == '}') {
        at++;
        depth = -1;
    }
    while (depth >= 0) {
        if (at >= end || text[at] != '"') return -1 - INVALID;
        r->names[depth].start = at + 1;
        if ((at = end_of_string(text, at + 1, end, &escaped)) < 0) return -1 - INVALID;
        r->names[depth].end = at - 1;
        at = skip_white(text, at, end);
        if (at >= end || text[at] != ':') return -1 - INVALID;
        at = skip_white(text, at + 1, end);
        if (at >= end) return -1 - INVALID;
        if (text[at] == '{' && depth < r->depth) {
            integer within = skip_white(text, at + 1, end);
            // An object without fields stays: it has none to take its place.
            if (within < end && text[within] != '}') {
                if (++depth >= r->most_levels) return -1 - TOO_DEEP;
                at = within;
                continue;
            }
        }
        integer start = at;
        if ((at = end_of_value(r, text, at, end)) < 0) return at;
        if ((to = put_member(r, depth, start, at, to, limit, is_first)) < 0) return to;
        is_first = 0;
        for (;;) {
            at = skip_white(text, at, end);
            if (at >= end) return -1 - INVALID;
            if (text[at] == ',') {
                at = skip_white(text, at + 1, end);
                break;
            }
            if (text[at++] != '}') return -1 - INVALID;
            if (--depth < 0) break;
        }
    }
    if (skip_white(text, at, end) != end) return -1 - INVALID;
    r->out[to++] = '}';
    return to;
}

// From record *from* on, as many as have room: the first that has none, or the number of records. Places in `out` begin with it.
integer flatten_records(struct reshape *r, integer from) {
    integer to = 0;
    r->out_bounds[from] = 0;
    for (integer i = from; i < r->records; i++) {
        // The line break has its room.
        integer limit = r->capacity - 1;
        if (to > limit) return i;
        int is_all = limit - to >= r->most;
        if (is_all) limit = to + r->most;
        integer after = r->faults[i] ? to : flattened(r, r->bounds[i], r->bounds[i + 1] - 1, to, limit);
        if (after == -1 - NO_ROOM && !is_all) return i;
        if (after < 0) {
            r->faults[i] = (byte)(-1 - after);
            after = to;
        }
        r->out[after++] = '\n';
        r->out_bounds[i + 1] = to = after;
    }
    return r->records;
}
