// Split records of delimited text (RFC 4180) into fields, and gather the texts of one field.
//
// splitter.ll is made from this file (CONTRIBUTING.md, "Change the scanner"), and splitter.py explains the arguments. No library is
// needed and no memory is allocated: every output is at most as large as its input.

typedef unsigned char byte;
typedef long long integer;

struct split {
    integer records;
    const byte *text;
    const integer *bounds;
    // Of a row.
    integer fields;
    // -1: there is none.
    integer delimiter;
    integer quote;
    integer escape;
    const byte *null_text;
    integer null_length;
    // By byte: it ends text that is not in quotes, or may be escaped. These are all of the above, and line breaks.
    const byte *special;
    // By record: set for one that is passed over, and set by the split for one that is no row.
    byte *faults;
    // [row * (fields + 1) + field]: the field begins there, and ends one byte before the next. A row is a record without a fault.
    integer *places;
};

static int is_break(byte c) { return c == '\r' || c == '\n'; }

// Whether text[at:end] is all of a line break, or nothing.
static int ends_line(const byte *text, integer at, integer end) {
    if (at < end && text[at] == '\r') at++;
    if (at < end && text[at] == '\n') at++;
    return at == end;
}

// Behind the null text, if that is all of the field at *at*; else *at*.
static integer end_of_null(const struct split *s, integer at, integer end) {
    if (end - at < s->null_length) return at;
    for (integer i = 0; i < s->null_length; i++)
        if (s->text[at + i] != s->null_text[i]) return at;
    integer behind = at + s->null_length;
    return behind == end || s->text[behind] == s->delimiter || is_break(s->text[behind]) ? behind : at;
}

// Behind text that is not in quotes; -1 if invalid.
static integer end_of_bare(const struct split *s, integer at, integer end) {
    const byte *text = s->text;
    for (at = end_of_null(s, at, end); at < end; at++) {
        byte c = text[at];
        if (!s->special[c]) continue;
        if (c == s->delimiter || is_break(c)) break;
        if (c != s->escape || at + 1 >= end || !s->special[text[at + 1]]) return -1;
        at++;
    }
    return at;
}

// Behind the closing quote; -1 if invalid. *at* is behind the opening one.
static integer end_of_quoted(const struct split *s, integer at, integer end) {
    const byte *text = s->text;
    while (at < end) {
        byte c = text[at++];
        if (c == s->quote) {
            if (at >= end || text[at] != s->quote) return at;
            at++;
        } else if (c == s->escape) {
            if (at >= end || !s->special[text[at]]) return -1;
            at++;
        }
    }
    return -1;
}

// Whether text[at:end] is a row, whose places go to *places*.
static int is_row(const struct split *s, integer at, integer end, integer *places) {
    const byte *text = s->text;
    for (integer field = 0;;) {
        if (field >= s->fields) return 0;
        places[field++] = at;
        at = at < end && text[at] == s->quote ? end_of_quoted(s, at + 1, end) : end_of_bare(s, at, end);
        if (at < 0) return 0;
        if (at < end && text[at] == s->delimiter) {
            at++;
            continue;
        }
        places[field] = at + 1;
        return field == s->fields && ends_line(text, at, end);
    }
}

void split_records(struct split *s) {
    integer *places = s->places;
    for (integer r = 0; r < s->records; r++) {
        if (s->faults[r]) continue;
        if (is_row(s, s->bounds[r], s->bounds[r + 1] - 1, places)) places += s->fields + 1;
        else s->faults[r] = 1;
    }
}

static void copy(byte *to, const byte *from, integer count) {
    for (; count >= 8; count -= 8, to += 8, from += 8) __builtin_memcpy(to, from, 8);
    for (integer i = 0; i < count; i++) to[i] = from[i];
}

// The texts of a field of rows, whose first place is *places*, without quotes and escapes; *absent* is set for nulls.
void gather_field(const struct split *s, integer rows, const integer *places, byte *to, integer *bounds, byte *absent) {
    const byte *text = s->text;
    integer n = 0;
    bounds[0] = 0;
    for (integer row = 0; row < rows; row++, places += s->fields + 1) {
        integer at = places[0], end = places[1] - 1;
        if (at < end && text[at] == s->quote) {
            for (at++, end--; at < end; at++) {
                // Within the quotes, a quote stands before another.
                if (text[at] == s->quote || text[at] == s->escape) at++;
                to[n++] = text[at];
            }
        } else if (end_of_null(s, at, end) == end && end - at == s->null_length) {
            absent[row] = 1;
        } else if (s->escape < 0) {
            copy(to + n, text + at, end - at);
            n += end - at;
        } else {
            for (; at < end; at++) {
                if (text[at] == s->escape) at++;
                to[n++] = text[at];
            }
        }
        bounds[row + 1] = n;
    }
}
