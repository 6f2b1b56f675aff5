// Scan JSON objects: validate them (RFC 8259), find the fields that columns take as text, and gather what no column takes.
//
// scanner.ll is made from this file (CONTRIBUTING.md, "Change the C sources"), and scanner.py explains the arguments. No library is
// needed and no memory is allocated: every output is at most as large as its input.

#include "json_text.h"

// A field that columns name. Children of a node are `first` to `first + count - 1`, in the order of columns.
struct node {
    const byte *name;
    integer length;
    integer first;
    integer count;
    // The slot of the field's text, or -1.
    integer slot;
    // OBJECT, LIST or MAP if fields within are known, TEXT if any value is taken as it is, else LEAF.
    integer kind;
};
enum { LEAF = 0, OBJECT = 1, LIST = 2, MAP = 3, TEXT = 4 };

// An object or list that the scan is in.
struct level {
    // Of the object or list; -1 if no column knows it.
    integer node;
    // Within the member of an object: its place, its name with quotes, and its own node; -1 if no column knows it.
    integer name_start;
    integer name_end;
    integer value_start;
    integer member;
    // The child that matched last: objects mostly have their fields in one order.
    integer last;
    // The last comma that is still there in `without`; -1 before the first.
    integer comma;
    byte is_object;
    // Some of it is written to the rest.
    byte has_rest;
    // A field within, below a list or map, has no column.
    byte is_unknown_within;
    // It is within a field that is taken as text: nothing in it is new.
    byte is_taken;
};

struct scan {
    const struct node *nodes;
    struct level *levels;
    integer most_levels;
    // Children of a node by hash of their names: `table[(hash of node and name) & mask]`, then the next places; -1 ends.
    const integer *table;
    integer mask;
    integer records;
    const byte *text;
    const integer *bounds;
    // A copy of the text, in which fields taken as text or kept in the rest become the number 0. Null: not wanted.
    byte *without;
    // [slot * records + record]; -1: absent.
    integer *starts;
    integer *ends;
    // By record; `twice` names the slot.
    byte *faults;
    integer *twice;
    // Null: not wanted.
    byte *rest;
    integer *rest_bounds;
};

static int is_named(const struct node *node, const byte *name, integer length, int escaped) {
    if (!escaped && node->length != length) return 0;
    byte piece[4];
    integer i = 0;
    for (integer at = 0; at < length;) {
        int count = 1;
        if (escaped) count = spelled(name, &at, piece);
        else piece[0] = name[at++];
        if (count > node->length - i) return 0;
        for (int k = 0; k < count; k++)
            if (node->name[i++] != piece[k]) return 0;
    }
    return i == node->length;
}

static unsigned hashed(unsigned parent, const byte *name, integer length, int escaped) {
    unsigned hash = 2166136261u ^ parent;
    byte piece[4];
    for (integer at = 0; at < length;) {
        int count = 1;
        if (escaped) count = spelled(name, &at, piece);
        else piece[0] = name[at++];
        for (int k = 0; k < count; k++) hash = (hash ^ piece[k]) * 16777619u;
    }
    return hash;
}

// FNV-1a, as scanner.py fills the table. Names that no column has cannot lengthen its chains.
static integer child_named(const struct scan *s, integer parent, const byte *name, integer length, int escaped, integer last) {
    const struct node *node = &s->nodes[parent];
    integer next = last + 1 < node->first + node->count ? last + 1 : node->first;
    if (node->count && is_named(&s->nodes[next], name, length, escaped)) return next;
    integer at = hashed((unsigned)parent, name, length, escaped) & s->mask;
    for (; s->table[at] >= 0; at = (at + 1) & s->mask) {
        integer child = s->table[at];
        if (child >= node->first && child < node->first + node->count && is_named(&s->nodes[child], name, length, escaped))
            return child;
    }
    return -1;
}

// Put the number 0 in the place of text[start:end].
static void blank(const struct scan *s, integer start, integer end) {
    if (!s->without) return;
    s->without[start] = '0';
    for (integer i = start + 1; i < end; i++) s->without[i] = ' ';
}

// Append text[start:end] to the rest.
static integer append(const struct scan *s, integer to, integer start, integer end) {
    for (integer i = start; i < end; i++) s->rest[to++] = s->text[i];
    return to;
}

// Append the member that *level* is in: first the objects around it that are not there yet, then its name, and its value up to *end*.
static integer append_member(struct scan *s, integer depth, integer to, integer end) {
    for (integer d = 0; d <= depth; d++) {
        struct level *level = &s->levels[d];
        if (d < depth && s->levels[d + 1].has_rest) continue;
        s->rest[to++] = level->has_rest ? ',' : '{';
        level->has_rest = 1;
        to = append(s, to, level->name_start, level->name_end);
        s->rest[to++] = ':';
    }
    return append(s, to, s->levels[depth].value_start, end);
}

// Remove the member that *level* is in from `without`, up to *end*, and a comma: the next one at *at*, or else the last one.
static void drop_member(const struct scan *s, struct level *level, integer end, integer at) {
    for (integer i = level->name_start; i < end; i++) s->without[i] = ' ';
    if (s->text[at] == ',') s->without[at] = ' ';
    else if (level->comma >= 0) s->without[level->comma] = ' ';
}

// One record, which is text[at:end]; *to* is the end of the rest so far, and what follows it is returned, or -1 - fault.
static integer record(struct scan *s, integer r, integer at, integer end, integer to) {
    const byte *text = s->text;
    struct level *levels = s->levels;
    integer depth = -1, node = 0;
    at = skip_white(text, at, end);
    if (at >= end || text[at] != '{') return -1 - INVALID;
    for (;;) {
        // A value begins at *at*, of *node*.
        byte c = text[at];
        if (c == '{' || c == '[') {
            if (++depth >= s->most_levels) return -1 - TOO_DEEP;
            struct level *level = &levels[depth];
            level->is_object = c == '{';
            level->has_rest = level->is_unknown_within = 0;
            level->node = node;
            level->last = node >= 0 ? s->nodes[node].first - 1 : -1;
            level->member = level->comma = -1;
            level->is_taken = node >= 0 && (s->nodes[node].slot >= 0 || (depth && levels[depth - 1].is_taken));
            at = skip_white(text, at + 1, end);
            if (at >= end) return -1 - INVALID;
            if (text[at] != (level->is_object ? '}' : ']')) {
                if (!level->is_object) {
                    // The only child of a list is its element.
                    node = node >= 0 && s->nodes[node].kind == LIST ? s->nodes[node].first : -1;
                    continue;
                }
                goto name;
            }
            goto close;
        }
        at = end_of_scalar(text, at, end);
        if (at < 0) return -1 - INVALID;
    ended:
        // A value ended before *at*, within levels[depth].
        {
            struct level *level = &levels[depth];
            integer value_end = at;
            int is_dropped = 0;
            if (level->is_object) {
                integer member = level->member;
                int is_rest = 0;
                if (member >= 0) {
                    const struct node *known = &s->nodes[member];
                    if (known->slot >= 0) {
                        integer place = known->slot * s->records + r;
                        if (s->starts[place] >= 0) {
                            s->twice[r] = known->slot;
                            return -1 - TWICE;
                        }
                        s->starts[place] = level->value_start;
                        s->ends[place] = at;
                        if (known->kind == TEXT) blank(s, level->value_start, at);
                    }
                    is_rest = level->is_unknown_within;
                } else {
                    is_rest = level->node >= 0 && s->nodes[level->node].kind == OBJECT;
                    is_dropped = is_rest && level->is_taken;
                    if (is_dropped) is_rest = 0;
                    // The decoder ignores it, but not what it cannot read.
                    if (is_rest && s->rest) blank(s, level->value_start, at);
                }
                if (is_rest && s->rest) {
                    // Below a list or map, the outermost one is kept whole.
                    integer outer = -1;
                    for (integer d = 0; d < depth && outer < 0; d++)
                        if (levels[d].member >= 0 && (s->nodes[levels[d].member].kind == LIST || s->nodes[levels[d].member].kind == MAP))
                            outer = d;
                    if (outer >= 0) levels[outer].is_unknown_within = 1;
                    else to = append_member(s, depth, to, at);
                }
                level->is_unknown_within = 0;
            }
            at = skip_white(text, at, end);
            if (at >= end) return -1 - INVALID;
            if (is_dropped && s->without) drop_member(s, level, value_end, at);
            c = text[at];
            if (c == ',') {
                if (!is_dropped) level->comma = at;
                at = skip_white(text, at + 1, end);
                if (at >= end) return -1 - INVALID;
                if (level->is_object) goto name;
                node = level->node >= 0 && s->nodes[level->node].kind == LIST ? s->nodes[level->node].first : -1;
                continue;
            }
            if (c != (level->is_object ? '}' : ']')) return -1 - INVALID;
        }
    close:
        if (levels[depth].has_rest && s->rest) s->rest[to++] = '}';
        at++;
        if (--depth >= 0) goto ended;
        return skip_white(text, at, end) == end ? to : -1 - INVALID;
    name:
        if (text[at] != '"') return -1 - INVALID;
        {
            struct level *level = &levels[depth];
            int escaped = 0;
            level->name_start = at;
            at = end_of_string(text, at + 1, end, &escaped);
            if (at < 0) return -1 - INVALID;
            level->name_end = at;
            level->member = -1;
            if (level->node >= 0) {
                integer kind = s->nodes[level->node].kind;
                if (kind == OBJECT) {
                    const byte *name = text + level->name_start + 1;
                    level->member = child_named(s, level->node, name, at - level->name_start - 2, escaped, level->last);
                    if (level->member >= 0) level->last = level->member;
                } else if (kind == MAP) {
                    level->member = s->nodes[level->node].first;
                }
            }
            at = skip_white(text, at, end);
            if (at >= end || text[at] != ':') return -1 - INVALID;
            at = skip_white(text, at + 1, end);
            if (at >= end) return -1 - INVALID;
            level->value_start = at;
            node = level->member;
        }
    }
}

void scan_records(struct scan *s) {
    integer to = 0;
    if (s->rest) s->rest_bounds[0] = 0;
    for (integer r = 0; r < s->records; r++) {
        integer after = record(s, r, s->bounds[r], s->bounds[r + 1] - 1, to);
        s->faults[r] = after < 0 ? (byte)(-1 - after) : VALID;
        if (!s->rest) continue;
        if (after >= 0) to = after;
        s->rest_bounds[r + 1] = to;
    }
}

// Copy text[starts[i]:ends[i]] to bounds[i], nothing for an absent one.
void gather_texts(const byte *text, integer count, const integer *starts, const integer *ends, byte *to, const integer *bounds) {
    for (integer i = 0; i < count; i++) {
        if (starts[i] < 0) continue;
        const byte *from = text + starts[i];
        byte *into = to + bounds[i];
        for (integer n = ends[i] - starts[i], k = 0; k < n; k++) into[k] = from[k];
    }
}
