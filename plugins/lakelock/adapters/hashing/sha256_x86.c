// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of many texts, on x86 processors with instructions for SHA-256.
//
// Two texts at once, because each of these instructions waits for the result of the one before. The first blocks of several
// texts are put together ahead of that, because a load of bytes that several stores have just written waits for all of them.
// sha256_x86.ll is made from this file (CONTRIBUTING.md, "Change the C sources"). No library is needed and no memory is allocated.

#include <immintrin.h>

#include "sha256.h"

#pragma clang attribute push(__attribute__((target("sha,sse4.1"))), apply_to = function)

// The words of a state in the order that the instructions take.
typedef struct {
    __m128i abef, cdgh;
} state;

// Of a block, each in this machine's order of bytes.
typedef struct {
    __m128i of[4];
} words;

// *first* is its first block with its padding; in *room* if a part of it is padding.
typedef struct {
    const byte *bytes, *first;
    integer length;
    byte *room;
} text;

enum { AHEAD = 16 };

static inline __m128i load(const void *from) { return _mm_loadu_si128((const __m128i *)from); }
static inline void store(void *to, __m128i value) { _mm_storeu_si128((__m128i *)to, value); }

// The bytes of four words, most significant first.
static inline __m128i swapped(__m128i words) {
    return _mm_shuffle_epi8(words, _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll));
}

// Four rounds of a text; from the fifth call on, w[0] is first made of the sixteen words before.
static inline void advance(state *to, __m128i *w, int group) {
    if (group >= 4) {
        __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), _mm_alignr_epi8(w[3], w[2], 4));
        w[0] = _mm_sha256msg2_epu32(sum, w[3]);
    }
    __m128i add = _mm_add_epi32(w[0], load(ROUND + 4 * group));
    to->cdgh = _mm_sha256rnds2_epu32(to->cdgh, to->abef, add);
    to->abef = _mm_sha256rnds2_epu32(to->abef, to->cdgh, _mm_shuffle_epi32(add, 0x0e));
    __m128i first = w[0];
    w[0] = w[1], w[1] = w[2], w[2] = w[3], w[3] = first;
}

static inline state sum_of(state one, state two) {
    return (state){_mm_add_epi32(one.abef, two.abef), _mm_add_epi32(one.cdgh, two.cdgh)};
}

static inline words words_of(const byte *block) {
    words w;
    for (int i = 0; i < 4; i++) w.of[i] = swapped(load(block + 16 * i));
    return w;
}

static inline void compress(state *one, words w, state *two, words v) {
    state a = *one, b = *two;
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
        advance(&a, w.of, group);
        advance(&b, v.of, group);
    }
    *one = sum_of(*one, a);
    *two = sum_of(*two, b);
}

static inline void copy(byte *to, const byte *from, integer length) {
    if (length >= 16) {
        for (integer i = 0; i + 16 <= length; i += 16) store(to + i, load(from + i));
        store(to + length - 16, load(from + length - 16));
    } else if (length >= 8) {
        __builtin_memcpy(to, from, 8);
        __builtin_memcpy(to + length - 8, from + length - 8, 8);
    } else
        for (integer i = 0; i < length; i++) to[i] = from[i];
}

// Block *n* of a text with its padding, behind *before* bytes that were hashed already; in its room if a part of it is padding.
static inline const byte *block_of(const text *of, integer n, integer before) {
    integer left = of->length - n * BLOCK;
    if (left >= BLOCK) return of->bytes + n * BLOCK;
    for (int k = 0; k < 4; k++) store(of->room + 16 * k, _mm_setzero_si128());
    copy(of->room, of->bytes + n * BLOCK, left);
    if (left >= 0) of->room[left] = 0x80;
    if (left + 9 <= BLOCK) {
        unsigned long long bits = __builtin_bswap64((unsigned long long)(before + of->length) * 8);
        __builtin_memcpy(of->room + BLOCK - 8, &bits, 8);
    }
    return of->room;
}

// Two texts, from *first* on, to the states *one* and *two*.
static inline void hash(state first, const text *a, state *one, const text *b, state *two, integer before) {
    integer of_a = blocks_of(a->length), of_b = blocks_of(b->length);
    *one = *two = first;
    compress(one, words_of(a->first), two, words_of(b->first));
    for (integer n = 1; n < of_a || n < of_b; n++) {
        state at_a = *one, at_b = *two;
        const byte *next_a = n < of_a ? block_of(a, n, before) : a->room, *next_b = n < of_b ? block_of(b, n, before) : b->room;
        compress(&at_a, words_of(next_a), &at_b, words_of(next_b));
        if (n < of_a) *one = at_a;
        if (n < of_b) *two = at_b;
    }
}

static inline state begin(const byte *key) {
    __m128i abcd = _mm_shuffle_epi32(load(FIRST), 0xb1), efgh = _mm_shuffle_epi32(load(FIRST + 4), 0x1b);
    state out = {_mm_alignr_epi8(abcd, efgh, 8), _mm_blend_epi16(efgh, abcd, 0xf0)}, unused = out;
    if (key) compress(&out, words_of(key), &unused, words_of(key));
    return out;
}

// The one block of a digest as a text behind a key.
static inline words keyed_block(state of) {
    __m128i feba = _mm_shuffle_epi32(of.abef, 0x1b), dchg = _mm_shuffle_epi32(of.cdgh, 0xb1);
    return (words){{
        _mm_blend_epi16(feba, dchg, 0xf0),
        _mm_alignr_epi8(dchg, feba, 8),
        _mm_set_epi32(0, 0, 0, (int)0x80000000),
        _mm_set_epi32(8 * (BLOCK + DIGEST), 0, 0, 0),
    }};
}

static inline void write_digest(state of, byte *to) {
    words digest = keyed_block(of);
    store(to, swapped(digest.of[0]));
    store(to + 16, swapped(digest.of[1]));
}

static inline void write_hex(state of, byte *to) {
    const __m128i digits = _mm_set_epi64x(0x6665646362613938ll, 0x3736353433323130ll), nibble = _mm_set1_epi8(15);
    byte digest[DIGEST];
    write_digest(of, digest);
    for (int half = 0; half < 2; half++) {
        __m128i bytes = load(digest + 16 * half);
        __m128i high = _mm_shuffle_epi8(digits, _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble));
        __m128i low = _mm_shuffle_epi8(digits, _mm_and_si128(bytes, nibble));
        store(to + 32 * half, _mm_unpacklo_epi8(high, low));
        store(to + 32 * half + 16, _mm_unpackhi_epi8(high, low));
    }
}

void hash_texts(const struct job *job) {
    state inner = begin(job->key), outer = inner;
    if (job->key) outer = begin(job->key + BLOCK);
    integer before = job->key ? BLOCK : 0, width = job->is_hex ? 2 * DIGEST : DIGEST;
    for (integer at = 0; at < job->count; at += AHEAD) {
        byte rooms[AHEAD][BLOCK];
        text texts[AHEAD];
        int count = job->count - at < AHEAD ? (int)(job->count - at) : AHEAD;
        for (int i = 0; i < count; i++) {
            const integer *bounds = job->bounds + at + i;
            texts[i] = (text){job->text + bounds[0], 0, bounds[1] - bounds[0], rooms[i]};
            texts[i].first = block_of(&texts[i], 0, before);
        }
        byte *to = job->digests + at * width;
        for (int i = 0; i < count; i += 2) {
            // The last text of an odd number is hashed beside itself.
            int k = i + 1 < count ? i + 1 : i;
            state one, two;
            hash(inner, &texts[i], &one, &texts[k], &two, before);
            if (job->key) {
                words of_one = keyed_block(one), of_two = keyed_block(two);
                one = two = outer;
                compress(&one, of_one, &two, of_two);
            }
            if (job->is_hex) {
                write_hex(one, to + i * width);
                write_hex(two, to + k * width);
            } else {
                write_digest(one, to + i * width);
                write_digest(two, to + k * width);
            }
        }
    }
}

#pragma clang attribute pop
