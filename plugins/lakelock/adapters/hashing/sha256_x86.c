// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of many texts, on x86 processors with instructions for SHA-256.
//
// Two texts at once, because each of these instructions waits for the result of the one before. sha256_x86.ll is made from
// this file (CONTRIBUTING.md, "Change the C sources"). No library is needed and no memory is allocated.

#include <immintrin.h>

#include "sha256.h"

#pragma clang attribute push(__attribute__((target("sha,sse4.1"))), apply_to = function)

// The words of a state in the order that the instructions take.
typedef struct {
    __m128i abef, cdgh;
} state;

typedef struct {
    const byte *bytes;
    integer length;
} text;

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

static inline void compress(state *one, const byte *block, state *two, const byte *other) {
    __m128i w[4], v[4];
    for (int i = 0; i < 4; i++) w[i] = swapped(load(block + 16 * i)), v[i] = swapped(load(other + 16 * i));
    state a = *one, b = *two;
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
        advance(&a, w, group);
        advance(&b, v, group);
    }
    *one = sum_of(*one, a);
    *two = sum_of(*two, b);
}

// Block *n* of a text with its padding, behind *before* bytes that were hashed already; in *room* if a part of it is padding.
static inline const byte *block_of(byte *room, text of, integer n, integer before) {
    integer left = of.length - n * BLOCK, i = 0;
    if (left >= BLOCK) return of.bytes + n * BLOCK;
    for (int k = 0; k < 4; k++) store(room + 16 * k, _mm_setzero_si128());
    const byte *from = of.bytes + n * BLOCK;
    for (; i + 8 <= left; i += 8) __builtin_memcpy(room + i, from + i, 8);
    for (; i < left; i++) room[i] = from[i];
    if (left >= 0) room[left] = 0x80;
    if (left + 9 <= BLOCK) {
        unsigned long long bits = __builtin_bswap64((unsigned long long)(before + of.length) * 8);
        __builtin_memcpy(room + BLOCK - 8, &bits, 8);
    }
    return room;
}

// Two texts, from *first* on, to the states *one* and *two*.
static inline void hash(state first, text a, state *one, text b, state *two, integer before) {
    byte room[BLOCK], other[BLOCK];
    integer of_a = blocks_of(a.length), of_b = blocks_of(b.length);
    *one = *two = first;
    for (integer n = 0; n < of_a || n < of_b; n++) {
        state at_a = *one, at_b = *two;
        compress(
            &at_a, n < of_a ? block_of(room, a, n, before) : room, &at_b, n < of_b ? block_of(other, b, n, before) : other
        );
        if (n < of_a) *one = at_a;
        if (n < of_b) *two = at_b;
    }
}

static inline state begin(const byte *key) {
    __m128i abcd = _mm_shuffle_epi32(load(FIRST), 0xb1), efgh = _mm_shuffle_epi32(load(FIRST + 4), 0x1b);
    state out = {_mm_alignr_epi8(abcd, efgh, 8), _mm_blend_epi16(efgh, abcd, 0xf0)}, unused = out;
    if (key) compress(&out, key, &unused, key);
    return out;
}

static inline void write_digest(state of, byte *to) {
    __m128i feba = _mm_shuffle_epi32(of.abef, 0x1b), dchg = _mm_shuffle_epi32(of.cdgh, 0xb1);
    store(to, swapped(_mm_blend_epi16(feba, dchg, 0xf0)));
    store(to + 16, swapped(_mm_alignr_epi8(dchg, feba, 8)));
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
    for (integer i = 0; i < job->count; i += 2) {
        // The last text of an odd number is hashed beside itself.
        integer k = i + 1 < job->count ? i + 1 : i;
        text a = {job->text + job->bounds[i], job->bounds[i + 1] - job->bounds[i]};
        text b = {job->text + job->bounds[k], job->bounds[k + 1] - job->bounds[k]};
        state one, two;
        hash(inner, a, &one, b, &two, before);
        if (job->key) {
            byte of_a[DIGEST], of_b[DIGEST];
            write_digest(one, of_a);
            write_digest(two, of_b);
            hash(outer, (text){of_a, DIGEST}, &one, (text){of_b, DIGEST}, &two, before);
        }
        if (job->is_hex) {
            write_hex(one, job->digests + i * width);
            write_hex(two, job->digests + k * width);
        } else {
            write_digest(one, job->digests + i * width);
            write_digest(two, job->digests + k * width);
        }
    }
}

#pragma clang attribute pop
