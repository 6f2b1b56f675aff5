// Read JSON objects (RFC 8259) into columns. A record that is not certain to be what the columns take is left to others: that is no fault.
//
// reader.ll is made from this file (CONTRIBUTING.md, "Change the C sources"), and reader.py explains the arguments. No library is
// needed and no memory is allocated: what finds no room is reported.

#include "json_text.h"

typedef unsigned __int128 sixteen;

// Children of a node are `first` to `first + count - 1`, in the order of columns.
struct node {
    const byte *name;
    integer length;
    integer first;
    integer count;
    // The column that the value goes to; -1: only an object's fields do.
    integer column;
    // For those with children: the column that says whether the object is there.
    integer object;
    // The value is in a text.
    integer is_parsed;
    // Objects mostly have their fields in one order: the child that came first in the last one, and what followed this field; -1: nothing.
    integer leader;
    integer follower;
};

enum { OBJECT = 0, INTEGER = 1, NUMBER = 2, FLAG = 3, TEXT = 4, DECIMAL = 5 };

struct column {
    integer kind;
    // Integers, doubles, decimals or bytes by row; or the bytes of all texts, with their bounds.
    byte *values;
    int *bounds;
    // By row; objects have none of these.
    byte *present;
    // Bytes of texts.
    integer room;
    integer used;
    // Integers from `least` to `most`; decimals up to `most`, with `least` digits behind the point; doubles between -`limit` and `limit`, exclusively.
    integer least;
    integer most;
    double limit;
    integer is_required;
    // The try that has the column.
    integer seen;
};

struct reading {
    struct node *nodes;
    struct column *columns;
    // Of the columns of values, which come first.
    integer count;
    // Children of a node by hash of their names: `table[(hash of node and name) & mask]`, then the next places; -1 ends.
    const integer *table;
    integer mask;
    // 128 bits of 5^q from q = -LARGEST on, the upper half first.
    const eight *powers;
    byte *scratch;
    // Fields that no column takes are ignored, else their records are left.
    integer ignores;
    // Larger records are left.
    integer most_bytes;
    integer records;
    const byte *text;
    const integer *bounds;
    // By record: not to be read; and whether it has become a row.
    const byte *out;
    byte *taken;
    integer rows;
    integer tries;
    integer filled;
};

// Less than 0, as no place is.
enum { LEFT = -1, FULL = -2 };
enum { LARGEST = 60, MOST_DIGITS = 19, MOST_SKIPPED = 64, MOST_NUMBER = 100, FEW = 4 };

static integer value_of(struct reading *r, const byte *text, integer at, integer end, integer node, int is_parsed);

// A string without its quotes, to *to*, which has room for all up to *end* and eight bytes; *at* is behind the opening quote. Behind
// the closing quote, or LEFT.
static integer put_string(const byte *text, integer at, integer end, byte *to, integer *length) {
    byte *into = to;
    for (;;) {
        unsigned found = 0;
        for (; end - at >= SIXTEEN && !found; at += SIXTEEN, into += SIXTEEN) {
            found = not_plain(text + at);
            __builtin_memcpy(into, text + at, SIXTEEN);
        }
        if (found) {
            at += __builtin_ctz(found) - SIXTEEN;
            into += __builtin_ctz(found) - SIXTEEN;
        }
        for (;; at++) {
            if (at >= end) return LEFT;
            byte c = text[at];
            if (c == '"') {
                *length = into - to;
                return at + 1;
            }
            if (c < 0x20) return LEFT;
            if (c == '\\') break;
            *into++ = c;
        }
        if (end - at < 2) return LEFT;
        byte c = text[at + 1];
        if (c == '"' || c == '\\' || c == '/') {
            *into++ = c;
            at += 2;
            continue;
        }
        if (c != 'u') {
            if (c != 'b' && c != 'f' && c != 'n' && c != 'r' && c != 't') return LEFT;
            into += spelled(text, &at, into);
            continue;
        }
        if (end - at < 6 || !is_hex(text[at + 2]) || !is_hex(text[at + 3]) || !is_hex(text[at + 4]) || !is_hex(text[at + 5])) return LEFT;
        if (four_hex_digits(text + at + 2) >> 10 == 0x36) {
            // The other half of a pair.
            if (end - at < 12 || text[at + 6] != '\\' || text[at + 7] != 'u') return LEFT;
            for (int i = 8; i < 12; i++)
                if (!is_hex(text[at + i])) return LEFT;
        }
        int count = spelled(text, &at, into);
        if (!into[0] || (count == 3 && into[0] == 0xed && into[1] >= 0xa0)) return LEFT;
        into += count;
    }
}

// Behind a string that is ignored; *at* is behind its opening quote. LEFT if invalid, or if it may have half a surrogate pair.
static integer skip_string(const byte *text, integer at, integer end) {
    int escaped = 0;
    integer start = at;
    at = end_of_string(text, at, end, &escaped);
    if (at < 0) return LEFT;
    for (integer i = start; escaped && i < at - 1; i++) {
        if (text[i] != '\\' || text[++i] != 'u') continue;
        unsigned code = four_hex_digits(text + i + 1);
        if (!code || code >> 11 == 0x1b) return LEFT;
    }
    return at;
}

// Behind a value that is ignored.
static integer skip_value(const byte *text, integer at, integer end) {
    eight objects = 0;
    int depth = 0;
    for (;;) {
        if (at >= end) return LEFT;
        byte c = text[at];
        if (c == '{' || c == '[') {
            if (depth++ == MOST_SKIPPED) return LEFT;
            objects = objects << 1 | (c == '{');
            at = skip_white(text, at + 1, end);
            if (at >= end) return LEFT;
            if (text[at] != c + 2) {
                if (c == '{') goto name;
                continue;
            }
            at++;
            depth--;
            objects >>= 1;
        } else if (c == '"') {
            if ((at = skip_string(text, at + 1, end)) < 0) return LEFT;
        } else {
            integer start = at;
            if ((at = end_of_scalar(text, at, end)) < 0 || at - start > MOST_NUMBER) return LEFT;
            for (integer i = start; c != 'f' && c != 't' && i < at; i++)
                if ((text[i] | 0x20) == 'e') return LEFT;
        }
        for (;;) {
            if (!depth) return at;
            at = skip_white(text, at, end);
            if (at >= end) return LEFT;
            if (text[at] == ',') break;
            if (text[at] != (objects & 1 ? '}' : ']')) return LEFT;
            at++;
            depth--;
            objects >>= 1;
        }
        at = skip_white(text, at + 1, end);
        if (!(objects & 1)) continue;
    name:
        if (at >= end || text[at] != '"' || (at = skip_string(text, at + 1, end)) < 0) return LEFT;
        at = skip_white(text, at, end);
        if (at >= end || text[at] != ':') return LEFT;
        at = skip_white(text, at + 1, end);
    }
}

static int is_same(const byte *text, const byte *name, integer length) {
    for (; length >= EIGHT; length -= EIGHT, text += EIGHT, name += EIGHT)
        if (eight_at(text) != eight_at(name)) return 0;
    for (integer i = 0; i < length; i++)
        if (text[i] != name[i]) return 0;
    return 1;
}

// By FNV-1a, as scanner.py fills the table; one of few is found sooner without it.
static integer child_named(const struct reading *r, integer parent, const byte *name, integer length) {
    const struct node *node = &r->nodes[parent];
    if (node->count <= FEW) {
        for (integer child = node->first; child < node->first + node->count; child++)
            if (r->nodes[child].length == length && is_same(name, r->nodes[child].name, length)) return child;
        return -1;
    }
    unsigned hash = 2166136261u ^ (unsigned)parent;
    for (integer i = 0; i < length; i++) hash = (hash ^ name[i]) * 16777619u;
    for (integer at = hash & r->mask; r->table[at] >= 0; at = (at + 1) & r->mask) {
        integer child = r->table[at];
        const struct node *found = &r->nodes[child];
        if (child >= node->first && child < node->first + node->count && found->length == length && is_same(name, found->name, length))
            return child;
    }
    return -1;
}

// The fields of an object; *at* is behind its brace.
static integer fields_of(struct reading *r, const byte *text, integer at, integer end, integer node) {
    integer *next = &r->nodes[node].leader;
    at = skip_white(text, at, end);
    if (at < end && text[at] == '}') return at + 1;
    for (;;) {
        if (at >= end || text[at] != '"') return LEFT;
        at++;
        integer child = *next;
        const struct node *guess = &r->nodes[child];
        if (child >= 0 && end - at > guess->length && text[at + guess->length] == '"' && is_same(text + at, guess->name, guess->length)) {
            at += guess->length + 1;
        } else {
            int escaped = 0;
            integer start = at;
            at = end_of_string(text, at, end, &escaped);
            if (at < 0 || escaped) return LEFT;
            child = child_named(r, node, text + start, at - 1 - start);
            if (child >= 0) *next = child;
        }
        if (child >= 0) next = &r->nodes[child].follower;
        at = skip_white(text, at, end);
        if (at >= end || text[at] != ':') return LEFT;
        at = skip_white(text, at + 1, end);
        if (at >= end) return LEFT;
        if (child >= 0) at = value_of(r, text, at, end, child, r->nodes[child].is_parsed);
        else at = r->ignores ? skip_value(text, at, end) : LEFT;
        if (at < 0) return at;
        at = skip_white(text, at, end);
        if (at >= end) return LEFT;
        if (text[at] == '}') return at + 1;
        if (text[at] != ',') return LEFT;
        at = skip_white(text, at + 1, end);
    }
}

static integer put_integer(const struct reading *r, struct column *column, const byte *text, integer at, integer end) {
    int is_negative = text[at] == '-';
    at += is_negative;
    integer start = at;
    eight found = 0;
    while (at < end && is_digit(text[at]) && at - start <= MOST_DIGITS) found = found * 10 + (text[at++] - '0');
    if (at == start || at - start > MOST_DIGITS || found >> 63) return LEFT;
    if (text[start] == '0' && (at - start > 1 || is_negative)) return LEFT;
    integer signed_value = is_negative ? -(integer)found : (integer)found;
    if (signed_value < column->least || signed_value > column->most) return LEFT;
    __builtin_memcpy(column->values + r->rows * EIGHT, &signed_value, EIGHT);
    return at;
}

// The double next to digits * 10^q, of which the halfway case goes to the even one; digits is not 0 (Lemire, "Number parsing at a gigabyte
// per second", 2021). No result is subnormal or infinite here.
static double nearest(const struct reading *r, eight digits, integer q) {
    int zeros = __builtin_clzll(digits);
    digits <<= zeros;
    const eight *power = r->powers + 2 * (q + LARGEST);
    sixteen product = (sixteen)digits * power[0];
    if ((product >> 64 & 0x1ff) == 0x1ff) product += (sixteen)digits * power[1] >> 64;
    eight upper = (eight)(product >> 64), lower = (eight)product;
    int is_upper = (int)(upper >> 63), shift = is_upper + 9;
    eight mantissa = upper >> shift;
    eight exponent = (eight)((217706 * q >> 16) + 63 + is_upper - zeros + 1023);
    if (lower <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << shift == upper) mantissa &= ~1ull;
    mantissa += mantissa & 1;
    mantissa >>= 1;
    if (mantissa >> 53) {
        mantissa = 1ull << 52;
        exponent++;
    }
    eight bits = (mantissa & ~(1ull << 52)) | exponent << 52;
    double found;
    __builtin_memcpy(&found, &bits, EIGHT);
    return found;
}

// A number up to an exponent is digits * 10^q.
static integer digits_of(const byte *text, integer at, integer end, eight *digits, integer *q) {
    integer start = at;
    eight found = 0;
    int count = 0;
    for (; at < end && is_digit(text[at]); at++) {
        // Zeros before all others do not count.
        count += count || text[at] != '0';
        if (count > MOST_DIGITS) return LEFT;
        found = found * 10 + (text[at] - '0');
    }
    if (at == start || (text[start] == '0' && at - start > 1)) return LEFT;
    *q = 0;
    if (at < end && text[at] == '.') {
        start = ++at;
        for (; at < end && is_digit(text[at]); at++) {
            count += count || text[at] != '0';
            if (count > MOST_DIGITS) return LEFT;
            found = found * 10 + (text[at] - '0');
        }
        if (at == start || at - start > LARGEST) return LEFT;
        *q = start - at;
    }
    *digits = found;
    return at;
}

static integer put_number(const struct reading *r, struct column *column, const byte *text, integer at, integer end) {
    int is_negative = text[at] == '-';
    eight digits;
    integer q, start;
    if ((at = digits_of(text, at + is_negative, end, &digits, &q)) < 0) return LEFT;
    if (at < end && (text[at] | 0x20) == 'e') {
        at++;
        int is_below = 0;
        if (at < end && (text[at] == '+' || text[at] == '-')) is_below = text[at++] == '-';
        integer exponent = 0;
        for (start = at; at < end && is_digit(text[at]); at++) {
            exponent = exponent * 10 + (text[at] - '0');
            if (at - start > 1) return LEFT;
        }
        if (at == start) return LEFT;
        q += is_below ? -exponent : exponent;
    }
    if (q < -LARGEST || q > LARGEST) return LEFT;
    double found = digits ? nearest(r, digits, q) : 0.0;
    if (found >= column->limit) return LEFT;
    if (is_negative) found = -found;
    __builtin_memcpy(column->values + r->rows * EIGHT, &found, EIGHT);
    return at;
}

// A number, or a text that is one.
static integer put_decimal(const struct reading *r, struct column *column, const byte *text, integer at, integer end) {
    int is_text = text[at] == '"';
    at += is_text;
    int is_negative = at < end && text[at] == '-';
    eight digits;
    integer q;
    if ((at = digits_of(text, at + is_negative, end, &digits, &q)) < 0) return LEFT;
    if (is_text && (at >= end || text[at++] != '"')) return LEFT;
    for (q += column->least; q < 0; q++, digits /= 10)
        if (digits % 10) return LEFT;
    // Up to 18 digits: the next one has room.
    for (; q > 0 && digits <= (eight)column->most; q--) digits *= 10;
    if (digits > (eight)column->most) return LEFT;
    __int128 found = is_negative ? -(__int128)digits : (__int128)digits;
    __builtin_memcpy(column->values + r->rows * 16, &found, 16);
    return at;
}

// Says that the record has the column: 0 if it has it already.
static int is_new(struct reading *r, struct column *column, int is_present) {
    if (column->seen == r->tries) return 0;
    column->seen = r->tries;
    if (column->kind == OBJECT) return 1;
    r->filled++;
    column->present[r->rows] = is_present;
    return 1;
}

static void put_nothing(struct reading *r, struct column *column) {
    if (column->kind == TEXT) column->bounds[r->rows + 1] = (int)column->used;
    else if (column->kind == FLAG) column->values[r->rows] = 0;
    else if (column->kind == DECIMAL) __builtin_memset(column->values + r->rows * 16, 0, 16);
    else if (column->kind != OBJECT) __builtin_memset(column->values + r->rows * EIGHT, 0, EIGHT);
}

// A text that is JSON itself.
static integer put_parsed(struct reading *r, const byte *text, integer at, integer end, integer node) {
    integer length;
    byte *inner = r->scratch;
    at = put_string(text, at + 1, end, inner, &length);
    if (at < 0) return at;
    // What lies within has its own place.
    r->scratch += length + EIGHT;
    integer from = skip_white(inner, 0, length);
    if (from >= length) return LEFT;
    integer to = value_of(r, inner, from, length, node, 0);
    r->scratch = inner;
    if (to < 0) return to;
    return skip_white(inner, to, length) == length ? at : LEFT;
}

// A field that may be an object or a value: it has both columns, of which one gets nothing.
static int has_only(struct reading *r, integer taken, integer other) {
    if (other >= 0) {
        struct column *column = &r->columns[other];
        if (column->is_required || !is_new(r, column, 0)) return 0;
        put_nothing(r, column);
    }
    return is_new(r, &r->columns[taken], 1);
}

static integer value_of(struct reading *r, const byte *text, integer at, integer end, integer number, int is_parsed) {
    const struct node *node = &r->nodes[number];
    byte c = text[at];
    if (c == 'n') {
        integer both[2] = {node->column, node->object};
        for (int i = 0; i < 2; i++) {
            if (both[i] < 0) continue;
            struct column *column = &r->columns[both[i]];
            if (column->is_required || !is_new(r, column, 0)) return LEFT;
            put_nothing(r, column);
        }
        at = end_of_word(text, at, end, "null", 4);
        return at < 0 ? LEFT : at;
    }
    if (is_parsed) return c == '"' ? put_parsed(r, text, at, end, number) : LEFT;
    if (c == '{' && node->object >= 0) {
        if (!has_only(r, node->object, node->column)) return LEFT;
        integer within = skip_white(text, at + 1, end);
        // An object without fields stays an object, and the column takes none.
        if (node->column >= 0 && within < end && text[within] == '}') return LEFT;
        return fields_of(r, text, within, end, number);
    }
    if (node->column < 0 || !has_only(r, node->column, node->object)) return LEFT;
    struct column *column = &r->columns[node->column];
    switch (column->kind) {
    case INTEGER:
        return put_integer(r, column, text, at, end);
    case NUMBER:
        return put_number(r, column, text, at, end);
    case DECIMAL:
        return put_decimal(r, column, text, at, end);
    case FLAG:
        column->values[r->rows] = c == 't';
        at = c == 't' ? end_of_word(text, at, end, "true", 4) : end_of_word(text, at, end, "false", 5);
        return at < 0 ? LEFT : at;
    default:
        if (c != '"') return LEFT;
        if (column->room - column->used < end - at + EIGHT) return FULL;
        integer length;
        at = put_string(text, at + 1, end, column->values + column->used, &length);
        if (at < 0) return at;
        column->used += length;
        column->bounds[r->rows + 1] = (int)column->used;
        return at;
    }
}

// One record, which is text[at:end]: 0 if it has become a row.
static integer record(struct reading *r, integer at, integer end) {
    const byte *text = r->text;
    r->filled = 0;
    r->tries++;
    at = skip_white(text, at, end);
    if (at >= end || text[at] != '{') return LEFT;
    at = fields_of(r, text, at + 1, end, 0);
    if (at < 0) return at;
    if (skip_white(text, at, end) != end) return LEFT;
    if (r->filled == r->count) return 0;
    for (integer i = 0; i < r->count; i++) {
        struct column *column = &r->columns[i];
        if (column->seen == r->tries) continue;
        if (column->is_required) return LEFT;
        column->present[r->rows] = 0;
        put_nothing(r, column);
    }
    return 0;
}

// From record *from* on, as many as have room: the first that has none, or the number of records.
integer read_records(struct reading *r, integer from) {
    for (integer i = from; i < r->records; i++) {
        if (r->out[i]) continue;
        byte *scratch = r->scratch;
        integer start = r->bounds[i], end = r->bounds[i + 1] - 1;
        integer found = end - start > r->most_bytes ? LEFT : record(r, start, end);
        r->scratch = scratch;
        if (!found) {
            r->taken[i] = 1;
            r->rows++;
            continue;
        }
        for (integer k = 0; k < r->count; k++)
            if (r->columns[k].kind == TEXT) r->columns[k].used = r->columns[k].bounds[r->rows];
        if (found == FULL) return i;
    }
    return r->records;
}
