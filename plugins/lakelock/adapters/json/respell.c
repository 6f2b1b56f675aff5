// Give the fields of JSON objects (RFC 8259) the spelling of the columns that they fill, where only the case of ASCII letters differs.
//
// respell.ll is made from this file (CONTRIBUTING.md, "Change the C sources"), and respell.py explains the arguments. No library is
// needed and no memory is allocated: a letter takes the place of a letter, so every byte stays where it is.

#include "json_text.h"

// A field that columns name. Children of a node are `first` to `first + count - 1`.
struct node {
    const byte *name;
    integer length;
    integer first;
    integer count;
    // OBJECT, LIST or MAP if fields within are known.
    integer kind;
    // The object that had the field last; the place of its name there, and whether it was spelled as here.
    integer seen;
    integer start;
    integer end;
    integer is_same;
};
enum { OBJECT = 1, LIST = 2, MAP = 3 };

// An object or list around a value.
struct level {
    // -1 if no column knows what is in it.
    integer node;
    // The number of the object.
    integer number;
    // The child that matched last: objects mostly have their fields in one order.
    integer last;
    integer is_object;
};

struct respell {
    struct node *nodes;
    struct level *levels;
    integer most_levels;
    // Children of a node by hash of their names in lower case: `table[(hash of node and name) & mask]`, then the next places; -1 ends.
    const integer *table;
    integer mask;
    integer records;
    byte *text;
    const integer *bounds;
    // By record: one with a fault is left as it is, and one with too many levels gets TOO_DEEP.
    byte *faults;
    // By record: the node of a field that an object has in two spellings, and the places of both names.
    integer *twice;
    integer *places;
    // Letters that changed.
    integer changed;
    // Objects so far.
    integer objects;
};

static byte lower(byte c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

// Whether text[start:end] is the name; 2 if only but for case.
static int is_named(const struct node *node, const byte *text, integer start, integer end, int escaped) {
    if (!escaped && node->length != end - start) return 0;
    byte piece[4];
    integer i = 0;
    int found = 1;
    for (integer at = start; at < end;) {
        int count = 1;
        if (escaped) count = spelled(text, &at, piece);
        else piece[0] = text[at++];
        if (count > node->length - i) return 0;
        for (int k = 0; k < count; k++, i++) {
            if (node->name[i] == piece[k]) continue;
            if (lower(node->name[i]) != lower(piece[k])) return 0;
            found = 2;
        }
    }
    return i == node->length ? found : 0;
}

static unsigned hashed(unsigned parent, const byte *text, integer start, integer end, int escaped) {
    unsigned hash = 2166136261u ^ parent;
    byte piece[4];
    for (integer at = start; at < end;) {
        int count = 1;
        if (escaped) count = spelled(text, &at, piece);
        else piece[0] = text[at++];
        for (int k = 0; k < count; k++) hash = (hash ^ lower(piece[k])) * 16777619u;
    }
    return hash;
}

// FNV-1a, as scanner.py fills the table. Names that no column has cannot lengthen its chains.
static integer child_named(const struct respell *s, const struct level *level, integer start, integer end, int escaped, int *found) {
    const struct node *node = &s->nodes[level->node];
    integer next = level->last + 1 < node->first + node->count ? level->last + 1 : node->first;
    if (node->count && (*found = is_named(&s->nodes[next], s->text, start, end, escaped))) return next;
    integer at = hashed((unsigned)level->node, s->text, start, end, escaped) & s->mask;
    for (; s->table[at] >= 0; at = (at + 1) & s->mask) {
        integer child = s->table[at];
        if (child < node->first || child >= node->first + node->count) continue;
        if ((*found = is_named(&s->nodes[child], s->text, start, end, escaped))) return child;
    }
    return -1;
}

static byte hex_digit(int value) { return (byte)(value < 10 ? '0' + value : 'a' + value - 10); }

// Write the letters of the node's name into text[start:end], an escape as an escape.
static void spell(struct respell *s, const struct node *node, integer start, integer end, int escaped) {
    byte piece[4];
    integer i = 0;
    for (integer at = start; at < end;) {
        integer from = at;
        int count = 1;
        if (escaped) count = spelled(s->text, &at, piece);
        else piece[0] = s->text[at++];
        byte letter = node->name[i];
        if (count == 1 && piece[0] != letter) {
            s->changed++;
            if (at - from == 1) {
                s->text[from] = letter;
            } else {
                s->text[from + 4] = hex_digit(letter >> 4);
                s->text[from + 5] = hex_digit(letter & 15);
            }
        }
        i += count;
    }
}

// The child of *level* that a field with the name text[start:end] fills, or -1; -2 if the object has it in two spellings.
static integer member(struct respell *s, integer r, struct level *level, integer start, integer end, int escaped) {
    int found = 0;
    integer child = child_named(s, level, start, end, escaped, &found);
    if (child < 0) return -1;
    struct node *node = &s->nodes[child];
    level->last = child;
    // A name that is there twice in the column's spelling is the decoder's to refuse.
    if (node->seen == level->number && !(node->is_same && found == 1)) {
        s->twice[r] = child;
        s->places[4 * r] = node->start;
        s->places[4 * r + 1] = node->end;
        s->places[4 * r + 2] = start;
        s->places[4 * r + 3] = end;
        return -2;
    }
    node->seen = level->number;
    node->start = start;
    node->end = end;
    node->is_same = found == 1;
    if (found == 2) spell(s, node, start, end, escaped);
    return child;
}

// One record, which is text[at:end]. It is left to the decoder where it ceases to be JSON.
static void record(struct respell *s, integer r, integer at, integer end) {
    const byte *text = s->text;
    integer depth = -1, node = 0;
    at = skip_white(text, at, end);
    if (at >= end || text[at] != '{') return;
    for (;;) {
        // A value begins at *at*, of *node*.
        byte c = text[at];
        if (c == '{' || c == '[') {
            if (++depth >= s->most_levels) {
                s->faults[r] = TOO_DEEP;
                return;
            }
            struct level *level = &s->levels[depth];
            integer kind = node >= 0 ? s->nodes[node].kind : 0;
            level->is_object = c == '{';
            level->node = (c == '{' ? kind == OBJECT || kind == MAP : kind == LIST) ? node : -1;
            level->last = level->node >= 0 ? s->nodes[node].first - 1 : -1;
            level->number = ++s->objects;
            at = skip_white(text, at + 1, end);
            if (at >= end) return;
            // In ASCII the closing sign is two behind the opening one.
            if (text[at] != c + 2) {
                if (c == '{') goto name;
                node = level->node >= 0 ? s->nodes[level->node].first : -1;
                continue;
            }
            at++;
            depth--;
        } else if ((at = end_of_scalar(text, at, end)) < 0) {
            return;
        }
        for (;;) {
            if (depth < 0) return;
            at = skip_white(text, at, end);
            if (at >= end) return;
            if (text[at] == ',') break;
            if (text[at] != (s->levels[depth].is_object ? '}' : ']')) return;
            at++;
            depth--;
        }
        at = skip_white(text, at + 1, end);
        if (at >= end) return;
        if (!s->levels[depth].is_object) {
            node = s->levels[depth].node >= 0 ? s->nodes[s->levels[depth].node].first : -1;
            continue;
        }
    name:
        if (text[at] != '"') return;
        {
            struct level *level = &s->levels[depth];
            int escaped = 0;
            integer start = at + 1;
            if ((at = end_of_string(text, start, end, &escaped)) < 0) return;
            node = -1;
            if (level->node >= 0) {
                if (s->nodes[level->node].kind == MAP) node = s->nodes[level->node].first;
                else if ((node = member(s, r, level, start, at - 1, escaped)) == -2) return;
            }
            at = skip_white(text, at, end);
            if (at >= end || text[at] != ':') return;
            at = skip_white(text, at + 1, end);
            if (at >= end) return;
        }
    }
}

void respell_names(struct respell *s) {
    for (integer r = 0; r < s->records; r++)
        if (!s->faults[r]) record(s, r, s->bounds[r], s->bounds[r + 1] - 1);
}
