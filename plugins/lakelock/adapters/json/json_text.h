// The text of JSON (RFC 8259): white space, strings, numbers and words.

typedef unsigned char byte;
typedef long long integer;

enum { VALID = 0, INVALID = 1, TOO_DEEP = 2, TWICE = 3 };

static int is_white(byte c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static int is_digit(byte c) { return c >= '0' && c <= '9'; }
static int is_hex(byte c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static integer skip_white(const byte *text, integer at, integer end) {
    while (at < end && is_white(text[at])) at++;
    return at;
}

typedef unsigned long long eight;
enum { EIGHT = 8 };

static inline eight eight_at(const byte *text) {
    eight bytes;
    __builtin_memcpy(&bytes, text, EIGHT);
    return bytes;
}

// Whether one of eight bytes is *c*, or is less than *c* of up to 0x80: in each case the lowest borrow is that of a hit.
static inline eight has(eight bytes, byte c) {
    eight other = bytes ^ c * 0x0101010101010101ull;
    return (other - 0x0101010101010101ull) & ~other & 0x8080808080808080ull;
}
static inline eight has_less(eight bytes, byte c) {
    return (bytes - c * 0x0101010101010101ull) & ~bytes & 0x8080808080808080ull;
}

enum { SIXTEEN = 16 };
typedef byte sixteen_bytes __attribute__((ext_vector_type(SIXTEEN)));
typedef _Bool sixteen_flags __attribute__((ext_vector_type(SIXTEEN)));

// Which of sixteen bytes are no plain part of a string: the lowest bit is that of the first byte.
static inline unsigned not_plain(const byte *text) {
    sixteen_bytes bytes;
    __builtin_memcpy(&bytes, text, SIXTEEN);
    sixteen_flags found = __builtin_convertvector((bytes == '"') | (bytes == '\\') | (bytes < 0x20), sixteen_flags);
    unsigned short bits;
    __builtin_memcpy(&bits, &found, sizeof bits);
    return bits;
}

// Behind the closing quote; -1 if invalid. *at* is behind the opening one.
static integer end_of_string(const byte *text, integer at, integer end, int *escaped) {
    while (at < end) {
        unsigned found = 0;
        for (; end - at >= SIXTEEN; at += SIXTEEN)
            if ((found = not_plain(text + at))) break;
        if (found) at += __builtin_ctz(found);
        else
            while (at < end && text[at] != '"' && text[at] != '\\' && text[at] >= 0x20) at++;
        if (at >= end) return -1;
        byte c = text[at++];
        if (c == '"') return at;
        if (c != '\\') return -1;
        *escaped = 1;
        if (at >= end) return -1;
        switch (text[at++]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
            break;
        case 'u':
            if (end - at < 4) return -1;
            for (int i = 0; i < 4; i++)
                if (!is_hex(text[at + i])) return -1;
            at += 4;
            break;
        default:
            return -1;
        }
    }
    return -1;
}

static integer end_of_digits(const byte *text, integer at, integer end) {
    if (at >= end || !is_digit(text[at])) return -1;
    while (at < end && is_digit(text[at])) at++;
    return at;
}

static integer end_of_number(const byte *text, integer at, integer end) {
    if (text[at] == '-') at++;
    if (at < end && text[at] == '0') at++;
    else if ((at = end_of_digits(text, at, end)) < 0) return -1;
    if (at < end && text[at] == '.' && (at = end_of_digits(text, at + 1, end)) < 0) return -1;
    if (at < end && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < end && (text[at] == '+' || text[at] == '-')) at++;
        return end_of_digits(text, at, end);
    }
    return at;
}

static integer end_of_word(const byte *text, integer at, integer end, const char *word, integer length) {
    if (end - at < length) return -1;
    for (integer i = 0; i < length; i++)
        if (text[at + i] != (byte)word[i]) return -1;
    return at + length;
}

// Behind a value that is neither object nor list; -1 if invalid.
static integer end_of_scalar(const byte *text, integer at, integer end) {
    int escaped = 0;
    switch (text[at]) {
    case '"': return end_of_string(text, at + 1, end, &escaped);
    case 't': return end_of_word(text, at, end, "true", 4);
    case 'f': return end_of_word(text, at, end, "false", 5);
    case 'n': return end_of_word(text, at, end, "null", 4);
    default: return end_of_number(text, at, end);
    }
}

static unsigned four_hex_digits(const byte *text) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++) code = code * 16 + (text[i] <= '9' ? text[i] - '0' : (text[i] | 0x20) - 'a' + 10);
    return code;
}

// The next bytes that a valid string stands for: one, or all of a character that an escape spells. *at* moves behind them.
static int spelled(const byte *text, integer *at, byte *to) {
    byte c = text[(*at)++];
    if (c != '\\') {
        to[0] = c;
        return 1;
    }
    c = text[(*at)++];
    if (c != 'u') {
        to[0] = c == 'b' ? '\b' : c == 'f' ? '\f' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        return 1;
    }
    unsigned code = four_hex_digits(text + *at);
    *at += 4;
    if (code < 0x80) {
        to[0] = code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = 0xc0 | code >> 6;
        to[1] = 0x80 | (code & 0x3f);
        return 2;
    }
    // The quote that ends a string keeps these within it.
    if (code >> 10 == 0x36 && text[*at] == '\\' && text[*at + 1] == 'u') {
        unsigned low = four_hex_digits(text + *at + 2);
        if (low >> 10 == 0x37) {
            *at += 6;
            code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
            to[0] = 0xf0 | code >> 18;
            to[1] = 0x80 | (code >> 12 & 0x3f);
            to[2] = 0x80 | (code >> 6 & 0x3f);
            to[3] = 0x80 | (code & 0x3f);
            return 4;
        }
    }
    to[0] = 0xe0 | code >> 12;
    to[1] = 0x80 | (code >> 6 & 0x3f);
    to[2] = 0x80 | (code & 0x3f);
    return 3;
}
