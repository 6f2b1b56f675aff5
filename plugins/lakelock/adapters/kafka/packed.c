// Pack records one behind another, sorted by the number of their table, and put packed ones into columns.
//
// packed.ll is made from this file (CONTRIBUTING.md, "Change the C sources"), and packed_records.py explains the arguments. No library is
// needed but memcpy, and no memory is allocated: the size of each output is measured first.

typedef unsigned char byte;
typedef long long integer;

// Values, keys, and values as they were sent.
enum { VALUE = 0, KEY = 1, SENT = 2, TEXTS = 3 };
// In place of a size. The value was sent as it is for SAME.
enum { ABSENT = -1, SAME = -2 };
enum { AHEAD = 6, LINES = 4, LINE_BYTES = 64 };

// Text `i` is `buffer[bounds[i] : bounds[i + 1] - 1]`, and a line break is behind it.
struct texts {
    byte *buffer;
    integer *bounds;
    // By text; null: none is absent.
    byte *absent;
};

// A packed record begins with this, and its texts follow.
struct head {
    int table;
    int partition;
    integer offset;
    integer timestamp;
    integer sizes[TEXTS];
};

struct columns {
    int *partitions;
    integer *offsets;
    integer *timestamps;
    // Without bounds: of all records ABSENT, or SAME for SENT.
    struct texts texts[TEXTS];
};

struct packing {
    // A record may be there for several tables.
    integer pairs;
    const integer *records;
    const integer *tables;
    struct columns from;
    // By table: records, and bytes of these packed.
    integer *counts;
    integer *sizes;
    // By table: where its next record goes.
    integer *next;
    byte *rows;
};

struct unpacking {
    // Packed records lie in *runs*; by run, how many.
    integer runs;
    byte *const *places;
    const integer *lengths;
    integer *records;
    // The number of the first table.
    integer first;
    // By table: records, and bytes of each kind of texts; then where the next ones go.
    integer *counts;
    integer *bytes[TEXTS];
    // Whether any record has a key, or was sent with another value.
    integer has[TEXTS];
    struct columns to;
    // By place in the columns: which of the packed records it is. Null: not wanted.
    integer *sources;
};

static integer size_of(const struct texts *texts, integer i, integer without) {
    if (!texts->bounds) return without;
    if (texts->absent && texts->absent[i]) return ABSENT;
    return texts->bounds[i + 1] - texts->bounds[i] - 1;
}

static void head_of(const struct packing *p, integer i, struct head *head) {
    integer record = p->records[i];
    head->table = (int)p->tables[i];
    head->partition = p->from.partitions[record];
    head->offset = p->from.offsets[record];
    head->timestamp = p->from.timestamps[record];
    for (int k = 0; k < TEXTS; k++) head->sizes[k] = size_of(&p->from.texts[k], record, k == SENT ? SAME : ABSENT);
}

static integer bytes_of(const struct head *head) {
    integer found = sizeof(struct head);
    for (int k = 0; k < TEXTS; k++)
        if (head->sizes[k] > 0) found += head->sizes[k];
    return found;
}

void measure_packed(struct packing *p) {
    struct head head;
    for (integer i = 0; i < p->pairs; i++) {
        head_of(p, i, &head);
        p->counts[head.table]++;
        p->sizes[head.table] += bytes_of(&head);
    }
}

void pack_records(struct packing *p) {
    struct head head;
    for (integer i = 0; i < p->pairs; i++) {
        // Tables lie apart: memory for a record is requested while others are copied.
        const byte *soon = p->rows + p->next[p->tables[i + AHEAD < p->pairs ? i + AHEAD : i]];
        for (int line = 0; line < LINES; line++) __builtin_prefetch(soon + line * LINE_BYTES, 1);
        head_of(p, i, &head);
        byte *to = p->rows + p->next[head.table];
        __builtin_memcpy(to, &head, sizeof head);
        p->next[head.table] += bytes_of(&head);
        to += sizeof head;
        for (int k = 0; k < TEXTS; k++) {
            if (head.sizes[k] <= 0) continue;
            const struct texts *texts = &p->from.texts[k];
            __builtin_memcpy(to, texts->buffer + texts->bounds[p->records[i]], head.sizes[k]);
            to += head.sizes[k];
        }
    }
}

void measure_unpacked(struct unpacking *u) {
    struct head head;
    for (integer run = 0; run < u->runs; run++) {
        const byte *at = u->places[run], *end = at + u->lengths[run];
        integer count = 0;
        for (; at < end; at += bytes_of(&head), count++) {
            __builtin_memcpy(&head, at, sizeof head);
            integer table = head.table - u->first;
            u->counts[table]++;
            if (head.sizes[KEY] != ABSENT) u->has[KEY] = 1;
            if (head.sizes[SENT] != SAME) u->has[SENT] = 1;
            for (int k = 0; k < TEXTS; k++) {
                integer size = head.sizes[head.sizes[k] == SAME ? VALUE : k];
                u->bytes[k][table] += (size > 0 ? size : 0) + 1;
            }
        }
        u->records[run] = count;
    }
}

void unpack_records(struct unpacking *u) {
    struct head head;
    integer source = 0;
    for (integer run = 0; run < u->runs; run++) {
        const byte *at = u->places[run], *end = at + u->lengths[run];
        for (; at < end; at += bytes_of(&head), source++) {
            __builtin_memcpy(&head, at, sizeof head);
            integer table = head.table - u->first, to = u->counts[table]++;
            u->to.partitions[to] = head.partition;
            u->to.offsets[to] = head.offset;
            u->to.timestamps[to] = head.timestamp;
            if (u->sources) u->sources[to] = source;
            const byte *texts[TEXTS], *from = at + sizeof head;
            for (int k = 0; k < TEXTS; k++) {
                texts[k] = from;
                if (head.sizes[k] > 0) from += head.sizes[k];
            }
            for (int k = 0; k < TEXTS; k++) {
                const struct texts *column = &u->to.texts[k];
                if (!column->bounds) continue;
                int of = head.sizes[k] == SAME ? VALUE : k;
                integer size = head.sizes[of], start = u->bytes[k][table];
                column->absent[to] = size < 0;
                if (size < 0) size = 0;
                __builtin_memcpy(column->buffer + start, texts[of], size);
                column->buffer[start + size] = '\n';
                u->bytes[k][table] = column->bounds[to + 1] = start + size + 1;
            }
        }
    }
}
