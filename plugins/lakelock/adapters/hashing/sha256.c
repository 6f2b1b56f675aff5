// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of many texts: eight at once, each in a lane of the vectors.
//
// sha256.ll is made from this file (CONTRIBUTING.md, "Change the C sources"). No library is needed and no memory is allocated.

#include "sha256.h"

enum { LANES = 8 };
typedef word lanes __attribute__((vector_size(4 * LANES)));

static inline lanes rotated(lanes x, int n) { return x >> n | x << (32 - n); }

// The words of a block by lane: block[t] has word t of each.
typedef union {
    lanes vectors[16];
    word words[16][LANES];
} blocks;

// One block of each lane whose bits in *active* are set.
static void compress(lanes *state, blocks *block, lanes active) {
    lanes *w = block->vectors;
    lanes a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            lanes old = w[(t + 1) & 15], new = w[(t + 14) & 15];
            w[t & 15] += (rotated(old, 7) ^ rotated(old, 18) ^ old >> 3) + w[(t + 9) & 15]
                + (rotated(new, 17) ^ rotated(new, 19) ^ new >> 10);
        }
        lanes one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (g ^ (e & (f ^ g))) + ROUND[t] + w[t & 15];
        lanes two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) | (c & (a | b)));
        h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    lanes now[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) state[i] += now[i] & active;
}

static inline word read_word(const byte *from) {
    return (word)from[0] << 24 | (word)from[1] << 16 | (word)from[2] << 8 | (word)from[3];
}

static void put(blocks *block, int lane, const byte *from) {
    for (int t = 0; t < 16; t++) block->words[t][lane] = read_word(from + 4 * t);
}

// Block *n* of a text of *length* with its padding, behind *before* bytes that were hashed already.
static void put_padded(blocks *block, int lane, const byte *text, integer length, integer n, integer before) {
    integer start = n * BLOCK, left = length - start;
    if (left >= BLOCK) {
        put(block, lane, text + start);
        return;
    }
    int t = 0;
    for (; 4 * t + 4 <= left; t++) block->words[t][lane] = read_word(text + start + 4 * t);
    // The one bit behind the text is in the word of its last bytes, unless it is in an earlier block.
    if (left >= 0) {
        word last = 0;
        for (integer i = 4 * t; i < 4 * t + 4; i++) last = last << 8 | (i < left ? text[start + i] : i == left ? 0x80 : 0);
        block->words[t++][lane] = last;
    }
    for (; t < 16; t++) block->words[t][lane] = 0;
    if (left + 9 <= BLOCK) {
        unsigned long long bits = (unsigned long long)(before + length) * 8;
        block->words[14][lane] = (word)(bits >> 32);
        block->words[15][lane] = (word)bits;
    }
}

// The texts of up to LANES lanes, from *first* on (a state for each lane), to the state of each.
static void hash(lanes *state, const byte **texts, const integer *lengths, integer before) {
    integer most = 0;
    for (int lane = 0; lane < LANES; lane++) {
        integer needed = blocks_of(lengths[lane]);
        if (needed > most) most = needed;
    }
    for (integer n = 0; n < most; n++) {
        blocks block;
        union {
            lanes vector;
            word words[LANES];
        } active;
        for (int lane = 0; lane < LANES; lane++) {
            int is_active = n < blocks_of(lengths[lane]);
            active.words[lane] = is_active ? 0xffffffffu : 0;
            if (is_active) put_padded(&block, lane, texts[lane], lengths[lane], n, before);
            else
                for (int t = 0; t < 16; t++) block.words[t][lane] = 0;
        }
        compress(state, &block, active.vector);
    }
}

static void begin(lanes *state, const byte *key) {
    lanes none = {0};
    for (int i = 0; i < 8; i++) state[i] = none + FIRST[i];
    if (!key) return;
    blocks block;
    for (int lane = 0; lane < LANES; lane++) put(&block, lane, key);
    compress(state, &block, ~none);
}

static void write_hex(const lanes *state, int lane, byte *to) {
    for (int i = 0; i < 8; i++) {
        // A digit in each byte, as a number and then as its sign.
        unsigned long long of = ((const word *)&state[i])[lane];
        of = (of | of << 16) & 0x0000ffff0000ffffull;
        of = (of | of << 8) & 0x00ff00ff00ff00ffull;
        of = (of | of << 4) & 0x0f0f0f0f0f0f0f0full;
        of += 0x3030303030303030ull + ((of + 0x0606060606060606ull) >> 4 & 0x0101010101010101ull) * ('a' - '0' - 10);
        for (int k = 0; k < 8; k++) to[8 * i + k] = (byte)(of >> (56 - 8 * k));
    }
}

static void write_digest(const lanes *state, int lane, byte *to) {
    for (int i = 0; i < 8; i++) {
        word of = ((const word *)&state[i])[lane];
        for (int k = 0; k < 4; k++) to[4 * i + k] = (byte)(of >> (24 - 8 * k));
    }
}

void hash_texts(const struct job *job) {
    lanes inner[8], outer[8];
    begin(inner, job->key);
    if (job->key) begin(outer, job->key + BLOCK);
    integer before = job->key ? BLOCK : 0;
    for (integer at = 0; at < job->count; at += LANES) {
        const byte *texts[LANES];
        integer lengths[LANES];
        int used = job->count - at < LANES ? (int)(job->count - at) : LANES;
        for (int lane = 0; lane < LANES; lane++) {
            integer i = at + (lane < used ? lane : 0);
            texts[lane] = job->text + job->bounds[i];
            lengths[lane] = job->bounds[i + 1] - job->bounds[i];
        }
        lanes state[8];
        for (int i = 0; i < 8; i++) state[i] = inner[i];
        hash(state, texts, lengths, before);
        if (job->key) {
            byte found[LANES][DIGEST];
            for (int lane = 0; lane < LANES; lane++) {
                write_digest(state, lane, found[lane]);
                texts[lane] = found[lane];
                lengths[lane] = DIGEST;
            }
            for (int i = 0; i < 8; i++) state[i] = outer[i];
            hash(state, texts, lengths, before);
        }
        for (int lane = 0; lane < used; lane++) {
            if (job->is_hex) write_hex(state, lane, job->digests + (at + lane) * 2 * DIGEST);
            else write_digest(state, lane, job->digests + (at + lane) * DIGEST);
        }
    }
}
